import { describe, expect, it } from 'vitest';
import { UpdateUserProfileRequest } from '../../../../src/surfaces/a/routes/profiles.ts';
import { bodyReader, itemsOf as refused } from '../../../support/lax-bodies.ts';

const read = bodyReader(UpdateUserProfileRequest);
const token = 'some-token';
const complete = {
  theme: 'dark',
  lightModeOpacity: 0.5,
  lightModeBrightness: 1,
  darkModeOpacity: 0.4,
  darkModeBrightness: 0.2,
  backgroundBlur: 0,
};
const settingsOf = (settings: unknown): unknown => read({ token, settings }).settings;
const itemsOf = (settings: unknown, rest: object = { token }) => refused(() => read({ ...rest, settings }));
const notText = (input: unknown) => ({
  type: 'string_type',
  loc: ['body', 'settings', 'str'],
  msg: 'Input should be a valid string',
  input,
});
const at = (member: string) => ['body', 'settings', 'UserSettings', member];

describe('settings of the profile update', () => {
  it('are the same as an object and as its JSON text', () => {
    expect(settingsOf(complete)).toEqual(complete);
    expect(settingsOf(JSON.stringify(complete))).toEqual(complete);
  });

  it.each(['light', 'dark', 'system', 'ThemeMode.light', 'ThemeMode.dark', 'ThemeMode.system'])(
    'take the theme %s as it is',
    (theme) => {
      expect(settingsOf({ ...complete, theme })).toEqual({ ...complete, theme });
    },
  );

  it('take numbers in their lax forms, and drop members they do not know', () => {
    const lax = { ...complete, lightModeOpacity: '0.5', backgroundBlur: true, darkModeBrightness: ' 1 ', other: 'x' };
    expect(settingsOf(lax)).toEqual({ ...complete, backgroundBlur: 1, darkModeBrightness: 1 });
    expect(settingsOf(JSON.stringify(lax))).toEqual({ ...complete, backgroundBlur: 1, darkModeBrightness: 1 });
  });

  it('report every bad member of an object, and last that the object is no text', () => {
    const bad = { ...complete, theme: 'blue', lightModeOpacity: -0.1, darkModeBrightness: 'x', backgroundBlur: 1.5 };
    expect(itemsOf(bad)).toEqual([
      {
        type: 'value_error',
        loc: at('theme'),
        msg: 'Value error, must be one of light, dark, system, ThemeMode.light, ThemeMode.dark, ThemeMode.system',
        input: 'blue',
        ctx: { error: {} },
      },
      {
        type: 'greater_than_equal',
        loc: at('lightModeOpacity'),
        msg: 'Input should be greater than or equal to 0',
        input: -0.1,
        ctx: { ge: 0 },
      },
      {
        type: 'float_parsing',
        loc: at('darkModeBrightness'),
        msg: 'Input should be a valid number, unable to parse string as a number',
        input: 'x',
      },
      {
        type: 'less_than_equal',
        loc: at('backgroundBlur'),
        msg: 'Input should be less than or equal to 1',
        input: 1.5,
        ctx: { le: 1 },
      },
      notText(bad),
    ]);
  });

  it('are complete: a missing member is reported below the name of the set', () => {
    const { theme: _, ...partial } = complete;
    expect(itemsOf(partial)).toEqual([
      { type: 'missing', loc: at('theme'), msg: 'Field required', input: partial },
      notText(partial),
    ]);
    expect(itemsOf({ ...complete, theme: null })[0]).toMatchObject({ type: 'string_type', loc: at('theme') });
    expect(itemsOf({ ...complete, backgroundBlur: null })[0]).toMatchObject({
      type: 'float_type',
      loc: at('backgroundBlur'),
    });
  });

  it('are reported together with everything else, in the order of the schema', () => {
    expect(itemsOf('', { avatar: 1, nickname: [] }).map(({ loc }) => loc)).toEqual([
      ['body', 'token'],
      ['body', 'avatar'],
      ['body', 'nickname'],
      ['body', 'settings'],
    ]);
  });
});
