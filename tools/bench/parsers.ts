import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectOddities } from '../../src/campus/parsing/oddities.ts';
import * as eams5Scores from '../../src/campus/products/eams5/parse-scores.ts';
import * as eams5Timetable from '../../src/campus/products/eams5/parse-timetable.ts';
import * as emapScores from '../../src/campus/products/emap/parse-scores.ts';
import * as emapTimetable from '../../src/campus/products/emap/parse-timetable.ts';
import * as jwglxtScores from '../../src/campus/products/jwglxt/parse-scores.ts';
import * as jwglxtTimetable from '../../src/campus/products/jwglxt/parse-timetable.ts';
import { parseCourseTable, parseSections } from '../../src/campus/products/urp/parse-schedule.ts';
import { parseScoreData } from '../../src/campus/products/urp/parse-scores.ts';
import { parseScoreIndex } from '../../src/campus/products/urp/parse-segments.ts';
import { parseAcademicSummary } from '../../src/campus/products/urp/parse-student.ts';
import { parseTermList } from '../../src/campus/products/urp/parse-terms.ts';
import { median } from './alternating.ts';
import * as made from './parser-pages.ts';

type Read = (text: string) => unknown;

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../test/fixtures/urp', name), 'utf8');

const pages: ReadonlyArray<readonly [string, string, Read]> = [
  ['urp scores, 500 rows', made.urpScores(500), parseScoreData],
  ['urp scores, 100 rows', made.urpScores(100), parseScoreData],
  ['jwglxt scores, 500 rows', made.jwglxtScores(500), jwglxtScores.parseScores],
  ['eams5 scores, 500 rows', made.eams5Scores(500), eams5Scores.parseScores],
  ['emap scores, 500 rows', made.emapScores(500), emapScores.parseScores],
  ['urp timetable, 60 places', made.urpTimetable(60), parseCourseTable],
  ['jwglxt timetable, 60 rows', made.jwglxtTimetable(60), jwglxtTimetable.parseTimetable],
  ['eams5 timetable, 60 rows', made.eams5Timetable(60), eams5Timetable.parseTimetable],
  ['emap timetable, 60 rows', made.emapTimetable(60), emapTimetable.parseTimetable],
  ['urp course table', fixture('courses.json'), parseCourseTable],
  ['urp sections', fixture('sections.json'), parseSections],
  ['urp term list', fixture('calendar.html'), parseTermList],
  ['urp score index', fixture('score-index.html'), parseScoreIndex],
  ['urp academic summary', fixture('academic-summary.json'), parseAcademicSummary],
];

/** Processor time of one call, in ms. */
const timeOf = (rounds: number, run: () => unknown): number => {
  const start = process.cpuUsage();
  for (let i = 0; i < rounds; i += 1) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / rounds;
};

const LAPS = 15;

/** Processor time of each reader, in alternating rounds with `JSON.parse` alone where the page is JSON. */
export const measureParsers = (): string[] =>
  pages.map(([name, text, parse]) => {
    const bytes = Buffer.byteLength(text);
    const rounds = Math.max(40, Math.floor(2_000_000 / bytes));
    const read = () => collectOddities(() => parse(text));
    const isJson = /^\s*[[{]/.test(text);
    const [readings, plain]: [number[], number[]] = [[], []];
    for (let lap = -3; lap < LAPS; lap += 1) {
      const reading = timeOf(rounds, read);
      const bare = isJson ? timeOf(rounds, () => JSON.parse(text)) : 0;
      if (lap < 0) continue;
      readings.push(reading);
      plain.push(bare);
    }
    const each = median(readings);
    const share = isJson ? `, of which JSON.parse ${median(plain).toFixed(3)}` : '';
    return `${name.padEnd(28)} ${each.toFixed(3)} ms of processor time${share}; ${bytes} bytes, ${(bytes / each / 1000).toFixed(1)} MB/s`;
  });
