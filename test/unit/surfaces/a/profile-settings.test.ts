import { describe, expect, it } from 'vitest';
import { UpdateUserProfileRequest } from '../../../../src/surfaces/a/routes/profiles.ts';
import { bodyReader } from '../../../support/lax-bodies.ts';

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
});
