import type { Exam } from '../../domain/academics/exams.ts';
import { isRecord } from '../../lib/records.ts';
import { isoDateOr } from '../parsing/dates.ts';
import { readJson } from '../parsing/json.ts';
import { readRows } from '../parsing/list-rows.ts';
import { hasAnyOf, label, str } from '../parsing/scalars.ts';
import { collapse } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';

const longestTitle = 2_000;

/** Null is a title too: the campus writes it for entries without a course. */
const hasTitle = (item: unknown): boolean => hasAnyOf(item, ['title']);

const toExam = (item: unknown): Exam | null => {
  if (!isRecord(item) || typeof item.title !== 'string') return null;
  const lines = item.title
    .slice(0, longestTitle)
    .trim()
    .split('\n')
    .map((line) => collapse(label(line)));
  const [courseName = '', time = '', ...places] = lines;
  if (courseName === '') return null;
  const start = str(item.start).slice(0, 10);
  const location = places.filter((place) => place !== '').join(' ');
  return { courseName, date: isoDateOr(start), time, location, kind: 'university', note: '' };
};

/**
 * Calendar events `[{title: "<course>\n<time>\n<place>…", start: "2026-01-09"}]`; the lone `]` is how the campus writes
 * an empty list. Events without a course are dropped.
 * @throws Failure `upstream-unreadable`, also for events of which none has a title: they would look like "no exams"
 */
export const parseUniversityExams = (text: string): { exams: Exam[]; dropped: number } => {
  if (text.replace('\uFEFF', '').trim() === ']') return { exams: [], dropped: 0 };
  const body = readJson(text, 'academics');
  if (!Array.isArray(body)) throw unreadable('academics', 'exam calendar is no list');
  const kind = { system: 'academics', what: 'exams', most: 1_000, isOurs: hasTitle, read: toExam } as const;
  const { rows: exams, dropped } = readRows(body, kind);
  return { exams, dropped };
};
