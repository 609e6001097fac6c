import { describe, expect, it } from 'vitest';
import { TurnLines } from '../../../src/platform/turn-lines.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const collecting = () => {
  const written: string[] = [];
  return { written, lines: new TurnLines({ write: (text: string) => void written.push(text) }) };
};

describe('the lines of one turn', () => {
  it('are written together, in their order, before the next turn', async () => {
    const { written, lines } = collecting();
    lines.write('one\n');
    lines.write('two\n');
    await Promise.resolve();
    expect(written).toEqual([]);
    await nextTurn();
    expect(written).toEqual(['one\ntwo\n']);
    lines.write('three\n');
    await nextTurn();
    expect(written).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('are written at once by a flush, and not again', async () => {
    const { written, lines } = collecting();
    lines.write('one\n');
    lines.flush();
    lines.flush();
    expect(written).toEqual(['one\n']);
    lines.write('two\n');
    await nextTurn();
    expect(written).toEqual(['one\n', 'two\n']);
  });

  it('do not wait for its end when they are many', () => {
    const { written, lines } = collecting();
    for (let at = 0; at < 3; at += 1) lines.write(`${'x'.repeat(40_000)}\n`);
    expect(written.join('')).toHaveLength(80_002);
  });
});
