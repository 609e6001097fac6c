import type { CallContext, Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import type { LaborClubCampus } from '../../domain/labor-club/ports.ts';
import type { PageInfo } from '../../domain/labor-club/records.ts';
import { isRecord } from '../../lib/records.ts';
import { readAllPages, rowsOfPages } from '../all-pages.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { ApplicationRefused, type TicketAccess, ticketApplication } from '../ticket-application.ts';
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
import {
  clubActivitiesRequest,
  clubApplicationsRequest,
  detailRequest,
  directoryRequest,
  finishCountRequest,
  joinClubRequest,
  joinedActivitiesRequest,
  joinedClubsRequest,
  pageSize,
  type ScanBody,
  scanRequest,
  scoreInfoRequest,
  signItemsRequest,
  signUpRequest,
} from './requests.ts';

/** What a scan answer tells beside its code: texts as they are, every other value as its JSON text. */
const scanDetails = (data: unknown): Readonly<Record<string, string>> =>
  isRecord(data)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
    : {};

/** A refusal that the result has a place for becomes that result; everything else stays a failure. */
const orRefusal = async <T>(work: Promise<T>, refused: (code: number) => T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApplicationRefused) return refused(error.code);
    throw error;
  }
};

const paging = (what: string, mostPages = 50) =>
  ({ system: 'labor-club', what, size: pageSize, mostPages, repeatsLast: true }) as const;

interface PageAsked {
  readonly page: number;
  readonly pageSize: number;
}

/**
 * What one page says of itself. Without a word from the campus, what is known is: the pages before were full.
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

/** The labor club system: reads and three writes. */
export const createLdjlbClient = ({ scanBody, ...access }: TicketAccess & { scanBody: ScanBody }): LaborClubCampus => {
  const { reading, writing } = ticketApplication('ldjlb', 'labor-club', access);
  const write = (student: Student, context: CallContext, request: ReturnType<typeof signUpRequest>) =>
    writing(student, context, request, joinedClubsRequest);

  return {
    async finishedCount(student, context) {
      try {
        return await reading(student, context, (ask) =>
          ask(finishCountRequest, ({ data }) => parseFinishedCount(data)),
        );
      } catch (error) {
        // Not every campus has this address; the percentage says the same.
        const missing = isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 404;
        if (!missing && !(error instanceof ApplicationRefused)) throw error;
      }
      return reading(student, context, (ask) => ask(scoreInfoRequest, ({ data }) => parseScoreInfo(data)));
    },
    joinedActivities: (student, context) =>
      reading(student, context, async (ask) => {
        let first: PageInfo | null = null;
        const { pages, asked, total } = await readAllPages(paging('activity'), async (number) => {
          const answer = await ask(joinedActivitiesRequest(number), parseActivities);
          first ??= answer.page;
          return answer;
        });
        const data = rowsOfPages(pages);
        const count = Math.max(total ?? 0, data.length);
        const merged = { TotalItemCount: count, PageSize: pageSize, CurrentPageIndex: 1 };
        return { data, pageInfo: asked === 1 ? (first ?? merged) : merged };
      }),
    joinedClubs: (student, context) =>
      reading(student, context, async (ask) => ({ data: (await ask(joinedClubsRequest, parseClubs)).rows })),
    clubActivities: (student, { clubId, ...asked }, context) =>
      reading(student, context, async (ask) => {
        const answer = await ask(clubActivitiesRequest(clubId, asked.page, asked.pageSize), parseActivities);
        return { data: answer.rows, pageInfo: pageInfoOf(answer, asked) };
      }),
    directoryPage: (student, asked, context) =>
      reading(student, context, async (ask) => {
        const answer = await ask(directoryRequest(asked.page, asked.pageSize), parseDirectory);
        return { data: eachOnce(answer.rows), pageInfo: pageInfoOf(answer, asked) };
      }),
    // More than 20 pages of clubs are no directory that anybody looks through.
    directory: (student, context) =>
      reading(student, context, async (ask) => {
        const read = (number: number) => ask(directoryRequest(number, pageSize), parseDirectory);
        return eachOnce((await readAllPages(paging('club', 20), read)).pages.flat());
      }),
    clubApplications: (student, context) =>
      reading(student, context, async (ask) => {
        const read = (number: number) => ask(clubApplicationsRequest(number), parseApplications);
        return rowsOfPages((await readAllPages(paging('application'), read)).pages);
      }),
    signItems: (student, activityId, context) =>
      orRefusal(
        reading(student, context, async (ask) => {
          const { pages } = await readAllPages(paging('sign-in'), async (number) => ({
            ...(await ask(signItemsRequest(activityId, number), parseSignItems)),
            total: null,
          }));
          return { code: 0, data: rowsOfPages(pages) };
        }),
        (code) => ({ code, data: [] }),
      ),
    activityDetail: (student, activityId, context) =>
      orRefusal(
        reading(student, context, (ask) => ask(detailRequest(activityId), parseDetail)),
        (code) => ({ code, data: null, formData: [], flowData: [], VenueReserveData: [], teacherList: [] }),
      ),
    async signUp(student, signUp, context) {
      const { code, message } = await write(student, context, signUpRequest(signUp));
      return { code, message };
    },
    async joinClub(student, joining, context) {
      const { code, message } = await write(student, context, joinClubRequest(joining));
      return { code, message };
    },
    async scan(student, scan, context) {
      const { code, message, data } = await write(student, context, scanRequest(scan, scanBody));
      return { code, message, details: scanDetails(data) };
    },
  };
};
