import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCourseTable, parseSections } from '../../src/campus/products/urp/parse-schedule.ts';
import { parseScoreData } from '../../src/campus/products/urp/parse-scores.ts';
import { parseScoreIndex } from '../../src/campus/products/urp/parse-segments.ts';
import { parseAcademicSummary } from '../../src/campus/products/urp/parse-student.ts';
import { parseTermList } from '../../src/campus/products/urp/parse-terms.ts';
import { scoreRows } from './load.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../test/fixtures/urp', name), 'utf8');

const scorePage = (rows: number): string =>
  JSON.stringify({
    list: {
      pageSize: rows,
      pageNum: 1,
      pageContext: { totalCount: rows },
      records: scoreRows
        .slice(0, rows)
        .map((row) => [
          row.sequence,
          row.term_id,
          row.course_code,
          row.course_class,
          row.course_name_cn,
          row.course_name_en,
          row.credits,
          row.hours,
          row.course_type,
          row.exam_type,
          row.score,
          row.retake_score,
          row.makeup_score,
        ]),
    },
  });

const pages: Array<[string, string, (text: string) => unknown]> = [
  ['score page, 500 rows', scorePage(500), parseScoreData],
  ['score page, 100 rows', scorePage(100), parseScoreData],
  ['course table', fixture('courses.json'), parseCourseTable],
  ['sections', fixture('sections.json'), parseSections],
  ['term list', fixture('calendar.html'), parseTermList],
  ['score index', fixture('score-index.html'), parseScoreIndex],
  ['academic summary', fixture('academic-summary.json'), parseAcademicSummary],
];

/** Throughput of each page parser over its fixture. */
export const measureParsers = (): string[] =>
  pages.map(([name, text, parse]) => {
    const bytes = Buffer.byteLength(text);
    const rounds = Math.max(200, Math.floor(8_000_000 / bytes));
    for (let i = 0; i < rounds / 4; i += 1) parse(text);
    const start = performance.now();
    for (let i = 0; i < rounds; i += 1) parse(text);
    const seconds = (performance.now() - start) / 1000;
    const each = (seconds / rounds) * 1000;
    return `${name.padEnd(30)} ${((bytes * rounds) / seconds / 1e6).toFixed(1)} MB/s, ${each.toFixed(3)} ms a page of ${bytes} bytes`;
  });
