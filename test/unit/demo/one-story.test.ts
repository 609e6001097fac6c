import { describe, expect, it } from 'vitest';
import type { CampusState } from '../../../src/demo/campus-state.ts';
import { ClubWorld } from '../../../src/demo/ldjlb/clubs.ts';
import { activityRow, detailOf, signRow } from '../../../src/demo/ldjlb/rows.ts';
import { LaborWorld } from '../../../src/demo/ldjlb/world.ts';
import { type Present, presentAt } from '../../../src/demo/records/calendar.ts';
import { cardOf } from '../../../src/demo/records/card.ts';
import { clubId } from '../../../src/demo/records/labor-clubs.ts';
import { recordsOf } from '../../../src/demo/records/meters.ts';
import { forgetful } from '../../../src/demo/sessions.ts';
import { type DemoStudent, Students } from '../../../src/demo/students.ts';
import { evaluationList } from '../../../src/demo/urp/evaluation.ts';
import { examCalendar, examPage, otherExams } from '../../../src/demo/urp/exams.ts';
import {
  academicSummary,
  calendarPage,
  homePage,
  sectionData,
  selectionStatus,
  termIndex,
  timetableData,
} from '../../../src/demo/urp/home.ts';
import { chosenPlan, planIndex, planList } from '../../../src/demo/urp/plans.ts';
import { scoreComponents, scoreData, scoreIndex, thisTermIndex, thisTermScores } from '../../../src/demo/urp/scores.ts';
import type { JwcHandler, JwcSessionState } from '../../../src/demo/urp/session.ts';
import { dayNumber, dayText } from '../../../src/lib/time.ts';

/**
 * The pages of the demo campus, read without the gateway's own readers, on every day of two years: all that two of them
 * tell, they tell alike.
 */
const dayMs = 24 * 60 * 60 * 1000;
const noon = (date: string): number => Date.parse(`${date}T12:00:00+08:00`);
const [from, days] = [noon('2026-09-01'), 731];

const state = {
  switches: { evaluationOpen: true, otherExamRows: 'objects', otherExamPlace: 'root', emptyTerm: 'all' },
} as unknown as CampusState;

// biome-ignore lint/suspicious/noExplicitAny: pages are inspected member by member
type Json = any;

/** A signed-in student on one day. */
class Reader {
  readonly student: DemoStudent;
  readonly present: Present;
  readonly #session: JwcSessionState = {
    segments: new Map(),
    evaluationToken: '',
    questionnaires: forgetful(1),
    lastOpenedAt: 0,
  };

  constructor(student: DemoStudent, present: Present) {
    this.student = student;
    this.present = present;
    for (const index of [scoreIndex, termIndex, thisTermIndex]) this.text(index);
  }

  text(handler: JwcHandler, fields: Record<string, string> = {}, params: readonly string[] = []): string {
    const { present, student } = this;
    const form = new URLSearchParams(fields);
    const { userid } = student;
    const call = { system: 'jwc', method: 'POST', target: '', path: '', params, query: form, form, body: '' } as const;
    const rest = { cookies: new Map(), portalSession: null, userid, header: () => null, present };
    return String(handler({ ...call, ...rest, studies: student.studies(present) }, student, this.#session).body);
  }

  json(
    handler: JwcHandler,
    fields?: Record<string, string>,
    segment?: 'scores' | 'schedule' | 'this-term' | 'components',
  ) {
    const params = segment === undefined ? [] : [this.#session.segments.get(segment) ?? ''];
    const text = this.text(handler, fields, params);
    return text === ']' ? [] : (JSON.parse(text) as Json);
  }

  scores(zxjxjhh: string): Json[][] {
    return this.json(scoreData(state), { zxjxjhh, kch: '', kcm: '', pageNum: '1', pageSize: '1000' }, 'scores').list
      .records;
  }
}

interface PlanCourse {
  readonly state: string;
  readonly name: string;
  readonly credits: number;
  readonly nature: string;
  readonly mark: string;
  readonly date: string;
}

interface Sums {
  readonly least: number;
  readonly gained: number;
  readonly taken: number;
  readonly passed: number;
  readonly failed: number;
  readonly missing: number;
}

const sumsIn = (text: string): Sums => {
  const [least = 0, gained = 0, taken = 0, passed = 0, failed = 0, missing = 0] = (
    /\(最低修读学分:.*\)$/.exec(text)?.[0].match(/[\d.]+/g) ?? []
  ).map(Number);
  return { least, gained, taken, passed, failed, missing };
};

/** The courses of a plan page by code; every sum of a category is checked on the way. */
const planCourses = (page: string): ReadonlyMap<string, PlanCourse> => {
  const nodes: Json[] = [...page.matchAll(/^ {6}(\{.*\}),$/gm)].map(([, node = '']) => JSON.parse(node));
  const courses = new Map<string, PlanCourse>();
  const below = (id: string): PlanCourse[] =>
    nodes
      .filter(({ pId }) => pId === id)
      .flatMap((node) => (node.flagType === 'kch' ? (courses.get(node.flagId) ?? []) : below(node.id)));
  for (const { flagType, flagId, name } of nodes) {
    if (flagType !== 'kch') continue;
    const found =
      /fa-(smile|frown|meh)-o.*\[(.+?)\](.+)\[([\d.]+)学分\]\((必修|选修|任选)(?:,(.+)\((\d{8})\))?\)$/.exec(name);
    const [, face = '', code, courseName = '', credits, nature = '', mark = '', date = ''] = found ?? [];
    expect(code, name).toBe(flagId);
    courses.set(flagId, { state: face, name: courseName, credits: Number(credits), nature, mark, date });
  }
  for (const { id, flagType, name } of nodes.filter((node) => node.flagType !== 'kch')) {
    expect(['001', '002']).toContain(flagType);
    const own = below(id);
    const [passed, failed] = ['smile', 'frown'].map((face) => own.filter((each) => each.state === face));
    expect(sumsIn(name), name).toMatchObject({
      gained: (passed ?? []).reduce((sum, { credits }) => sum + credits, 0),
      taken: (passed ?? []).length + (failed ?? []).length,
      passed: passed?.length,
      failed: failed?.length,
      missing: own.filter((each) => each.nature === '必修' && each.state === 'meh').length,
    });
  }
  return courses;
};

/** Weeks that words such as `2-18周双周` name, as a mask. */
const maskOf = (words: string): string => {
  const [, first, last, parity] = /^(\d+)-(\d+)周(?:(单|双)周)?$/.exec(words) ?? [];
  return Array.from({ length: 24 }, (_, index) => {
    const week = index + 1;
    const isNamed = week >= Number(first) && week <= Number(last);
    return isNamed && (parity === undefined || (parity === '单') === (week % 2 === 1)) ? '1' : '0';
  }).join('');
};

const words: Readonly<Record<string, number>> = { 优秀: 95, 良好: 85, 中等: 75 };
const numberIn = (mark: string): number | null => {
  const value = words[mark] ?? Number(mark);
  return Number.isFinite(value) ? value : null;
};
/** The mark that counts: the best number, else the word. */
const bestOf = (row: readonly Json[]): string =>
  [row[11], row[12]].reduce((best, mark) => (mark !== null && Number(mark) > Number(best) ? mark : best), row[10]);
const hasFailed = (row: readonly Json[]): boolean => (numberIn(bestOf(row)) ?? 60) < 60;
const pointOf = (value: number): number =>
  [90, 85, 82, 78, 75, 72, 68, 64, 60].reduce(
    (point, least, index) =>
      point === 0 && value >= least ? ([4, 3.7, 3.3, 3, 2.7, 2.3, 2, 1.5, 1][index] ?? 0) : point,
    0,
  );
const weighted = (rows: readonly (readonly Json[])[], figure: (value: number) => number): number => {
  const counted = rows.filter((row) => numberIn(bestOf(row)) !== null);
  const credits = counted.reduce((sum, row) => sum + Number(row[6]), 0);
  const total = counted.reduce((sum, row) => sum + figure(numberIn(bestOf(row)) ?? 0) * Number(row[6]), 0);
  return Math.round((total / credits) * 100) / 100;
};

/** Classes end with these; exams and the vacation follow. */
const TEACHING_WEEKS = 18;

const DAMAGE = /&#(?!39;)|&amp;|undefined|NaN/;

/** Facts of a class by code and sequence, from the page that was read first. */
class Facts {
  readonly #known = new Map<string, string>();

  agree(kind: string, key: string, value: unknown): void {
    const known = this.#known.get(`${kind} ${key}`);
    const text = JSON.stringify(value);
    if (known === undefined) this.#known.set(`${kind} ${key}`, text);
    else if (known !== text) expect(text, `${kind} of ${key}`).toBe(known);
  }
}

const facts = new Facts();

/** Compares without the price of an expectation that holds. */
const same = (told: unknown, expected: unknown, what: string): void => {
  if (told !== expected && JSON.stringify(told) !== JSON.stringify(expected)) expect(told, what).toEqual(expected);
};

/** The pages of each student as they were yesterday. */
const yesterday = new Map<string, string>();

/** Everything that academic affairs tell of one student on one day. */
const compareStudies = (reader: Reader): void => {
  const { present, student } = reader;
  const today = dayText(present.today).replaceAll('-', '');
  const [summary] = reader.json(academicSummary);
  const current: string = summary.zxjxjhh;
  const termPage = reader.text(termIndex);
  const options = [...termPage.matchAll(/<option value="([\d-]+)"( selected="selected")?>(.*?)<\/option>/g)];
  const terms = options.map(([, code = '']) => code);
  expect(terms).toEqual(terms.toSorted().toReversed());
  expect(options.filter(([, , selected]) => selected).map(([, code]) => code)).toEqual([current]);
  const name = options[0]?.[3]?.replace('（当前）', '') ?? '';
  expect(reader.json(selectionStatus).zxjxjhm).toBe(name);
  const home = reader.text(homePage);
  const rq = /rq = "(\d{8})"/.exec(reader.text(calendarPage))?.[1] ?? '';
  const firstDay = dayNumber(rq.replace(/(....)(..)(..)/, '$1-$2-$3')) ?? 0;
  const week = Math.floor((present.today - firstDay) / 7) + 1;
  const isVacation = week > present.term.weeks;
  expect(home).toContain(`${name.replace('学年', ' ')}  ${isVacation ? '假期' : `第${week}周`}   `);
  const calendar: Json[] = reader.json(examCalendar, { start: '2000-01-01', end: '2100-01-01' });
  if (calendar.length > 0 && week <= TEACHING_WEEKS && present.term.season !== 3)
    same(
      calendar.some(({ start }) => start >= dayText(present.today)),
      true,
      today,
    );
  // On most days nothing is new.
  const { evaluation: _ofTheTerm, ...told } = student.studies(present);
  const text = JSON.stringify([told, [...told.scores], [...told.exams.others], told.timetable(current)]);
  if (yesterday.get(student.userid) === text) return;
  yesterday.set(student.userid, text);
  const { section, sectionTime } = reader.json(sectionData, { planNumber: '', ff: 'f' });
  expect(section.zs).toBe(present.term.weeks);

  // The plans and their courses.
  const index = reader.text(planIndex);
  const ids = [...index.matchAll(/getPyfaIndex\(&#39;(\d+)&#39;\)/g)].map(([, id = '']) => id);
  const pages = ids.length === 0 ? [index] : ids.map((id) => reader.text(chosenPlan, {}, [id]));
  const titles = pages.map((page) => /widget-title">(.*?)</.exec(page)?.[1] ?? '');
  const listed: [string, string][] = reader.json(planList).data;
  expect(titles.map((title) => title.replace(/\(.*\)$/, '')).toSorted()).toEqual(
    listed.map(([plan]) => plan).toSorted(),
  );
  if (ids.length > 0) expect(ids.toSorted()).toEqual(listed.map(([, id]) => id).toSorted());
  const planned = new Map(pages.flatMap((page) => [...planCourses(page)]));

  // Timetables, term by term, and the scores of the same term.
  const rows = reader.scores('');
  expect(rows).toEqual(terms.flatMap((term) => reader.scores(term)));
  const grade = listed[0]?.[0].slice(0, 4);
  expect(terms.at(-1)).toBe(`${grade}-${Number(grade) + 1}-1-1`);
  for (const term of terms) {
    const { allUnits, xkxx, dateList } = reader.json(timetableData, { planCode: term }, 'schedule');
    const entries: Json[] = Object.values(xkxx[0]);
    expect(dateList.flatMap((plan: Json) => plan.selectCourseList)).toEqual(entries);
    expect(allUnits).toBe(entries.reduce((sum, { unit }) => sum + unit, 0));
    const taken = new Set<string>();
    const ofTerm = new Map(reader.scores(term).map((row) => [`${row[2]}_${row[3]}`, row]));
    for (const [key, row] of ofTerm) {
      same(row.length, 13, key);
      same(xkxx[0][key] !== undefined, true, key);
    }
    for (const entry of entries) {
      const key = `${entry.id.coureNumber}_${entry.id.coureSequenceNumber}`;
      facts.agree('name', key, entry.courseName);
      facts.agree('teacher', key, entry.attendClassTeacher);
      facts.agree('code', entry.id.coureNumber, [entry.courseName, key]);
      const plan = planned.get(entry.id.coureNumber);
      same([plan?.name, plan?.credits, plan?.nature], [entry.courseName, entry.unit, entry.coursePropertiesName], key);
      same(listed.find(([, id]) => id === entry.programPlanNumber)?.[0], entry.programPlanName, key);
      const row = ofTerm.get(key);
      same(row !== undefined, plan?.state !== 'meh', `a mark in ${term} of ${key}`);
      same(row !== undefined || term === current, true, `the mark of ${key}`);
      if (row) {
        const { courseName, unit, coursePropertiesName, examTypeName } = entry;
        const told = [term, courseName, unit, coursePropertiesName, examTypeName];
        same([row[1], row[4], Number(row[6]), row[8], row[9]], told, key);
        same(plan?.state, hasFailed(row) ? 'frown' : 'smile', key);
        same(numberIn(plan?.mark ?? '') ?? plan?.mark, numberIn(bestOf(row)) ?? bestOf(row), key);
        same((plan?.date ?? '') <= today, true, `${key} is marked ahead`);
      }
      const sessions = (entry.timeAndPlaceList ?? []).reduce(
        (sum: number, { classWeek, continuingSession }: Json) =>
          sum + continuingSession * classWeek.replaceAll('0', '').length,
        0,
      );
      if (row && sessions > 0) same(row[7], sessions, `the hours of ${key}`);
      facts.agree(
        'room',
        key,
        (entry.timeAndPlaceList ?? []).map((place: Json) => place.classroomName),
      );
      for (const place of entry.timeAndPlaceList ?? []) {
        const { classDay, classSessions, continuingSession, classWeek, weekDescription } = place;
        same(classWeek, maskOf(weekDescription), key);
        same(term === current && classWeek.slice(section.zs).includes('1'), false, key);
        same(place.classroomName.startsWith(place.teachingBuildingName), true, key);
        for (let session = classSessions; session < classSessions + continuingSession; session += 1) {
          same(session >= 1 && session <= sectionTime.length, true, key);
          same(taken.has(`${classDay} ${session}`), false, `two classes of ${term} at ${classDay}.${session}`);
          taken.add(`${classDay} ${session}`);
        }
      }
      if (term === current && plan?.date) expect(plan.date >= rq, `${key} is dated before its term`).toBe(true);
    }
  }
  const completed = [...planned].filter(([, { state: face }]) => face !== 'meh').map(([code]) => code);
  expect(completed.toSorted()).toEqual(rows.map((row) => row[2]).toSorted());

  // The summary counts and weighs the same rows.
  const currentCourses: Json = reader.json(timetableData, { planCode: current }, 'schedule').xkxx[0];
  expect(summary).toMatchObject({
    courseNum: rows.filter((row) => !hasFailed(row)).length,
    coursePas: rows.filter(hasFailed).length,
    courseNum_bxqyxd: Object.keys(currentCourses).length,
    gpa: weighted(rows, pointOf),
    sspjf_jd: weighted(rows, (value) => value),
  });
  expect(summary.sspjf_pm <= summary.sspjf_rs).toBe(true);

  // This term's marks and what they are made of.
  const [{ list }] = reader.json(thisTermScores, {}, 'this-term');
  expect(list.map((row: Json) => `${row.id.courseNumber}_${row.coureSequenceNumber}`).toSorted()).toEqual(
    Object.keys(currentCourses).toSorted(),
  );
  const ofThisTerm = reader.scores(current);
  for (const row of list) {
    const { executiveEducationPlanNumber: zxjxjhh, courseNumber: kch, examtime: kssj } = row.id;
    const entry = currentCourses[`${kch}_${row.coureSequenceNumber}`];
    expect([zxjxjhh, row.courseName, row.credit, row.coursePropertyName, row.examTypeName]).toEqual([
      current,
      entry.courseName,
      entry.unit,
      entry.coursePropertiesName,
      entry.examTypeName,
    ]);
    const score = ofThisTerm.find((each) => each[2] === kch);
    expect(row.courseScore, kch).toBe(score === undefined ? null : bestOf(score));
    if (score) expect([score[5], score[7]]).toEqual([row.englishCourseName, row.studyHour]);
    const plan = planned.get(kch);
    if (plan?.date) expect(plan.date).toBe(kssj);
    expect(kssj >= rq && (row.courseScore === null || kssj <= today), `${kch} at ${kssj}`).toBe(true);
    const { mx, xs } = reader.json(scoreComponents, { zxjxjhh, kch, kxh: row.coureSequenceNumber, kssj }, 'components');
    if (row.courseScore === null) expect(mx).toBeNull();
    else expect(String(mx[0].zcj)).toBe(row.courseScore);
    const [weights] = xs;
    if (mx === null || !weights || !Number.isFinite(Number(row.courseScore))) continue;
    const { usualScoreCoefficient: usual, midtermScoreCoefficient: middle, endtermScoreCoefficient: end } = weights;
    const [{ pscj, qzcj, qmcj, zcj }] = mx;
    expect(pscj * usual + qzcj * middle + qmcj * end).toBeCloseTo(zcj, 6);
    expect([row.gradePoint, row.rank !== undefined]).toEqual([pointOf(zcj), true]);
  }

  // Exams: of courses of this term, in its days, in the rooms of their classes, each with a place in the other list.
  const entries: Json[] = Object.values(currentCourses);
  const lastDay = dayText(firstDay + section.zs * 7 - 1);
  expect(calendar.map(({ title }) => title.split('\n')[0]).toSorted()).toEqual(
    entries
      .filter(({ examTypeName }) => examTypeName === '考试')
      .map(({ courseName }) => courseName)
      .toSorted(),
  );
  expect(new Set(calendar.map(({ title, start }) => `${start} ${title.split('\n')[1]}`)).size).toBe(calendar.length);
  const held = entries.flatMap(({ courseName, timeAndPlaceList }) =>
    (timeAndPlaceList ?? []).map((place: Json) => ({ ...place, courseName })),
  );
  const clock = (digits: string): string => `${digits.slice(0, 2)}:${digits.slice(2)}`;
  for (const { title, start } of calendar) {
    const [courseName, time] = title.split('\n');
    expect(time).toMatch(/^\d\d:\d\d-\d\d:\d\d$/);
    const [begin = '', end = ''] = time.split('-');
    const at = (dayNumber(start) ?? 0) - firstDay;
    const beside = held.filter(
      ({ classDay, classSessions, continuingSession, classWeek }) =>
        classDay === (at % 7) + 1 &&
        classWeek[Math.floor(at / 7)] === '1' &&
        clock(sectionTime[classSessions - 1].startTime) < end &&
        clock(sectionTime[classSessions + continuingSession - 2].endTime) > begin,
    );
    same(
      [time, beside.map((each) => each.courseName)],
      [time, []],
      `the exam of ${courseName} on ${start} beside classes`,
    );
  }
  const seats = reader.text(examPage);
  for (const { title, start } of calendar) {
    const [courseName, time, , room] = title.split('\n');
    const entry = entries.find((each) => each.courseName === courseName);
    expect(start.replaceAll('-', '') >= rq && start <= lastDay, start).toBe(true);
    expect(room).toBe(entry.timeAndPlaceList[0].classroomName);
    const at = seats.indexOf(`（${entry.id.coureNumber}-${entry.id.coureSequenceNumber}）${courseName}<`);
    expect(seats.slice(at, at + 400)).toContain(` ${start} 星期`);
    expect(seats.slice(at, at + 400)).toContain(` ${time}<br>`);
    expect(list.find((row: Json) => row.courseName === courseName).id.examtime).toBe(start.replaceAll('-', ''));
  }
  const others = reader.json(otherExams(state), { zxjxjhh: current, tab: '0', pageNum: '1', pageSize: '30' });
  expect(others.pageContext.totalCount).toBe(others.records?.length ?? 0);
  for (const other of others.records ?? []) {
    const entry = currentCourses[`${other.KCH}_${other.KXH}`];
    expect([other.KCM, other.ZXJXJHH, other.XM]).toEqual([entry.courseName, current, student.name]);
    expect(other.KSDD).toContain(entry.timeAndPlaceList[0].classroomName);
  }

  // Evaluated courses are attended, at the teacher in charge.
  const evaluation = reader.json(evaluationList(state), { optType: '1', pagesize: '50' });
  expect(evaluation.evaluationNum).toBe(evaluation.data.length);
  for (const { id, evaluatedPeople, evaluationContent } of evaluation.data) {
    const entry = currentCourses[`${id.evaluationContentNumber}_${id.coureSequenceNumber}`];
    expect([evaluationContent, evaluatedPeople]).toEqual([entry.courseName, entry.attendClassTeacher.split('*')[0]]);
    facts.agree('staff', evaluatedPeople, id.evaluatedPeople);
  }

  for (const page of [termPage, home, index, ...pages, seats]) expect(page).not.toMatch(DAMAGE);
};

/** Activity score and competitions: sums, and nothing from the future. */
const compareRest = ({ student, present }: Reader): void => {
  const today = dayText(present.today);
  const { total, categories }: Json = student.activityScore(student.userid, present);
  const sum = (list: Json[], member: string): number => list.reduce((all, each) => all + each[member], 0);
  expect(total.TotalScore).toBe(sum(categories, 'TotalScore'));
  for (const category of categories) {
    expect(category.TotalScore).toBe(sum(category.children, 'Score'));
    for (const { AddTime, UserNo } of category.children) {
      expect(AddTime.slice(0, 10) <= today, AddTime).toBe(true);
      expect(UserNo).toBe(student.userid);
    }
  }
  const { credits, rows } = student.awards(student.userid, student.name, present);
  const verified = rows.filter((row) => row[11] === '通过').reduce((all, row) => all + Number(row[8]), 0);
  expect(Number(credits[0]?.[2])).toBe(verified);
  expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length);
  for (const row of rows) {
    const date = (row[4] ?? '')
      .split('/')
      .map((part) => part.padStart(2, '0'))
      .join('-');
    expect(dayNumber(date) !== null && date <= today, date).toBe(true);
    expect([row[5], row[6]]).toEqual([student.userid, student.name]);
  }
};

describe('two students of the demo campus', () => {
  it('are told one story by academic affairs, activity score and competitions, on days of two years', () => {
    const students = new Students();
    // Every weekday, and every week of every term, has its turn.
    for (let day = 0; day < days; day += 5) {
      const present = presentAt(from + day * dayMs, true);
      students.beginTerm(present);
      for (const userid of ['2023000001', '2023000002']) {
        const student = students.get(userid);
        if (!student) throw new Error(userid);
        const reader = new Reader(student, present);
        compareStudies(reader);
        compareRest(reader);
      }
    }
  }, 120_000);

  it('have nothing evaluated on the first day of a term, and what was tested in class when that is over', () => {
    for (let day = 0; day < days; day += 1) {
      const present = presentAt(from + day * dayMs, true);
      const age = present.today - present.term.firstDay;
      if (age !== 0 && age !== 14) continue;
      const students = new Students();
      students.beginTerm(present);
      for (const userid of ['2023000001', '2023000002']) {
        const list = new Reader(students.get(userid) as DemoStudent, present).json(evaluationList(state), {
          optType: '1',
          pagesize: '50',
        });
        const done = list.data.filter(({ isEvaluated }: Json) => isEvaluated === '是').length;
        expect(done, `${userid} on ${dayText(present.today)}`).toBe(age > 0 && userid === '2023000001' ? 1 : 0);
      }
    }
  });

  it('buy electricity once: the card, its statement and the meter of the room tell of it alike', () => {
    let seen = 0;
    for (let hour = 0; hour < 60 * 24; hour += 7) {
      const now = from + hour * 60 * 60 * 1000;
      const present = presentAt(now, true);
      const metered = (recordsOf('010101', now)?.payments ?? []).map(({ time, amount }) => `${time} ${amount}`);
      const bought = ['2023000001', '2023000002'].flatMap((userid) => {
        const { purchases, transactions } = cardOf(userid, present);
        const paid = transactions.filter(({ cells }) => cells[4] === '自助购电');
        expect(paid.map(({ cells }) => [cells[0], cells[2]])).toEqual(
          purchases.map(({ cells }) => [cells[5]?.slice(0, 16), cells[4]]),
        );
        return purchases.map(({ cells: [, , , room, amount, time] }) => {
          expect(room).toBe('松园1号-101');
          return `${time} ${amount}元`;
        });
      });
      for (const each of bought) expect(metered).toContain(each);
      seen += bought.length;
    }
    expect(seen).toBeGreaterThan(100);
  });

  it('are told one story by the labor club, on days of every week', () => {
    let now = from;
    const world = new LaborWorld(
      () => now,
      () => true,
    );
    const clubs = new ClubWorld(() => now);
    const students = new Students();
    // The programme is a new one every week: from thirteen days to the next, every weekday has its turn.
    for (let day = 0; day < days; day += 13, now += 13 * dayMs) {
      for (const userid of ['2023000001', '2023000002']) {
        const student = students.get(userid) as DemoStudent;
        const joined = world.listJoined(student).map((activity) => activityRow(world, student, activity, now));
        expect(world.countFinished(student)).toBe(joined.filter(({ StateName }) => StateName === '已结束').length);
        const directory: Json[] = clubs.directory(student);
        const mine: Json[] = clubs.listJoined(student);
        expect(mine.map(({ ID }) => ID)).toEqual(directory.filter(({ IsJoin }) => IsJoin).map(({ ID }) => ID));
        for (const club of mine) expect(club).toMatchObject(pick(directory.find(({ ID }) => ID === club.ID)));
        for (const application of clubs.applications(student) as Json[]) {
          const club = directory.find(({ ID }) => ID === application.ClubID);
          expect(application.ClubName).toBe(club?.Name);
          if (application.IsAgree) expect(club?.IsJoin).toBe(true);
        }
        for (const number of [10, 11, 20]) {
          for (const activity of world.ofClub(clubId(number)).filter((_, index) => index % 9 < 4)) {
            const row = activityRow(world, student, activity, now);
            const detail: Json = detailOf(world, student, activity, now);
            const { StateName: _state, IsJson, ...told } = row;
            same({ ...detail.data, ...told }, detail.data, row.Title);
            same(detail.data.IsMember, IsJson === '1', row.Title);
            same(mineOf(joined, row.ID), IsJson === '1', row.Title);
            same(row.ClubName, directory.find(({ ID }) => ID === row.ClubID)?.Name, row.Title);
            const times = [row.AddTime, row.SignUpStartTime, row.SignUpEndTime, row.StartTime, row.EndTime];
            same(times, times.toSorted(), row.Title);
            same(row.MemberNum <= row.PeopleNum && (IsJson !== '1' || row.MemberNum > 0), true, row.Title);
            for (const item of activity.signItems) {
              const { StartTime, EndTime, IsSign, SignTime } = signRow(world, student, item);
              expect(StartTime >= row.StartTime && EndTime <= row.EndTime, row.Title).toBe(true);
              if (IsSign) expect((SignTime ?? '') >= StartTime && (SignTime ?? '') <= EndTime).toBe(true);
            }
          }
        }
      }
    }
  });
});

const mineOf = (joined: readonly { readonly ID: string }[], id: string): boolean => joined.some(({ ID }) => ID === id);

/** The members that both lists of clubs have. */
const pick = ({ IsJoin: _join, teacherData: _teachers, ...club }: Json) => club;
