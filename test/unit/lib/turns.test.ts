import { describe, expect, it } from 'vitest';
import { Turns } from '../../../src/lib/queues.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns of the event loop', () => {
  it('begin one piece of work each, in the order of asking', async () => {
    const turns = new Turns();
    const begun: number[] = [];
    const all = [1, 2, 3].map((each) => turns.next().then(() => begun.push(each)));
    expect(begun).toEqual([]);
    const seen: number[][] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      seen.push([...begun]);
    }
    expect(seen).toEqual([[1], [1, 2], [1, 2, 3]]);
    await Promise.all(all);
  });

  it('serve a caller that asks while others wait after them; one that asks while none waits has the next turn', async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const first = turns.next().then(() => begun.push('first'));
    await nextTurn();
    await first;
    const second = turns.next().then(() => begun.push('second'));
    const third = turns.next().then(() => begun.push('third'));
    await nextTurn();
    expect(begun).toEqual(['first', 'second']);
    await Promise.all([second, third]);
    expect(begun).toEqual(['first', 'second', 'third']);
  });
});
