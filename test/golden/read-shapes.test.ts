import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allReads } from '../../src/domain/all-reads.ts';
import { silentLog } from '../../src/domain/context.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { damaged, first, second } from '../support/campus-rig.ts';
import { startGateway } from '../support/gateway-rig.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { membersOf } from '../support/members.ts';
import { bindRoom, callRead, readNames, studentReads } from '../support/student-reads.ts';
import { springNoon } from '../support/study-reads.ts';

const file = join(import.meta.dirname, 'read-shapes.json');

interface Recorded {
  readonly shape: number;
  readonly members: string;
}

/** A score of the damaged student: its components have members that are null. */
const damagedScore = new URLSearchParams({
  term_code: '2025-2026-2-1',
  course_code: 'SY3202001',
  course_class: '02',
  exam_time: ' 20260610 ',
});

/** The members that every read stores of the three students of the demo campus, by the name of its row. */
const keptMembers = async (): Promise<ReadonlyMap<string, string>> => {
  const gateway = await startGateway({ clock: new ManualClock(springNoon) });
  try {
    for (const student of [first, second, damaged]) {
      gateway.demo.student(student.userid).setEvaluation(2);
      const token = await gateway.register(student);
      await bindRoom(gateway, token);
      for (const name of readNames) {
        const answer = await callRead(gateway.url, studentReads[name], token);
        expect([answer.status, answer.body.code ?? 200], `${name}: ${answer.text}`).toEqual([200, 200]);
      }
      const path = `/jwc/score/current/detail?${damagedScore}`;
      await callRead(gateway.url, { surface: 'b', path, system: 'jwc' }, token);
    }
    await gateway.services.reads.close();
    const { storage } = gateway.config;
    const opened = await openDatabase(`sqlite:${storage.kind === 'sqlite' ? storage.path : ''}`, { log: silentLog });
    const keys = await opened.db.selectFrom('copies').select(['userid', 'read', 'params', 'shape']).execute();
    await opened.close();
    const values = new Map<string, unknown[]>();
    for (const key of keys) {
      const copy = await gateway.services.storage.copies.find(key);
      values.set(key.read, [...(values.get(key.read) ?? []), JSON.parse(copy?.text ?? '')]);
    }
    return new Map([...values].map(([read, each]) => [read, membersOf(each)]));
  } finally {
    await gateway.close();
  }
};

it('a value whose members have changed has another shape number, so that old copies are absent and never wrong', async () => {
  const kept = await keptMembers();
  const recorded: Record<string, Recorded> = JSON.parse(existsSync(file) ? readFileSync(file, 'utf8') : '{}');
  const rows = Object.values(allReads).map(({ name, shape }) => ({ name, shape, members: kept.get(name) ?? '' }));
  for (const { name, shape, members } of rows) {
    expect(members, `${name} has been kept`).not.toBe('');
    if (recorded[name]?.shape !== shape) continue;
    expect(
      members,
      `the members of ${name} have changed: raise its shape in its row; if only the demo campus has, delete its record and run npm run golden`,
    ).toBe(recorded[name].members);
  }
  const byName = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const now = Object.fromEntries(byName.map(({ name, shape, members }) => [name, { shape, members }]));
  // A new row, or a raised number, is recorded.
  if (process.env.GOLDEN === 'write') writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
  else expect(now, 'npm run golden records new shapes').toEqual(recorded);
});
