import type { ScorePage, ScoreRecord } from '../../domain/academics/records.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { readRows } from '../parsing/list-rows.ts';
import { int, label, obj, optStr, str } from '../parsing/scalars.ts';
import { plainMessage } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { tellsError } from './error-marks.ts';

type ScoreAnswer =
  | {
      readonly kind: 'page';
      readonly page: ScorePage;
      /** False when the upstream named no total and the number of rows stands in for it. */
      readonly totalStated: boolean;
      /** Rows on the page, unusable ones included: what paging has to count. */
      readonly received: number;
      readonly dropped: number;
    }
  /** The segment is no longer good, or the application refused. */
  | { readonly kind: 'stale'; readonly message: string };

/** Two cells (retake and make-up) may be missing at the end of a row. */
const fewestCells = 11;

const toRecord = (row: readonly unknown[]): ScoreRecord => ({
  sequence: int(row[0]),
  term_id: str(row[1]),
  course_code: str(row[2]),
  course_class: str(row[3]),
  course_name_cn: label(row[4]),
  course_name_en: label(row[5]),
  credits: str(row[6]),
  hours: int(row[7]),
  course_type: label(row[8]),
  exam_type: label(row[9]),
  score: str(row[10]),
  retake_score: optStr(row[11]),
  makeup_score: optStr(row[12]),
});

/**
 * `{list: {pageSize, pageNum, pageContext: {totalCount}, records: [[…13 cells…]]}}`. A missing or null list is a term
 * without scores; odd cells become their default and the row stays, rows of fewer than 11 cells are dropped.
 * @throws Failure `upstream-unreadable`, also for rows of which none can be read: they would look like "no scores"
 */
export const parseScoreData = (text: string): ScoreAnswer => {
  const body = readJsonObject(text, 'academics');
  if (Object.keys(body).length === 0) throw unreadable('academics', 'score answer is an empty object');
  const absent = body.list === undefined || body.list === null;
  if (str(body.result).toLowerCase() === 'error' || (absent && tellsError(body))) {
    return { kind: 'stale', message: plainMessage(body.msg) || plainMessage(body.errorMessage) };
  }
  if (!absent && !isRecord(body.list)) throw unreadable('academics', 'score list of the wrong type');
  const list = obj(body.list);
  const { rows, received, dropped } = readRows(list.records, {
    system: 'academics',
    what: 'score rows',
    // A single row that is too short is left out, like any other one.
    isOurs: (row, count) => Array.isArray(row) && (count === 1 || row.length >= fewestCells),
    read: (row) => (Array.isArray(row) && row.length >= fewestCells ? toRecord(row) : null),
  });
  const total = int(obj(list.pageContext).totalCount, -1);
  return {
    kind: 'page',
    page: {
      page_size: int(list.pageSize, 50),
      page_num: int(list.pageNum, 1),
      total_count: total >= 0 ? total : received,
      records: rows,
    },
    totalStated: total >= 0,
    received,
    dropped,
  };
};
