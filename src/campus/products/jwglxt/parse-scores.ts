import { RecordRow, ScoreComponent } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import { isRecord } from '../../../lib/text.ts';
import type { ListedScore } from '../../contract/listed-scores.ts';
import { credits, int, type JsonObject, label, mark, optNum, optPoint, str } from '../../parsing/cells.ts';
import { attributeOf, htmlTokens } from '../../parsing/html-tokens.ts';
import { type ParsedRows, readersOf, readRows, records, unreadable } from '../../parsing/reading.ts';
import { clean, extend, plainMessage } from '../../parsing/text.ts';
import { pageReaders, readData, refuseWithoutRows } from './pages.ts';
import { termCodeInWords, termCodeOf } from './parse-terms.ts';
import { courseCode, courseName } from './parse-timetable.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

/** One page of a list, as the product answers with one. */
export interface GridPage<T> {
  readonly rows: readonly T[];
  readonly received: number;
  readonly dropped: number;
  /** Null: not stated. */
  readonly total: number | null;
  /** The numbers of the students whose rows they are, each once. */
  readonly owners: readonly string[];
}

/** @throws Failure `upstream-unreadable` for an answer without its list, which would look like an empty one */
export const readGrid = <T>(text: string, what: string, read: (row: JsonObject) => T | null): GridPage<T> => {
  const body = readData(text);
  if (!isRecord(body) || !Array.isArray(body.items)) throw unreadable(system, `${what} without a list`);
  if (body.items.length === 0) refuseWithoutRows(body);
  const owners = new Set<string>();
  const found: ParsedRows<T> = readRows(
    body.items,
    records({ system, what }, ['kcmc', 'kch'], (row) => {
      const owner = str(row.xh);
      if (owner !== '') owners.add(owner);
      return read(row);
    }),
  );
  const total = int(body.totalResult ?? body.totalCount, -1);
  return { ...found, total: total < 0 ? null : total, owners: [...owners] };
};

export interface JwglxtScore extends ListedScore {
  /** The kind of its examination where that is not the usual one; `""`: it is. */
  readonly occasion: string;
}

const unsaidOfRow = unsaidOf(RecordRow);
const isNumber = (text: string): boolean => /^\.?\d/.test(text);

const scoreOf = (row: JsonObject): JwglxtScore | null => {
  const [name, code] = [courseName(row), courseCode(row)];
  if (name === '' && code === '') return null;
  const [percent, cell] = [mark(row.bfzcj), mark(row.cj)];
  const score = cell || percent;
  const stated = isNumber(percent) ? percent : score;
  const occasion = label(row.ksxz);
  return {
    key: str(row.jxb_id),
    occasion: occasion === '正常考试' ? '' : occasion,
    row: {
      ...unsaidOfRow,
      term_id: termCodeOf(str(row.xnm), str(row.xqm)) ?? termCodeInWords(str(row.xnmmc), str(row.xqmmc)),
      course_code: code,
      course_class: label(row.jxbmc),
      course_name_cn: name,
      course_name_en: label(row.kcywmc),
      credits: credits(row.xf),
      course_type: label(row.kcxzmc),
      exam_type: label(row.khfsmc) || null,
      score,
      score_number: isNumber(stated) ? optNum(stated) : null,
      grade_point: optPoint(row.jd),
      grade_name: score === '' || isNumber(score) ? null : score,
    },
  };
};

export const parseScores = reader(
  'parseScores',
  (text: string): GridPage<JwglxtScore> => readGrid(text, 'scores', scoreOf),
);

/** The occasions whose mark goes with the usual row of the same class, and the member that takes it. */
const again = [
  ['补考', 'makeup_score'],
  ['重修', 'retake_score'],
] as const;
const repeatedMemberOf = ({ occasion }: JwglxtScore) => again.find(([word]) => occasion.startsWith(word))?.[1] ?? null;

const nameOccasion = (score: JwglxtScore): JwglxtScore =>
  score.occasion === '' ? score : { ...score, row: { ...score.row, exam_type: score.occasion } };

/**
 * Each class once: marks of make-ups and retakes go with the usual row of the same term, code and class. Without one, or
 * with several, they stay rows.
 */
export const mergeScores = (scores: readonly JwglxtScore[]): JwglxtScore[] => {
  const byClass = Map.groupBy(scores, ({ row }) =>
    row.course_code === '' || row.course_class === '' || row.term_id === null
      ? row
      : `${row.term_id}\n${row.course_code}\n${row.course_class}`,
  );
  return [...byClass.values()].flatMap((rows) => {
    const [usual, ...others] = rows.filter(({ occasion }) => occasion === '');
    if (usual === undefined || others.length > 0) return rows.map(nameOccasion);
    const merged = rows.filter((score) => repeatedMemberOf(score) !== null && score.row.score !== '');
    const marks = Object.fromEntries(merged.map((score) => [repeatedMemberOf(score), score.row.score]));
    return rows.flatMap((score) => {
      if (score === usual) return { ...usual, row: { ...usual.row, ...marks } };
      return merged.includes(score) ? [] : nameOccasion(score);
    });
  });
};

const unsaidOfComponent = unsaidOf(ScoreComponent);
const mostCells = 600;

/** The cells of the body of the table by rows; null: there is no such table, or only its beginning. */
const tableRows = (page: string): string[][] | null => {
  let rows: string[][] | null = null;
  let isOpen = false;
  let cells = 0;
  for (const token of htmlTokens(page)) {
    if (rows === null) {
      if (token.kind === 'open' && token.name === 'table' && attributeOf(token.attributes, 'id') === 'subtab')
        rows = [];
    } else if (token.kind === 'open' && token.name === 'tr') rows.push([]);
    else if (token.kind === 'open' && token.name === 'td') {
      if (++cells > mostCells) throw unreadable(system, 'too many components');
      isOpen = true;
      rows.at(-1)?.push('');
    } else if (token.kind === 'close' && token.name === 'table') return rows.map((row) => row.map(clean));
    else if (token.kind === 'close' && token.name === 'td') isOpen = false;
    else if (token.kind === 'text' && isOpen) {
      const row = rows.at(-1);
      if (row !== undefined && row.length > 0) row[row.length - 1] = extend(row.at(-1) ?? '', token.text, 500);
    }
  }
  return null;
};

const parts = [
  ['平时', 'regular'],
  ['期中', 'midterm'],
  ['期末', 'final'],
  ['总评', 'total'],
] as const;

const shareIn = (text: string): number | null => {
  const percent = /^(\d{1,3}(?:\.\d{1,4})?)\s?[%％]$/.exec(text)?.[1];
  return percent === undefined ? null : Number(percent) / 100;
};

/** Without rows there are none. What has no separate member is told in the remark. */
export const [componentsAlive, parseComponents] = pageReaders(
  ['componentsAlive', 'parseComponents'],
  'subtab',
  reader,
  (page): ScoreComponent[] => {
    // A row of one cell says that there is nothing.
    const rows = tableRows(page)?.filter((cells) => cells.length > 1);
    if (rows === undefined) throw unreadable(system, 'components without their table');
    if (rows.length === 0) return [];
    const found: Partial<Record<(typeof parts)[number][1], { mark: string | null; share: number | null }>> = {};
    const others: string[] = [];
    for (const [title = '', share = '', given = ''] of rows) {
      const name = title.replace(/^[【[]\s?|\s?[】\]]$/g, '');
      const part = parts.find(([word]) => name.includes(word))?.[1];
      const value = mark(given);
      if (part !== undefined && found[part] === undefined) found[part] = { mark: value || null, share: shareIn(share) };
      else others.push(`${name} ${value}${share === '' ? '' : ` (${share})`}`);
    }
    const { regular, midterm, final, total } = found;
    return [
      {
        ...unsaidOfComponent,
        score_type_code: '',
        regular: regular?.mark ?? null,
        midterm: midterm?.mark ?? null,
        final: final?.mark ?? null,
        total: total?.mark ?? null,
        regular_weight: regular?.share ?? null,
        midterm_weight: midterm?.share ?? null,
        final_weight: final?.share ?? null,
        remark: plainMessage(others.join('，')),
      },
    ];
  },
);
