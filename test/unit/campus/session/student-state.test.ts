import { describe, expect, it } from 'vitest';
import { SessionMemo } from '../../../../src/campus/session/student-state.ts';

describe('what pages handed out to a session', () => {
  it('is kept up to 8,192 characters; a longer value changes nothing', () => {
    const memo = new SessionMemo();
    memo.set('segment', 'x'.repeat(8_192));
    memo.set('segment', 'y'.repeat(8_193));
    expect(memo.get('segment')).toBe('x'.repeat(8_192));
  });

  it('goes when it is found stale, unless another call has replaced it', () => {
    const memo = new SessionMemo();
    memo.set('segment', 'new');
    memo.drop('segment', 'old');
    expect(memo.get('segment')).toBe('new');
    memo.drop('segment', 'new');
    expect(memo.get('segment')).toBeUndefined();
  });
});
