import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';
import { allReads } from '../../../src/domain/all-reads.ts';
import type { CallContext } from '../../../src/domain/context.ts';
import { plainReads, withParams } from '../../../src/domain/reads/plain-reads.ts';
import type { Reads } from '../../../src/domain/reads/reads.ts';
import type { ReadRequest } from '../../../src/domain/reads/shared-reading.ts';
import {
  completeStored,
  exampleOf,
  flag,
  integer,
  listOf,
  object,
  orNull,
  shapeOf,
  stateReader,
  storedRecord,
  text,
  textOrNull,
  unsaidOf,
  withDefault,
} from '../../../src/domain/record.ts';
import { callContext } from '../../support/campus-rig.ts';

const course = object('Course', 'A course.', { title: text('Its name.'), hours: orNull(Type.Integer(), 'Hours.') });

it('the shape of a record follows from its members, not from what people are told of it', () => {
  const reworded = object('Lesson', 'A lesson.', {
    title: Type.String({ description: 'The name.', examples: ['编译原理'] }),
    hours: orNull(Type.Integer({ title: 'Hours' }), 'How many.'),
  });
  expect(shapeOf(reworded)).toBe(shapeOf(course));
  const { title, hours } = course.properties;
  const others = [
    object('Course', 'A course.', { title }),
    object('Course', 'A course.', { name: title, hours }),
    object('Course', 'A course.', { title, hours: integer('Hours.') }),
    object('Course', 'A course.', { title, hours, description: text('More.') }),
  ];
  const shapes = [course, ...others].map((each) => shapeOf(each));
  expect(new Set([...shapes, shapeOf(course, 2)]).size).toBe(6);
  for (const shape of shapes) expect(shape).toBeGreaterThanOrEqual(0);
  for (const shape of shapes) expect(shape).toBeLessThan(2 ** 31);
});

it('a plain read is asked for with what it was called with, and told apart by that', async () => {
  const seen: unknown[] = [];
  const reads: Pick<Reads, 'read'> = {
    read: async <V>(_student: unknown, context: Parameters<Reads['read']>[1], read: ReadRequest<V>) => {
      seen.push(read.params);
      return read.ask(context);
    },
  };
  const student = { userid: '2023000001' };
  const context: CallContext = callContext();
  const { finishedCount: row } = allReads;
  const called = async (...given: unknown[]) => {
    seen.push(given);
    return 1;
  };
  const rows = {
    alone: row,
    named: withParams(row, (code: string) => [code]),
    paged: withParams(row, ({ page }: { readonly page: number }) => [`page ${page}`]),
  };
  const own = plainReads(reads, rows, { alone: called, named: called, paged: called });
  await own.alone(student, context);
  await own.named(student, 'a', context);
  await own.paged(student, { page: 2 }, context);
  expect(seen).toEqual([
    undefined,
    [student, context],
    ['a'],
    [student, 'a', context],
    ['page 2'],
    [student, { page: 2 }, context],
  ]);
});

it('what a source does not say is null, for the members that may be', () => {
  const room = object('Room', 'A room.', {
    code: text('Code.'),
    beds: orNull(Type.Integer(), 'Beds.'),
    state: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    note: textOrNull('Note.'),
  });
  expect(unsaidOf(room)).toEqual({ beds: null, note: null });
});

describe('the example of a schema', () => {
  it('is made of what its members show, down to the last one', () => {
    const room = object('Room', 'A room.', {
      code: text('Code.', '0101'),
      beds: orNull(Type.Integer(), 'Beds.', null),
    });
    const state = Type.Union([Type.Literal('open'), Type.Literal('closed')]);
    const floor = object('Floor', 'A floor.', { rooms: listOf(room, 'All.'), state, heated: flag('Heated.', false) });
    expect(exampleOf(floor)).toEqual({ rooms: [{ code: '0101', beds: null }], state: 'open', heated: false });
  });

  it('fails the start where a member shows nothing', () => {
    expect(() => exampleOf(object('Room', 'A room.', { code: text('Code.') }))).toThrow('nothing is shown for');
  });
});

it('a stored object that lacks a member of a later version gets its default, and a member without one does not compile', () => {
  const Timing = storedRecord<'waitMs'>()({ waitMs: Type.Number(), pauseMs: withDefault(Type.Number(), 3_000) });
  expect(Value.Default(Timing, { waitMs: 1 })).toEqual({ waitMs: 1, pauseMs: 3_000 });
  // @ts-expect-error: what was stored before lacks it
  const forgotten = storedRecord<'waitMs'>()({ waitMs: Type.Number(), openEveryMs: Type.Number() });
  expect(Value.Check(forgotten, Value.Default(forgotten, { waitMs: 1 }))).toBe(false);
});

it('a value that a version without some members has stored is completed, as deep as it goes, or does not fit', () => {
  const part = object('Part', 'A part.', { name: text('A name.'), place: textOrNull('New.') });
  const schema = object('Whole', 'A whole.', {
    parts: listOf(part, 'Parts.'),
    best: orNull(part, 'The best.'),
    count: withDefault(integer('New.'), 3),
    note: textOrNull('New.'),
  });
  const before = { parts: [{ name: 'a', gone: 1 }], best: { name: 'b' } };
  const after = {
    ...{ parts: [{ name: 'a', place: null }], best: { name: 'b', place: null } },
    ...{ count: 3, note: null },
  };
  expect(completeStored(schema, before)).toEqual(after);
  expect(completeStored(schema, { ...before, best: null, note: 'x' })).toEqual({ ...after, best: null, note: 'x' });
  for (const other of [{ ...before, parts: [{}] }, { ...before, note: 7 }, [], null, 'text'])
    expect(completeStored(schema, other)).toBeUndefined();
});

it('a state that another version has stored is completed, and keeps what only that version knows', () => {
  const entry = storedRecord<'at'>()({ at: Type.Number(), by: textOrNull('New.'), left: Type.Optional(Type.String()) });
  const read = stateReader(
    storedRecord<'entries' | 'names'>()({
      entries: Type.Array(entry),
      names: Type.Record(Type.String(), entry),
      rests: withDefault(Type.Array(Type.Number()), []),
    }),
  );
  const before = { entries: [{ at: 1, later: 'x' }], names: { a: { at: 2 } }, added: [1] };
  expect(read(JSON.stringify(before))).toEqual({
    ...before,
    entries: [{ at: 1, later: 'x', by: null }],
    names: { a: { at: 2, by: null } },
    rests: [],
  });
  const misfits: string[] = [];
  for (const text of ['{', 'null', JSON.stringify({ ...before, entries: [{ at: 'secret' }] })])
    expect(read(text, (member) => misfits.push(member))).toBeNull();
  expect(misfits).toEqual(['not JSON', '', '/entries/0/at']);
});
