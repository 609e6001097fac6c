import { Type } from '@sinclair/typebox';
import type { CallContext, Student } from '../../../domain/context.ts';
import { isFailure } from '../../../domain/errors.ts';
import type {
  ClubActivitiesQuery,
  ClubJoining,
  LaborClubCampus,
  Scan,
  SignUp,
} from '../../../domain/labor-club/reads.ts';
import type { LaborActivities, PageInfo, SignItems } from '../../../domain/labor-club/records.ts';
import { isRecord } from '../../../lib/text.ts';
import { address, application, service } from '../../contract/driver.ts';
import { readAllPages, rowsOfPages } from '../../contract/kit.ts';
import { type Ask, type TicketAccess, TicketApplication } from '../../contract/ticket-application.ts';
import type { UpstreamRequest } from '../../contract/upstream-session.ts';
import { ticketRow } from '../../contract/upstreams.ts';
import { unreadable } from '../../parsing/reading.ts';
import {
  eachOnce,
  parseActivities,
  parseApplications,
  parseClubs,
  parseDetail,
  parseDirectory,
  parseFinishedCount,
  parseScoreInfo,
  parseSignItems,
} from './parse-answers.ts';

type Form = ReadonlyArray<readonly [name: string, value: string]>;

const post = (page: string, path: string, form: Form = []): UpstreamRequest => ({
  page,
  method: 'POST',
  path,
  // A client may send half a character, which no form can carry.
  form: form.map(([name, value]) => [name, value.toWellFormed()] as const),
  expect: 'json',
});

/** Rows per page where all pages are read. */
const mostRows = 100;

type PageAsked = Pick<ClubActivitiesQuery, 'page' | 'pageSize'>;

/** The number of a page, of the largest ones. */
const large = (page: number): PageAsked => ({ page, pageSize: mostRows });

const ofPage = ({ page, pageSize }: PageAsked): Form => [
  ['pageIndex', String(page)],
  ['pageSize', String(pageSize)],
];

const paging = (what: string, mostPages = 50) =>
  ({ system: 'labor-club', what, size: mostRows, mostPages, repeatsLast: true }) as const;

const directoryRequest = (asked: PageAsked): UpstreamRequest =>
  post('club-directory', '/User/Club/DoGetPageList?sf_request_type=ajax', ofPage(asked));

/** The cheapest read, which also verifies a ticket before a write. */
const joinedClubsRequest = post('joined-clubs', '/User/Club/DoGetJoinList?sf_request_type=ajax');

/**
 * Reads how many pages there are. Where the campus does not say, the pages before were full.
 * @throws Failure `upstream-unreadable` for a first page that counts rows and has none: an empty list would hide them
 */
const pageInfoOf = (
  { received, page, total }: Pick<ReturnType<typeof parseActivities>, 'received' | 'page' | 'total'>,
  { page: index, pageSize: size }: PageAsked,
): PageInfo => {
  if (index === 1 && received === 0 && (total ?? 0) > 0) throw unreadable('labor-club', 'no rows in spite of a total');
  const counted = received === 0 ? 0 : (index - 1) * size + received;
  return page ?? { TotalItemCount: counted, PageSize: size, CurrentPageIndex: index };
};

/** Collects the details of a scan answer: texts as they are, every other value as its JSON text. */
const scanDetails = (data: unknown): Readonly<Record<string, string>> =>
  isRecord(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
    : {};

/** A refusal that the result has a member for becomes that result; all others stay failures. */
const orRefusal = async <T>(work: Promise<T>, refused: (code: number) => T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error, 'upstream-refused') && error.upstreamCode !== undefined) return refused(error.upstreamCode);
    throw error;
  }
};

/** How a scanned QR code is sent: the campus's own clients differ. */
type ScanBody = 'form' | 'json';

const readFinishedCount = (ask: Ask): Promise<number> =>
  ask(post('finish-count', '/User/Activity/GetMyFinishCount?sf_request_type=ajax'), ({ data }) =>
    parseFinishedCount(data),
  );

/** The same path as at the activity score system, with other members. */
const readScoreInfo = (ask: Ask): Promise<number> =>
  ask(post('score-info', '/User/Center/DoGetScoreInfo'), ({ data }) => parseScoreInfo(data));

/** Some campuses lack the count's address or do not answer there; the percentage says the same. */
const hasNoCount = (error: unknown): boolean =>
  (isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 404) ||
  (isFailure(error, 'upstream-refused') && error.upstreamCode !== undefined);

const readJoinedActivities = async (ask: Ask): Promise<LaborActivities> => {
  let first: PageInfo | null = null;
  const { pages, asked, total } = await readAllPages(paging('activity'), async (number) => {
    const path = '/User/Activity/DoGetJoinPageList?sf_request_type=ajax';
    const answer = await ask(post('joined-activities', path, ofPage(large(number))), parseActivities);
    first ??= answer.page;
    return answer;
  });
  const data = rowsOfPages(pages);
  const count = Math.max(total ?? 0, data.length);
  const merged = { TotalItemCount: count, PageSize: mostRows, CurrentPageIndex: 1 };
  return { data, pageInfo: asked === 1 ? (first ?? merged) : merged };
};

const readClubActivities = async (ask: Ask, { clubId, ...asked }: ClubActivitiesQuery): Promise<LaborActivities> => {
  const form: Form = [['clubID', clubId], ...ofPage(asked)];
  const path = '/User/Activity/DoGetPageList?sf_request_type=ajax';
  const answer = await ask(post('club-activities', path, form), parseActivities);
  return { data: answer.rows, pageInfo: pageInfoOf(answer, asked) };
};

const readDirectoryPage = async (ask: Ask, asked: PageAsked) => {
  const answer = await ask(directoryRequest(asked), parseDirectory);
  return { data: eachOnce(answer.rows), pageInfo: pageInfoOf(answer, asked) };
};

/** More than 20 pages of clubs are not a usable directory. */
const readDirectory = async (ask: Ask) => {
  const read = (number: number) => ask(directoryRequest(large(number)), parseDirectory);
  return eachOnce((await readAllPages(paging('club', 20), read)).pages.flat());
};

const readClubApplications = async (ask: Ask) => {
  const read = (number: number) =>
    ask(post('club-applications', '/User/Center/DoGetApplyClubList', ofPage(large(number))), parseApplications);
  return rowsOfPages((await readAllPages(paging('application'), read)).pages);
};

const readSignItems = async (ask: Ask, activityId: string): Promise<SignItems> => {
  const { pages } = await readAllPages(paging('sign-in'), async (number) => {
    const form: Form = [['activityID', activityId], ['type', '1'], ...ofPage(large(number))];
    return { ...(await ask(post('sign-items', '/User/Activity/DoGetSignList', form), parseSignItems)), total: null };
  });
  return { code: 0, data: rowsOfPages(pages) };
};

const noDetail = { data: null, formData: [], flowData: [], VenueReserveData: [], teacherList: [] };

const signUpRequest = ({ activityId, reason }: SignUp): UpstreamRequest =>
  post('sign-up', '/User/Activity/DoApplyJoin?sf_request_type=ajax', [
    ['activityID', activityId],
    ['reason', reason],
  ]);

/** Its `Reason` has a capital letter, unlike that of the sign-up. */
const joinRequest = ({ clubId, reason }: ClubJoining): UpstreamRequest =>
  post('join-club', '/User/Club/DoApplyJoin', [
    ['clubID', clubId],
    ['Reason', reason],
  ]);

const scanRequest = ({ content, location }: Scan, body: ScanBody): UpstreamRequest => {
  const path = '/User/Center/DoScanSignQRImage';
  if (body === 'json') return { page: 'scan', method: 'POST', path, jsonBody: { content, location }, expect: 'json' };
  return post('scan', path, [
    ['content', content],
    ['location', location],
  ]);
};

/** Reads and three writes. */
export const createLdjlbClient = ({ scanBody, ...access }: TicketAccess & { scanBody: ScanBody }): LaborClubCampus => {
  const tickets = new TicketApplication('ldjlb', 'labor-club', access);
  const write = async (student: Student, context: CallContext, request: UpstreamRequest) => {
    const { code, message, data } = await tickets.write(student, context, request, joinedClubsRequest);
    return { decision: { code, message }, data };
  };
  return {
    async finishedCount(student, context) {
      try {
        return await tickets.read(student, context, readFinishedCount);
      } catch (error) {
        if (!hasNoCount(error)) throw error;
        return tickets.read(student, context, readScoreInfo);
      }
    },
    joinedActivities: (student, context) => tickets.read(student, context, readJoinedActivities),
    joinedClubs: (student, context) =>
      tickets.read(student, context, async (ask) => ({ data: (await ask(joinedClubsRequest, parseClubs)).rows })),
    clubActivities: (student, query, context) =>
      tickets.read(student, context, (ask) => readClubActivities(ask, query)),
    directoryPage: (student, query, context) => tickets.read(student, context, (ask) => readDirectoryPage(ask, query)),
    directory: (student, context) => tickets.read(student, context, readDirectory),
    clubApplications: (student, context) => tickets.read(student, context, readClubApplications),
    signItems: (student, activityId, context) =>
      orRefusal(
        tickets.read(student, context, (ask) => readSignItems(ask, activityId)),
        (code) => ({ code, data: [] }),
      ),
    activityDetail: (student, activityId, context) => {
      const request = post('activity-detail', '/User/Activity/DoGetDetail', [['id', activityId]]);
      return orRefusal(
        tickets.read(student, context, (ask) => ask(request, parseDetail)),
        (code) => ({ code, ...noDetail }),
      );
    },
    signUp: async (student, signUp, context) => (await write(student, context, signUpRequest(signUp))).decision,
    joinClub: async (student, joining, context) => (await write(student, context, joinRequest(joining))).decision,
    async scan(student, scan, context) {
      const { decision, data } = await write(student, context, scanRequest(scan, scanBody));
      return { ...decision, details: scanDetails(data) };
    },
  };
};

/** The labor club. */
export const ldjlb = application({
  options: Type.Object({
    url: address,
    service,
    scan: Type.Union([Type.Literal('form'), Type.Literal('json')], { description: 'form or json' }),
  }),
  row: { ...ticketRow, system: 'labor-club' },
  supplies: ({ options, ...access }) => ({ laborClub: createLdjlbClient({ ...access, scanBody: options.scan }) }),
});
