import { Type } from '@sinclair/typebox';
import { beforeAll, expect, it } from 'vitest';
import { ScoreRecord, Term } from '../../src/domain/academics/records.ts';
import { allReads } from '../../src/domain/all-reads.ts';
import { copiesOnly, withReads } from '../../src/domain/context.ts';
import { ofRecord } from '../../src/domain/read-row.ts';
import { NotedReads } from '../../src/domain/reads/call-reads.ts';
import type { ReadRow } from '../../src/domain/reads/types.ts';
import { orNull, unsaidOf } from '../../src/domain/record.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { callContext } from '../support/campus-rig.ts';
import { keptIn } from '../support/kept.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { testReads } from '../support/test-reads.ts';
import { onBothDatabases, registered, start } from './databases.ts';

const scored = {
  ...{ termCode: '2025-2026-1-1', courseCode: 'EX1', courseClass: '01', courseName: '数学' },
  ...{ courseNameEnglish: 'Mathematics', credits: '2.0', hours: 32, courseType: '必修', examType: '考试', score: '88' },
};
const scoredNow = {
  ...{ term_id: '2025-2026-1-1', course_code: 'EX1', course_class: '01', course_name_cn: '数学' },
  ...{ course_name_en: 'Mathematics', credits: '2.0', hours: 32, course_type: '必修', exam_type: '考试', score: '88' },
};
const record = { ...scored, sequence: 1, retakeScore: null, makeupScore: '63' };
const recordNow = { ...unsaidOf(ScoreRecord), ...scoredNow, sequence: 1, makeup_score: '63' };
const average = { classAverage: '81', classHighest: null, classLowest: null, classRank: '3/78', gradePoint: '3.7' };
const averageNow = {
  ...{ class_average: '81', class_highest: null, class_lowest: null, class_rank: '3/78', grade_point: '3.7' },
};
const exam = { courseName: '数学', date: '2026-06-20', time: '08:30', location: '', kind: 'university', note: '' };
const course = {
  code: 'EX1',
  credits: 2,
  examType: '',
  name: '数学',
  nature: '',
  places: [],
  sequence: '01',
  teachers: '',
};
const table = { courses: [course], sections: { semester: null, slots: [] }, totalCredits: 2 };
const activity = {
  ...{ id: 'a', icon: null, state: 1, stateName: '报名中', typeId: 't', typeName: '志愿', title: '劳动' },
  ...{ startsAt: '2026-06-01', endsAt: '2026-06-02', leaderId: 'T1', leaderName: '王', clubId: 'c', clubName: '社' },
  ...{ members: 1, addedAt: '', places: 9, fewestMembers: null, joined: true, closed: false },
  ...{ signUpFrom: '', signUpUntil: '' },
};
const activityNow = {
  ...{ ID: 'a', Ico: null, State: 1, StateName: '报名中', TypeID: 't', TypeName: '志愿', Title: '劳动' },
  ...{ StartTime: '2026-06-01', EndTime: '2026-06-02', ChargeUserNo: 'T1', ChargeUserName: '王', ClubID: 'c' },
  ...{ ClubName: '社', MemberNum: 1, AddTime: '', PeopleNum: 9, PeopleNumMin: null, IsJson: true, IsClose: false },
  ...{ SignUpStartTime: '', SignUpEndTime: '' },
};

/** As version 1.0 has kept them, and as they are read now. */
const former: ReadonlyArray<readonly [ReadRow<never>['name'], unknown, unknown]> = [
  [
    'terms',
    [{ code: '2025-2026-1-1', name: '2025-2026上', isCurrent: true }],
    [{ term_code: '2025-2026-1-1', term_name: '2025-2026上', is_current: true }],
  ],
  ['all-scores', [record], [recordNow]],
  [
    'score-page',
    { page: 1, pageSize: 50, totalCount: 1, records: [record] },
    { page_num: 1, page_size: 50, total_count: 1, records: [recordNow] },
  ],
  [
    'current-scores',
    [{ ...scored, ...average, examTime: '20260110' }],
    [{ ...scoredNow, ...averageNow, exam_time: '20260110' }],
  ],
  ['schedule', table, table],
  ['exams', { exams: [exam], missing: [] }, { exams: [exam], missing: [] }],
  [
    'joined-activities',
    { activities: [activity], page: { index: 1, size: 20, total: 1 } },
    { data: [activityNow], pageInfo: { CurrentPageIndex: 1, PageSize: 20, TotalItemCount: 1 } },
  ],
];

onBothDatabases('copies of the version before', (database) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await database.open();
  });

  it.each(former)('of %s answer as they are read now, calendars too', async (name, kept, expected) => {
    const row = Object.values(allReads).find((each) => each.name === name);
    if (row === undefined) throw new Error(`no read ${name}`);
    const { userid } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const copy = { read: name, params: '[]', text: JSON.stringify(kept), writes: 0, readAt: start };
    await keptIn(storage).copies.keep(userid, generation, [{ ...copy, shape: 1 }]);
    const clock = new ManualClock(start + 60_000);
    const reads = testReads(clock, { copies: keptIn(storage).copies, marks: storage.marks });
    const notes = new NotedReads(copiesOnly);
    const ask = async () => Promise.reject(new Error('the campus was asked'));
    // Each of the rows has another type of value.
    const read = { row: row as unknown as ReadRow<unknown>, ask };
    expect(await reads.read({ userid }, withReads(callContext(), notes), read)).toEqual(expected);
    expect(notes.summary()).toMatchObject({ source: 'copy', oldSince: start });
    expect((await reads.lastCopy(userid, read.row))?.value).toEqual(expected);
  });

  /** What becomes of the terms that a version of another shape has kept. */
  const formerTerms = async (kept: unknown) => {
    const { userid } = await registered(storage);
    const generation = (await storage.sessions.generation(userid)) ?? 0;
    const copy = { read: 'terms', params: '[]', text: JSON.stringify(kept), writes: 0, readAt: start };
    await keptIn(storage).copies.keep(userid, generation, [{ ...copy, shape: 7 }]);
    return {
      userid,
      reads: testReads(new ManualClock(start + 1_000), { copies: keptIn(storage).copies, marks: storage.marks }),
    };
  };

  it('are completed where they lack only what may be null, and absent where they lack more', async () => {
    const [term] = [{ term_code: '2025-2026-1-1', term_name: '2025-2026上', is_current: true }];
    const grown = Type.Object({ ...Term.properties, weeks: orNull(Type.Integer(), 'New.') });
    const row = { ...ofRecord(Type.Array(grown), 'terms', 'academics'), fresh: 300 } as const;
    const lacking = await formerTerms([{ term_code: '2025-2026-1-1' }]);
    expect(await lacking.reads.lastCopy(lacking.userid, row)).toBeNull();
    const { userid, reads } = await formerTerms([term]);
    expect((await reads.lastCopy(userid, row))?.value).toEqual([{ ...term, weeks: null }]);

    // A second old, it would be fresh: its null is none of the campus's, so it answers only as an old value.
    const notes = new NotedReads(copiesOnly);
    const ask = async () => [{ ...term, weeks: 20 }];
    expect(await reads.read({ userid }, withReads(callContext(), notes), { row, ask })).toEqual([
      { ...term, weeks: null },
    ]);
    expect(notes.summary()).toMatchObject({ source: 'copy', oldSince: start });
    expect(await reads.read({ userid }, callContext(), { row, ask })).toEqual([{ ...term, weeks: 20 }]);
  });
});
