import type { ScorePage, ScoreRecord } from '../../domain/academics/types.ts';
import { isRecord } from '../../lib/records.ts';
import { readJsonObject } from '../parsing/json.ts';
import { int, obj, optStr, payloadList, str } from '../parsing/scalars.ts';
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
/** Far above the 100 rows a page may be asked for; more is not an answer to our question. */
const mostRows = 5_000;

const toRecord = (row: readonly unknown[]): ScoreRecord => ({
  sequence: int(row[0]),
  termCode: str(row[1]),
  courseCode: str(row[2]),
  courseClass: str(row[3]),
  courseName: str(row[4]),
  courseNameEnglish: str(row[5]),
  credits: str(row[6]),
  hours: int(row[7]),
  courseType: str(row[8]),
  examType: str(row[9]),
  score: str(row[10]),
  retakeScore: optStr(row[11]),
  makeupScore: optStr(row[12]),
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
  const rows = payloadList(list.records);
  if (rows === null) throw unreadable('academics', 'score rows of the wrong type');
  if (rows.length > mostRows) throw unreadable('academics', 'too many score rows');
  const records: ScoreRecord[] = [];
  for (const row of rows) if (Array.isArray(row) && row.length >= fewestCells) records.push(toRecord(row));
  // A single row that is too short is left out, like any other one.
  const isOneRow = rows.length <= 1 && rows.every(Array.isArray);
  if (records.length === 0 && !isOneRow) throw unreadable('academics', 'score rows of another shape');
  const total = int(obj(list.pageContext).totalCount, -1);
  return {
    kind: 'page',
    page: {
      page: int(list.pageNum, 1),
      pageSize: int(list.pageSize, 50),
      totalCount: total >= 0 ? total : rows.length,
      records,
    },
    totalStated: total >= 0,
    received: rows.length,
    dropped: rows.length - records.length,
  };
};
