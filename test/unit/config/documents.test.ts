import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exampleEnvironment, settings, settingsByKey } from '../../../src/config/schema.ts';
import { configurationDocument } from '../../../tools/configuration.ts';
import { key, load, memoryFiles, problems, wiring } from './support.ts';

const root = join(import.meta.dirname, '../../..');
const held = (path: string): string => readFileSync(join(root, path), 'utf8');
const keys = [...settingsByKey.keys()];

describe('docs/reference/configuration.md', () => {
  it('is what the schema says', () => {
    expect(held('docs/reference/configuration.md')).toBe(configurationDocument());
  });
});

describe('.env.example', () => {
  it('is what the schema says', () => {
    expect(held('.env.example')).toBe(exampleEnvironment());
  });

  it('begins with the fifteen settings that production needs', () => {
    const [first = ''] = exampleEnvironment().split('# ==== Advanced');
    const named = [...first.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(named).toHaveLength(15);
    expect(named.slice(0, 4)).toEqual(['NODE_ENV', 'PUBLIC_URL', 'TRUSTED_PROXIES', 'SECRET_KEY']);
  });

  it('changes nothing when it is copied as it is', () => {
    expect(parseEnv(held('.env.example'))).toEqual({});
  });

  it('holds no usable secret', () => {
    expect(problems({ SECRET_KEY: settings.secretKeys.meta.example ?? '' })).toHaveLength(1);
  });

  it.each(keys.filter((name) => name !== 'SECRET_KEY' && name !== 'CAMPUS'))(
    'gives an example of %s that works',
    (name) => {
      const examples = parseEnv(exampleEnvironment().replaceAll(/^# ([A-Z_]+=)/gm, '$1'));
      expect(examples[name]).toBeTruthy();
      const { files } = memoryFiles();
      const inProject = { ...files, read: (path: string) => held(path) };
      load({ ...wiring, SECRET_KEY: key, [name]: examples[name] }, inProject);
    },
  );
});
