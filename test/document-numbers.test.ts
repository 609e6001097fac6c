import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardNumbers, memoryMs } from '../src/domain/accounts/guard/numbers.ts';
import type { Tables } from '../src/storage/schema.ts';
import { numberSentences, withNumbers } from '../tools/document-numbers.ts';

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '..', path), 'utf8').replaceAll('\n', ' ');
/** What the threat model calls the content of each table: a new table needs its place there. */
const kept: Readonly<Record<keyof Tables, string>> = {
  campus_identity: 'Addresses of the campus',
  users: 'Student ids',
  credentials: 'Both passwords',
  tokens: 'Tokens, personal tokens',
  invite_codes: 'Invite codes',
  invite_tokens: 'invite tokens that were used',
  guard_memory: 'What the login guard remembers',
  guard_rows: 'What the login guard remembers',
  leases: 'Leases',
  upstream_sessions: 'sessions and tickets of the campus',
  login_challenges: 'A sign-in that waits',
  evaluation_tasks: 'Evaluation tasks',
  copies: 'Copies of reads',
  room_trees: 'the tree of rooms',
  room_refreshes: 'the tree of rooms',
  campus_wide_copies: 'Course offerings',
  campus_lines: 'pauses it asked for',
  room_bindings: 'room;',
  calendar_feeds: 'addresses of feeds',
  events: 'events',
  event_states: 'hashes of what earlier readings held',
  event_hooks: 'hooks with their secrets',
  hook_deliveries: 'deliveries',
  due_readings: 'the next reading',
  replicas: 'names of replicas',
  backups: 'the last backup',
  images: 'images',
  image_bytes: 'images',
  image_uploads: 'images uploaded',
  user_profiles: 'profile',
  client_themes: 'profile',
  app_profiles: 'profile',
};

it.each(Object.entries(kept))('the threat model says what is kept in %s', (_table, words) => {
  const [, table = ''] = /## What is kept(.*?)Erasing an account/.exec(read('docs/run/threat-model.md')) ?? [];
  expect(table).toContain(words);
});

describe('numbers in texts for people', () => {
  it.each(numberSentences)('are those of the code: %s, %s', (document, sentence) => {
    expect(read(document)).toContain(sentence);
  });

  it.each(numberSentences)('are written by `npm run documents`: %s, %s', (path, sentence) => {
    const text = readFileSync(join(import.meta.dirname, '..', path), 'utf8');
    expect(withNumbers(path, text)).toBe(text);
    const other = text.replaceAll(/\d+/g, (digits) => `${digits}0`);
    expect(withNumbers(path, other).replaceAll('\n', ' ')).toContain(sentence);
  });

  it('come from the code where a service serves the text', () => {
    for (const language of ['en', 'zh']) {
      const text = read(`src/pages/privacy/privacy.${language}.md`).replaceAll(/`[^`]*`|\{\{[^}]*\}\}/g, '');
      expect(text).not.toMatch(/\d|at most (?:one|two|three|four|five|ten)|最多[一二两三四五六七八九十]/);
    }
    expect(guardNumbers.home.most).toBe(4);
    expect(memoryMs).toBe(86_400_000);
  });
});
