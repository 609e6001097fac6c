import { expect, it } from 'vitest';
import { codeOf, presentAt } from '../../../src/demo/records/calendar.ts';
import { classRows, offeringsIn } from '../../../src/demo/records/offerings.ts';
import { Students } from '../../../src/demo/students.ts';

const dayMs = 24 * 60 * 60 * 1000;
const from = Date.parse('2026-09-20T12:00:00+08:00');
const classCodes = { '2023000001': '0801', '2023000002': '0501' } as const;

// biome-ignore lint/suspicious/noExplicitAny: rows are inspected member by member
type Json = any;
const keyOf = ({ kch, kxh }: Json): string => `${kch} ${kxh}`;

it('in every term of two years a student’s timetable is in the offerings and in that of the class', () => {
  const students = new Students();
  for (let day = 0; day < 731; day += 40) {
    const present = presentAt(from + day * dayMs, true);
    const code = codeOf(present.term);
    const rows: Json[] = [...offeringsIn(present.term)];
    expect([code, rows.length]).toEqual([code, 450]);
    for (const [userid, major] of Object.entries(classCodes)) {
      const studies = students.get(userid)?.studies(present);
      const courses: Json[] = Object.values((studies?.timetable(code) as Json)?.xkxx[0] ?? {});
      expect(courses.length).toBeGreaterThan(1);
      const entry = studies?.file.find(([label]) => label === '年级')?.[1].slice(2, 4);
      const own: Json[] = [...(classRows(`${major}${entry}001`, present.term) ?? [])].map((row: Json) => ({
        ...row,
        ...row.id,
      }));
      for (const { id, courseName, timeAndPlaceList } of courses)
        for (const list of [rows, own]) {
          const found = list.filter((row) => keyOf(row) === `${id.coureNumber} ${id.coureSequenceNumber}`);
          const places = found.filter(({ skxq }) => skxq !== null);
          expect([code, courseName, found[0]?.kcm, places.length]).toEqual([
            code,
            courseName,
            courseName,
            timeAndPlaceList?.length ?? 0,
          ]);
          for (const [at, each] of (timeAndPlaceList ?? []).entries())
            expect([places[at]?.skxq, places[at]?.skjc, places[at]?.jasm]).toEqual([
              each.classDay,
              each.classSessions,
              each.classroomName,
            ]);
        }
    }
  }
});
