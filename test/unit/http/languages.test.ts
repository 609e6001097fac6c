import { expect, it } from 'vitest';
import { languageOf } from '../../../src/http/languages.ts';

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['fr', 'en'],
  ['en', 'en'],
  ['zh', 'zh'],
  ['ZH-hans-CN', 'zh'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en-US,en;q=0.9,zh;q=0.8', 'en'],
  ['en;q=0.5, zh;q=0.6', 'zh'],
  ['en, zh', 'en'],
  ['zh, en', 'zh'],
  ['de, zh;q=0.2', 'zh'],
  ['*;q=0.9, zh;q=0.5', 'en'],
  ['*;q=0.5, zh;q=0.9', 'zh'],
  ['zh;q=0', 'en'],
  ['en;q=0, *', 'zh'],
  ['zh;q=nonsense', 'en'],
  ['zha', 'en'],
])('%j wants %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});
