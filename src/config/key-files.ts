import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { ConfigFiles } from './secrets.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const freshKey = (): string => randomBytes(32).toString('base64');

/** The file appears complete or not at all, and the first of two starting processes wins: link() never replaces. */
const createOnce = (path: string, text: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(file, `${text}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    try {
      linkSync(draft, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
};

export const keyFiles: ConfigFiles = { read, exists: existsSync, createOnce, freshKey };
