import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseSecretKeys } from '../lib/secret-keys.ts';
import type { AnswerPools, Config, InviteSeed } from './config.ts';

/** `sqlite:<path>` or `postgres://…`; null when it is neither. */
export const parseDatabaseUrl = (text: string): Config['storage'] | null => {
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined) return { kind: 'sqlite', path: file };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return null;
  const { hostname, pathname } = new URL(text);
  return hostname !== '' && pathname.length > 1 ? { kind: 'postgres', url: text } : null;
};

/** The problem repeats nothing of the keys, only positions and lengths. */
export const readSecretKeys = (text: string): { keys: Buffer[] } | { problem: string } => {
  try {
    return { keys: parseSecretKeys(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'not readable' };
  }
};

const inviteForm = /^([^\s:,]{1,100})(?::([1-9]\d{0,6}))?$/;

/** `code` for one use or `code:uses`; null when it is neither. */
export const parseInviteSeed = (text: string): InviteSeed | null => {
  const [, code, uses = '1'] = inviteForm.exec(text) ?? [];
  return code === undefined ? null : { code, maxUses: Number(uses) };
};

const pool = Type.Array(Type.String({ maxLength: 500 }), { minItems: 1, maxItems: 100 });
const answerPools = Type.Object(
  { overall: pool, inspiration: pool, suggestion: pool },
  { additionalProperties: false },
);

/** The campus refuses very short texts and texts that repeat one character. */
const acceptable = (answer: string): boolean => {
  const text = answer.replace(/\s/gu, '');
  return [...text].length >= 4 && !/(.)\1\1/u.test(text);
};

/** A JSON object with the three text pools; null when it is not, or when a text would be refused by the campus. */
export const parseAnswers = (text: string): AnswerPools | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Value.Check(answerPools, value)) return null;
  return [value.overall, value.inspiration, value.suggestion].flat().every(acceptable) ? value : null;
};
