import type { CallContext, Student } from '../../domain/context.ts';
import { isFailure } from '../../domain/errors.ts';
import type { LaborClubCampus } from '../../domain/labor-club/ports.ts';
import type { LaborActivities } from '../../domain/labor-club/types.ts';
import { isRecord } from '../../lib/records.ts';
import { ApplicationRefused, type TicketAccess, ticketApplication } from '../ticket-application.ts';
import { readAllPages } from './all-pages.ts';
import { checkFirstPage, guessedPage } from './page-info.ts';
import { parseActivities } from './parse-activities.ts';
import { parseApplications } from './parse-applications.ts';
import { parseClubs } from './parse-clubs.ts';
import { parseDetail } from './parse-detail.ts';
import { eachOnce, parseDirectory } from './parse-directory.ts';
import { parseFinishedCount, parseScoreInfo } from './parse-progress.ts';
import { parseSignItems } from './parse-sign-items.ts';
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

/** More clubs than that are no directory that anybody looks through. */
const mostDirectoryPages = 20;

/** The labor club system: reads and three writes. */
export const createLdjlbClient = ({ scanBody, ...access }: TicketAccess & { scanBody: ScanBody }): LaborClubCampus => {
  const { reading, writing } = ticketApplication('ldjlb', access);
  const write = (student: Student, context: CallContext, request: ReturnType<typeof signUpRequest>) =>
    writing(student, context, request, joinedClubsRequest);

  return {
    async finishedCount(student, context) {
      try {
        return await reading(student, context, async (ask) => parseFinishedCount((await ask(finishCountRequest)).data));
      } catch (error) {
        // Not every campus has this address; the percentage says the same.
        const missing = isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 404;
        if (!missing && !(error instanceof ApplicationRefused)) throw error;
      }
      return reading(student, context, async (ask) => parseScoreInfo((await ask(scoreInfoRequest)).data));
    },
    joinedActivities: (student, context) =>
      reading(student, context, async (ask) => {
        let first: LaborActivities['page'] | null = null;
        const { rows, pages, total } = await readAllPages(pageSize, async (number) => {
          const answer = parseActivities(await ask(joinedActivitiesRequest(number)));
          first ??= answer.page;
          return { rows: answer.activities, received: answer.received, total: answer.total };
        });
        const merged = { total, size: pageSize, index: 1 };
        return { activities: rows, page: pages === 1 ? (first ?? merged) : merged };
      }),
    joinedClubs: (student, context) =>
      reading(student, context, async (ask) => parseClubs((await ask(joinedClubsRequest)).data)),
    clubActivities: (student, { clubId, page: index, pageSize: size }, context) =>
      reading(student, context, async (ask) => {
        const answer = parseActivities(await ask(clubActivitiesRequest(clubId, index, size)));
        const { activities, received, page, total } = answer;
        if (index === 1) checkFirstPage(received, total);
        return { activities, page: page ?? guessedPage(index, size, received) };
      }),
    directoryPage: (student, { page: index, pageSize: size }, context) =>
      reading(student, context, async (ask) => {
        const { clubs, received, page, total } = parseDirectory(await ask(directoryRequest(index, size)));
        if (index === 1) checkFirstPage(received, total);
        return { clubs, page: page ?? guessedPage(index, size, received) };
      }),
    directory: (student, context) =>
      reading(student, context, async (ask) => {
        const read = async (number: number) => {
          const { clubs, received, total } = parseDirectory(await ask(directoryRequest(number, pageSize)));
          return { rows: clubs, received, total };
        };
        const { rows } = await readAllPages(pageSize, read, mostDirectoryPages);
        return eachOnce(rows);
      }),
    clubApplications: (student, context) =>
      reading(student, context, async (ask) => {
        const read = async (number: number) => parseApplications(await ask(clubApplicationsRequest(number)));
        return (await readAllPages(pageSize, read)).rows;
      }),
    signItems: (student, activityId, context) =>
      orRefusal(
        reading(student, context, async (ask) => {
          const { rows } = await readAllPages(pageSize, async (number) =>
            parseSignItems((await ask(signItemsRequest(activityId, number))).data),
          );
          return { code: 0, items: rows };
        }),
        (code) => ({ code, items: [] }),
      ),
    activityDetail: (student, activityId, context) =>
      orRefusal(
        reading(student, context, async (ask) => parseDetail(await ask(detailRequest(activityId)))),
        (code) => ({ code, facts: null, form: [], approval: [], venues: [], teachers: [] }),
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
