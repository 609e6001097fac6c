import { failures } from '../../../domain/errors.ts';
import {
  type ActivityDetail,
  ActivityFacts,
  ActivityTeacher,
  ApprovalStep,
  ClubApplication,
  DirectoryClub,
  FormField,
  JoinedClub,
  LaborActivity,
  PageInfo,
  SignItem,
} from '../../../domain/labor-club/records.ts';
import { isRecord } from '../../../lib/text.ts';
import type { ListPage } from '../../contract/kit.ts';
import type { TicketEnvelope } from '../../contract/ticket-application.ts';
import { int, type JsonObject, num, obj, optCount, saysSomething } from '../../parsing/cells.ts';
import { belowRows, elementsOf, type ParsedRows, readRows, records, unreadable } from '../../parsing/reading.ts';
import {
  readEither,
  readFlag,
  readFlagOrNull,
  readText,
  refuseOddNumbers,
  rowReader,
  subjectOf,
} from '../../parsing/row-reader.ts';

const system = 'labor-club';

interface LdjlbPage<T> extends ListPage<T>, ParsedRows<T> {
  /** The page count that the answer states; null when it states none. */
  readonly page: PageInfo | null;
  readonly rows: T[];
}

/** `{TotalItemCount, PageSize, CurrentPageIndex}`. */
const statedPage = (info: unknown): PageInfo | null => {
  if (!isRecord(info)) return null;
  refuseOddNumbers(PageInfo, info, system, 'page count');
  return {
    TotalItemCount: int(info.TotalItemCount),
    PageSize: int(info.PageSize, 20),
    CurrentPageIndex: int(info.CurrentPageIndex, 1),
  };
};

/**
 * How an answer `{data: […], pageInfo}` is read.
 * @throws Failure `upstream-unreadable` when `data` is neither a list of such rows nor null
 */
const listReader =
  <T>(what: string, members: readonly string[], read: (row: JsonObject) => T | null) =>
  ({ data, body: { pageInfo } }: TicketEnvelope): LdjlbPage<T> => ({
    ...readRows(belowRows(data), records({ system, what }, members, read)),
    page: statedPage(pageInfo),
    total: optCount(obj(pageInfo).TotalItemCount),
  });

const activityOf = rowReader(LaborActivity);

export const parseActivities = listReader('activities', ['ID', 'Title'], (row) =>
  subjectOf(activityOf(row), 'ID', 'Title'),
);

const signItemOf = rowReader(SignItem, { Type: (row) => int(row.Type, 1) });

export const parseSignItems = listReader('sign-in items', ['ID', 'StartTime'], (row) =>
  subjectOf(signItemOf(row), 'ID', 'StartTime'),
);

const projectName = (row: JsonObject): string => readText(readEither(row, 'PorjectName', 'ProjectName'));

/** Three members are misspelled upstream; in case that is fixed, the right names are read too. */
const clubOf = rowReader(JoinedClub, {
  PorjectName: projectName,
  CairmanName: (row) => readText(readEither(row, 'CairmanName', 'ChairmanName')),
  DpeartName: (row) => readText(readEither(row, 'DpeartName', 'DepartName')),
  IsEnable: (row) => readFlag(row.IsEnable, true),
});

export const parseClubs = listReader('clubs', ['ID', 'Name'], (row) => subjectOf(clubOf(row), 'ID', 'Name'));

/** Unlike in the list of joined clubs, a club that does not say that it is open cannot be applied for. */
const directoryClubOf = rowReader(DirectoryClub, { PorjectName: projectName });

/** Rows without id or name are dropped. */
export const parseDirectory = listReader('directory rows', ['ID', 'Name'], (row) => {
  const club = directoryClubOf(row);
  return club.ID === '' || club.Name === '' ? null : club;
});

/** Keeps the first of the clubs whose ids are equal, ignoring case. */
export const uniqueClubs = (clubs: readonly DirectoryClub[]): DirectoryClub[] => {
  const byId = new Map<string, DirectoryClub>();
  for (const club of clubs) if (!byId.has(club.ID.toLowerCase())) byId.set(club.ID.toLowerCase(), club);
  return [...byId.values()];
};

/** A boolean in its encodings, or in words; null for anything else. */
const readAgreed = (value: unknown): boolean | null => {
  const word = readText(value).trim();
  if (['通过', '同意'].includes(word)) return true;
  return ['拒绝', '驳回', '未通过', '失效'].includes(word) ? false : readFlagOrNull(value);
};

/** Some members go by further names in answers that one client has met; every application has one of the four. */
const applicationOf = rowReader(ClubApplication, {
  ClubID: (row) => readText(readEither(row, 'ClubID', 'ClubId')),
  ClubName: (row) => readText(readEither(row, 'ClubName', 'Name')),
  ReplyComment: (row) => readText(readEither(row, 'ReplyComment', 'ExamComment', 'Reply')),
  IsAgree: (row) => readAgreed(row.IsAgree),
  StateName: (row) => readText(readEither(row, 'StateName', 'StatusName', 'ApplyStateName')),
});

export const parseApplications = listReader('club applications', ['ID', 'ClubID', 'ClubId', 'IsAgree'], (row) =>
  subjectOf(applicationOf(row), 'ID', 'ClubID', 'ClubName'),
);

const activityFactsOf = rowReader(ActivityFacts);
const fieldOf = rowReader(FormField, { FieldType: (row) => int(row.FieldType, 1) });
const stepOf = rowReader(ApprovalStep);
const teacherOf = rowReader(ActivityTeacher);

const rowsOf = <T>(value: unknown, what: string, read: (row: JsonObject) => T | null): T[] =>
  readRows(belowRows(value), records({ system, what }, [], read)).rows;

/**
 * `{data, formData, flowData, VenueReserveData, teacherList}`: four lists beside `data`, each possibly null.
 * @throws Failure `upstream-empty` without `data`; `upstream-unreadable`
 */
export const parseDetail = ({ code, data, body }: TicketEnvelope): ActivityDetail => {
  if (data === null || data === undefined) throw failures.upstreamEmpty(system, 'no activity');
  if (!isRecord(data)) throw unreadable(system, 'activity is no object');
  const facts = subjectOf(activityFactsOf(data), 'ID', 'Title');
  if (facts === null) throw unreadable(system, 'activity without its members');
  refuseOddNumbers(ActivityFacts, data, system, 'activity');
  return {
    code,
    data: facts,
    formData: rowsOf(body.formData, 'form fields', (row) => subjectOf(fieldOf(row), 'ID', 'Name', 'Value')),
    flowData: rowsOf(body.flowData, 'approval steps', (row) =>
      subjectOf(stepOf(row), 'ID', 'FlowTypeName', 'UserName', 'ExamUserName'),
    ),
    VenueReserveData: elementsOf(belowRows(body.VenueReserveData), { system, what: 'venues' }),
    teacherList: rowsOf(body.teacherList, 'teachers', (row) => subjectOf(teacherOf(row), 'ID', 'UserName', 'UserNo')),
  };
};

/** One activity is a tenth of the requirement, in percent. */
const PERCENT_PER_ACTIVITY = 10;

/** @throws Failure `upstream-unreadable` for anything but a number: it would be shown as no activity */
const fromPercentage = (progress: unknown): number => {
  const percentage = saysSomething(progress) ? num(progress, Number.NaN) : 0;
  if (Number.isNaN(percentage)) throw unreadable(system, 'progress is no number');
  return Math.max(0, Math.floor(percentage / PERCENT_PER_ACTIVITY));
};

/**
 * The number of finished activities: a number or its text; null and `""` are none. Some answers carry the percentage
 * instead, `{Progress}`.
 * @throws Failure `upstream-unreadable`
 */
export const parseFinishedCount = (data: unknown): number => {
  if (!saysSomething(data)) return 0;
  if (isRecord(data) && 'Progress' in data) return fromPercentage(data.Progress);
  const count = int(data, -1);
  if (count < 0) throw unreadable(system, 'finished count is no number');
  return count;
};

/**
 * `{SumScore, Progress}`, the other answer in which the campus says the same.
 * @throws Failure `upstream-empty`, `upstream-unreadable`
 */
export const parseScoreInfo = (data: unknown): number => {
  if (data === null || data === undefined) throw failures.upstreamEmpty(system);
  if (!isRecord(data) || !('Progress' in data)) throw unreadable(system, 'score info without progress');
  return fromPercentage(data.Progress);
};
