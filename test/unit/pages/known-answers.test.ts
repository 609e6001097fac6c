import { describe, expect, it } from 'vitest';
import { KnownAnswers } from '../../../src/http/call/call.ts';

const counting = <T>(texts: readonly T[]) => {
  let made = 0;
  return () => {
    made += 1;
    return texts[made - 1] ?? `text ${made}`;
  };
};

describe('the answer made of a value in memory', () => {
  it('has one tag for the same question about the same value, and another for any other', () => {
    const known = new KnownAnswers();
    const make = counting<string>([]);
    const value = { total: 1 };
    expect(known.of(value, 'one', make).tag).toBe('text 1');
    expect(known.of(value, 'one', make).tag).toBe('text 1');
    expect(known.of(value, 'two', make).tag).toBe('text 2');
    expect(known.of({ total: 1 }, 'two', make).tag).toBe('text 3');
    expect(known.of(null, 'two', make).tag).toBe('text 4');
    expect(known.of(null, 'two', make).tag).toBe('text 5');
  });

  it('is written once, with another end each time', () => {
    const answer = new KnownAnswers().of({}, 'one', () => 'tag');
    const write = counting(['{"data":1,"at":"10:00"}', '{"data":2,"at":"10:01"}']);
    expect(answer.text('10:00"}', write)).toBe('{"data":1,"at":"10:00"}');
    expect(answer.text('10:01"}', write)).toBe('{"data":1,"at":"10:01"}');
  });

  it('is written each time where it ends otherwise or is very long, and left alone where it is no text', () => {
    const answer = new KnownAnswers().of({}, 'one', () => 'tag');
    const long = `${'x'.repeat(1_048_576)}end`;
    const write = counting(['another end.', long, 'short end', Buffer.from('end')]);
    expect(answer.text('end', write)).toBe('another end.');
    expect(answer.text('end', write)).toBe(long);
    expect(answer.text('end', write)).toBe('short end');
    expect(answer.text('END', write)).toBe('short END');
    expect(new KnownAnswers().of({}, 'one', () => 'tag').text('end', () => Buffer.from('end'))).toBeNull();
  });
});
