import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SealBroken, Sealer, type SealFault } from '../../../src/storage/seal.ts';

const key = (byte: number) => Buffer.alloc(32, byte);
const place = { userid: '2023000001', field: 'password' };

const faultOf = (work: () => unknown): SealFault => {
  try {
    work();
  } catch (error) {
    if (error instanceof SealBroken) return error.fault;
    throw error;
  }
  throw new Error('opened');
};

describe('sealing', () => {
  const sealer = new Sealer([key(1)]);

  it.each(['', 'secret', '密码 with 表情 🎓', 'x'.repeat(10_000)])('what was sealed opens again (%#)', (text) => {
    expect(sealer.open(sealer.seal(text, place), place)).toBe(text);
  });

  it('carries version and key id, and neither text nor user', () => {
    const sealed = sealer.seal('MARKER', place);
    const id = createHash('sha256').update(key(1)).digest('hex').slice(0, 8);
    expect(sealed).toMatch(new RegExp(`^v1\\.${id}\\.[\\w-]{16}\\.[\\w-]+$`));
    expect(sealed.startsWith(sealer.currentPrefix)).toBe(true);
    expect(sealed).not.toContain('MARKER');
  });

  it('the same text is sealed differently each time', () => {
    expect(new Set(Array.from({ length: 50 }, () => sealer.seal('secret', place))).size).toBe(50);
  });

  it('a text of another user or another field does not open', () => {
    const sealed = sealer.seal('secret', place);
    expect(faultOf(() => sealer.open(sealed, { ...place, userid: '2023000002' }))).toBe('not-authentic');
    expect(faultOf(() => sealer.open(sealed, { ...place, field: 'vpn-password' }))).toBe('not-authentic');
  });

  it('user and field cannot be shifted into each other', () => {
    const sealed = sealer.seal('secret', { userid: 'ab', field: 'c' });
    expect(faultOf(() => sealer.open(sealed, { userid: 'a', field: 'bc' }))).toBe('not-authentic');
    expect(faultOf(() => sealer.open(sealed, { userid: 'ab","c', field: '' }))).toBe('not-authentic');
  });

  it('no single altered bit of a sealed text goes unnoticed', () => {
    const sealed = Buffer.from(sealer.seal('secret', place), 'latin1');
    for (let at = 0; at < sealed.length * 8; at += 1) {
      const altered = Buffer.from(sealed);
      const index = at >> 3;
      altered.writeUInt8(altered.readUInt8(index) ^ (1 << (at & 7)), index);
      expect(() => sealer.open(altered.toString('latin1'), place)).toThrow(SealBroken);
    }
  });

  it.each(['', 'v1', 'v1...', 'v2.00000000.AAAA.AAAA', 'plain text', 'v1.00000000.AAAAAAAAAAAAAAAA.AAAA'])(
    'a text that was never sealed is malformed: %j',
    (text) => {
      expect(faultOf(() => sealer.open(text, place))).toBe('malformed');
    },
  );

  it('a cut tag is malformed rather than a weaker check', () => {
    const sealed = sealer.seal('', place);
    expect(faultOf(() => sealer.open(sealed.slice(0, -4), place))).toBe('malformed');
  });

  it('all keys open, the first seals', () => {
    const old = new Sealer([key(1)]);
    const rotated = new Sealer([key(2), key(1)]);
    expect(rotated.open(old.seal('secret', place), place)).toBe('secret');
    const sealed = rotated.seal('secret', place);
    expect(faultOf(() => old.open(sealed, place))).toBe('unknown-key');
    expect(new Sealer([key(2)]).open(sealed, place)).toBe('secret');
  });

  it('a refusal tells nothing of the text', () => {
    const sealed = sealer.seal('MARKER', place);
    try {
      sealer.open(`${sealed}AAAA`, place);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(sealed);
      expect(error).not.toHaveProperty('cause');
    }
  });

  it('refuses to start without keys, with short ones or with one twice', () => {
    expect(() => new Sealer([])).toThrow('at least one');
    expect(() => new Sealer([Buffer.alloc(16)])).toThrow('32 bytes, got 16');
    expect(() => new Sealer([key(1), key(1)])).toThrow('same key id');
  });
});
