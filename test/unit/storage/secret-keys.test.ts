import { describe, expect, it } from 'vitest';
import { readSecretKeys } from '../../../src/config/kinds.ts';

const first = Buffer.alloc(32, 7).toString('base64');
const second = Buffer.alloc(32, 8).toString('base64');

const messageOf = (text: string): string => {
  const read = readSecretKeys(text);
  if ('problem' in read) return read.problem;
  throw new Error('accepted');
};

describe('secret keys', () => {
  it('one key or a comma list, in order', () => {
    expect(readSecretKeys(first)).toEqual({ keys: [Buffer.alloc(32, 7)] });
    expect(readSecretKeys(` ${second} , ${first}\n`)).toEqual({ keys: [Buffer.alloc(32, 8), Buffer.alloc(32, 7)] });
  });

  it.each([
    ['', 'secret key 1 of 1', 'got empty'],
    [`${first},`, 'secret key 2 of 2', 'got empty'],
    [Buffer.alloc(16, 7).toString('base64'), 'secret key 1 of 1', 'base64 of 16 bytes'],
    [Buffer.alloc(33, 7).toString('base64'), 'secret key 1 of 1', 'base64 of 33 bytes'],
    [`${first},my-password!`, 'secret key 2 of 2', '12 characters that are not all standard base64'],
    [Buffer.alloc(32, 7).toString('hex'), 'secret key 1 of 1', 'base64 of 48 bytes'],
  ])('a bad key is named by place and shape (%#)', (text, place, shape) => {
    expect(messageOf(text)).toContain(place);
    expect(messageOf(text)).toContain(shape);
  });

  it('the message never shows a key', () => {
    const almost = `${first.slice(0, 43)}!`;
    const shown = messageOf(`${second},${almost}`);
    for (const key of [almost, second]) expect(shown).not.toContain(key.slice(0, 8));
  });

  it('stray bits behind the last byte and a repeated key are refused', () => {
    expect(messageOf(`${Buffer.alloc(32).toString('base64').slice(0, 42)}B=`)).toContain('32 bytes');
    expect(messageOf(`${first},${first}`)).toContain('given twice');
  });
});
