import { Type } from '@sinclair/typebox';
import type { CallContext, Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import type { ClubActivitiesQuery, LaborClubCampus } from '../../domain/labor-club/ports.ts';
import type { PageInfo } from '../../domain/labor-club/records.ts';
import { isRecord } from '../../lib/text.ts';
import { address, application, service } from '../driver.ts';
import { methodsWithin, readAllPages, rowsOfPages } from '../kit.ts';
import { unreadable } from '../parsing/values.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { ApplicationRefused, type TicketAccess, ticketApplication } from '../ticket-application.ts';
import { ticketRow } from '../upstreams.ts';
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

interface PageAsked {
  readonly page: number;
  readonly pageSize: number;
}

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
    if (error instanceof ApplicationRefused) return refused(error.code);
    throw error;
  }
};

/** How a scanned QR code is sent: the campus's own clients differ. */
type ScanBody = 'form' | 'json';

/** Reads and three writes. */
export const createLdjlbClient = ({ scanBody, ...access }: TicketAccess & { scanBody: ScanBody }): LaborClubCampus => {
  const { reading, writing } = ticketApplication('ldjlb', 'labor-club', access);
  const within = methodsWithin(reading);

  /** A write, and what was decided about it. */
  const write = async (student: Student, context: CallContext, request: UpstreamRequest) => {
    const { code, message, data } = await writing(student, context, request, joinedClubsRequest);
    return { decision: { code, message }, data };
  };

  const finishedCount = within((ask) =>
    ask(post('finish-count', '/User/Activity/GetMyFinishCount?sf_request_type=ajax'), ({ data }) =>
      parseFinishedCount(data),
    ),
  );
  /** The same path as at the activity score system, with other members. */
  const scoreInfo = within((ask) =>
    ask(post('score-info', '/User/Center/DoGetScoreInfo'), ({ data }) => parseScoreInfo(data)),
  );
  const signItems = within(async (ask, activityId: string) => {
    const { pages } = await readAllPages(paging('sign-in'), async (number) => {
      const form: Form = [['activityID', activityId], ['type', '1'], ...ofPage(large(number))];
      return { ...(await ask(post('sign-items', '/User/Activity/DoGetSignList', form), parseSignItems)), total: null };
    });
    return { code: 0, data: rowsOfPages(pages) };
  });
  const activityDetail = within((ask, activityId: string) =>
    ask(post('activity-detail', '/User/Activity/DoGetDetail', [['id', activityId]]), parseDetail),
  );

  return {
    async finishedCount(student, context) {
      try {
        return await finishedCount(student, context);
      } catch (error) {
        // Not every campus has this address; the percentage says the same.
        const missing = isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 404;
        if (!missing && !(error instanceof ApplicationRefused)) throw error;
      }
      return scoreInfo(student, context);
    },
    joinedActivities: within(async (ask) => {
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
    }),
    joinedClubs: within(async (ask) => ({ data: (await ask(joinedClubsRequest, parseClubs)).rows })),
    clubActivities: within(async (ask, { clubId, ...asked }: ClubActivitiesQuery) => {
      const form: Form = [['clubID', clubId], ...ofPage(asked)];
      const path = '/User/Activity/DoGetPageList?sf_request_type=ajax';
      const answer = await ask(post('club-activities', path, form), parseActivities);
      return { data: answer.rows, pageInfo: pageInfoOf(answer, asked) };
    }),
    directoryPage: within(async (ask, asked: PageAsked) => {
      const answer = await ask(directoryRequest(asked), parseDirectory);
      return { data: eachOnce(answer.rows), pageInfo: pageInfoOf(answer, asked) };
    }),
    // More than 20 pages of clubs are not a usable directory.
    directory: within(async (ask) => {
      const read = (number: number) => ask(directoryRequest(large(number)), parseDirectory);
      return eachOnce((await readAllPages(paging('club', 20), read)).pages.flat());
    }),
    clubApplications: within(async (ask) => {
      const read = (number: number) =>
        ask(post('club-applications', '/User/Center/DoGetApplyClubList', ofPage(large(number))), parseApplications);
      return rowsOfPages((await readAllPages(paging('application'), read)).pages);
    }),
    signItems: (...asked) => orRefusal(signItems(...asked), (code) => ({ code, data: [] })),
    activityDetail: (...asked) => {
      const nothing = { data: null, formData: [], flowData: [], VenueReserveData: [], teacherList: [] };
      return orRefusal(activityDetail(...asked), (code) => ({ code, ...nothing }));
    },
    async signUp(student, { activityId, reason }, context) {
      const form: Form = [
        ['activityID', activityId],
        ['reason', reason],
      ];
      return (await write(student, context, post('sign-up', '/User/Activity/DoApplyJoin?sf_request_type=ajax', form)))
        .decision;
    },
    /** Its `Reason` has a capital letter, unlike that of the sign-up. */
    async joinClub(student, { clubId, reason }, context) {
      const form: Form = [
        ['clubID', clubId],
        ['Reason', reason],
      ];
      return (await write(student, context, post('join-club', '/User/Club/DoApplyJoin', form))).decision;
    },
    async scan(student, { content, location }, context) {
      const path = '/User/Center/DoScanSignQRImage';
      const scanned: Form = [
        ['content', content],
        ['location', location],
      ];
      const { decision, data } = await write(
        student,
        context,
        scanBody === 'form'
          ? post('scan', path, scanned)
          : { page: 'scan', method: 'POST', path, jsonBody: Object.fromEntries(scanned), expect: 'json' },
      );
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
