import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Member, mapRecord } from '../../../../src/campus/recordings/atoms.ts';
import type { RecordedReading } from '../../../../src/campus/recordings/recording.ts';
import { classOf } from '../../../../src/domain/classes.ts';

const folder = join(import.meta.dirname, '../../../recordings');

const readings = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(
    ({ name }): readonly RecordedReading[] =>
      JSON.parse(readFileSync(join(folder, name, 'recording.json'), 'utf8')).readings,
  );

/** Their members are those of the campus, which hands them on. */
const handedOn = /^VenueReserveData\./;

it('every member of what the demo campuses give has a class', () => {
  const members = new Set<Member>();
  for (const reading of readings) mapRecord(reading, (_, member) => members.add(member));
  expect(members.size).toBeGreaterThan(300);
  const unclassed = [...members].filter((member) => {
    const [parent = '', name = ''] = member.split('.');
    return classOf(parent, name) === null && !handedOn.test(member);
  });
  expect(unclassed).toEqual([]);
});
