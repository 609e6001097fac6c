import { RecordRow, ScoreComponent } from '../../../domain/academics/records.ts';
import { unsaidOf } from '../../../domain/record.ts';
import type { ListedScore } from '../../contract/listed-scores.ts';
import {
  credits,
  hasMinus,
  type JsonObject,
  label,
  mark,
  optCount,
  optLabel,
  optNum,
  optPoint,
  str,
} from '../../parsing/cells.ts';
import { readersOf } from '../../parsing/reading.ts';
import { readFlagOrNull } from '../../parsing/row-reader.ts';
import { readEmapRows } from './envelope.ts';
import { termCodeOf } from './parse-terms.ts';

const reader = readersOf(import.meta.url);
const unsaidOfRow = unsaidOf(RecordRow);
const unsaidOfComponent = unsaidOf(ScoreComponent);

export interface EmapScore extends ListedScore {
  readonly components: readonly ScoreComponent[];
}

/** Null for a part that there is none of, which codes such as -701 say as well. */
const partOf = (value: unknown): string | null => {
  const text = mark(value);
  return text === '' || hasMinus(text) ? null : text;
};

/** `40`, `40%` and `0.4` → 0.4. */
const shareOf = (percent: unknown): number | null => {
  const number = optPoint(str(percent).replace(/\s?[%％]$/, ''));
  return number === null ? null : number > 1 ? number / 100 : number;
};

const componentsOf = (row: JsonObject): ScoreComponent[] => {
  const [regular, midterm, final] = [partOf(row.PSCJ), partOf(row.QZCJ), partOf(row.QMCJ)];
  const experiment = partOf(row.SYCJ);
  if (regular === null && midterm === null && final === null && experiment === null) return [];
  return [
    {
      ...unsaidOfComponent,
      score_type_code: '',
      regular,
      midterm,
      final,
      total: partOf(row.ZCJ),
      remark: experiment === null ? '' : `实验 ${experiment}`,
      regular_weight: shareOf(row.PSCJXS),
      midterm_weight: shareOf(row.QZCJXS),
      final_weight: shareOf(row.QMCJXS),
    },
  ];
};

const scoreOf = (row: JsonObject): EmapScore | null => {
  const course_code = str(row.KCH);
  const course_name_cn = label(row.XSKCM) || label(row.KCM);
  if (course_code === '' && course_name_cn === '') return null;
  const score = mark(row.ZCJ);
  return {
    key: str(row.JXBID),
    row: {
      ...unsaidOfRow,
      term_id: termCodeOf(str(row.XNXQDM)) || null,
      course_code,
      course_class: str(row.KXH),
      course_name_cn,
      course_name_en: '',
      credits: credits(row.XF),
      hours: optCount(row.XS),
      course_type: label(row.KCXZDM_DISPLAY),
      exam_type: optLabel(row.KSLXDM_DISPLAY),
      score,
      score_number: /^[\d.]/.test(score) ? optNum(score) : null,
      grade_point: optPoint(row.XFJD),
      not_passed_reason: readFlagOrNull(row.SFJG) === false ? optLabel(row.TSYYDM_DISPLAY) : null,
    },
    components: componentsOf(row),
  };
};

/** A retake is a row of the term in which it was taken. */
export const parseScores = reader('parseScores', (text: string) =>
  readEmapRows(text, { names: ['xscjcx'], members: ['KCH', 'KCM', 'XSKCM'], isPaged: true, read: scoreOf }),
);
