import { Type } from '@sinclair/typebox';
import type { CallContext, Student } from '../context.ts';
import type { EventDraft, ReadEvents } from '../events/ports.ts';
import { type FormerValue, type MethodsOf, NEVER, ofRecord, onePart, rename } from '../read-row.ts';
import { methodsOf, type PortOf, withParams } from '../reads/plain-reads.ts';
import {
  ActivityDetail,
  ClubApplication,
  ClubDirectory,
  DirectoryClub,
  JoinedClubs,
  LaborActivities,
  LaborActivity,
  SignItems,
} from './records.ts';

interface PageQuery {
  /** From 1. */
  readonly page: number;
  /** 1–100. */
  readonly pageSize: number;
}

export interface ClubActivitiesQuery extends PageQuery {
  readonly clubId: string;
}

export interface DirectoryQuery extends PageQuery {
  /** A part of the name, trimmed; `""` for all clubs. */
  readonly keyword: string;
}

/** The campus's decision about a write. Code 0: accepted; any other: refused. */
export interface CampusDecision {
  readonly code: number;
  /** The campus's own words; may be empty. */
  readonly message: string;
}

export interface ScanDecision extends CampusDecision {
  /** All that the campus tells about the sign-in, as text. */
  readonly details: Readonly<Record<string, string>>;
}

export interface SignUp {
  readonly activityId: string;
  readonly reason: string;
}

/** `reason` is personal: never logged, never in a failure. */
export interface ClubJoining {
  readonly clubId: string;
  readonly reason: string;
}

/** Personal data and a one-time secret: never logged, never in a failure. */
export interface Scan {
  /** The complete text of the QR code, passed on unchanged. */
  readonly content: string;
  /** `longitude,latitude` in decimal degrees, without blanks. */
  readonly location: string;
}

const ask = '/ldjlb/labor/joined/activities';

/** Tells changes of joined activities. That the student has joined or left one is no news. */
const activityEvents: ReadEvents<LaborActivities> = ({ data }, { today }) => {
  const items = data.map((activity) => {
    const { ID: id, Title: title, StartTime: starts, EndTime: ends } = activity;
    return { key: id, content: `${title}\n${starts}\n${ends}`, keep: { id, title, ends }, activity };
  });
  return onePart({
    scope: 'activities',
    vanished: 'agreed',
    items,
    tell: ({ changed, gone }) => [
      ...changed.map(({ item: { activity } }): EventDraft => {
        const { ID: activity_id, Title: activity_title, StartTime: starts_at, EndTime: ends_at } = activity;
        const about = { activity_id, activity_title, change: 'changed' };
        return { type: 'activity.changed', about, ask, detail: { starts_at, ends_at } };
      }),
      ...gone
        .filter(({ ends = '' }) => ends.slice(0, 10) >= today)
        .map(({ id = '', title = '' }): EventDraft => {
          const about = { activity_id: id, activity_title: title, change: 'gone' };
          return { type: 'activity.changed', about, ask, detail: {} };
        }),
    ],
  });
};

const formerActivity = rename(LaborActivity, {
  ID: 'id',
  Ico: 'icon',
  State: 'state',
  StateName: 'stateName',
  TypeID: 'typeId',
  TypeName: 'typeName',
  Title: 'title',
  StartTime: 'startsAt',
  EndTime: 'endsAt',
  ChargeUserNo: 'leaderId',
  ChargeUserName: 'leaderName',
  ClubID: 'clubId',
  ClubName: 'clubName',
  MemberNum: 'members',
  AddTime: 'addedAt',
  PeopleNum: 'places',
  PeopleNumMin: 'fewestMembers',
  IsJson: 'joined',
  IsClose: 'closed',
  SignUpStartTime: 'signUpFrom',
  SignUpEndTime: 'signUpUntil',
});
const formerPageInfo = rename(LaborActivities.properties.pageInfo, {
  TotalItemCount: 'total',
  PageSize: 'size',
  CurrentPageIndex: 'index',
});

/** Converts copies stored by 1.0, which calendars are made of. */
const formerActivities = (value: {
  readonly activities: readonly FormerValue[];
  readonly page: FormerValue;
}): LaborActivities => ({ data: value.activities.map(formerActivity), pageInfo: formerPageInfo(value.page) });

const ofActivity = (activityId: string): readonly string[] => [activityId];

export const laborClubReads = {
  /** Number of finished activities. */
  finishedCount: ofRecord(Type.Integer(), 'finished-count', 'labor-club', {
    earlierShapes: { 1: (count: number) => count },
  }),
  /** Collects all upstream pages. */
  joinedActivities: ofRecord(LaborActivities, 'joined-activities', 'labor-club', {
    earlierShapes: { 1: formerActivities },
    events: activityEvents,
  }),
  joinedClubs: ofRecord(JoinedClubs, 'joined-clubs', 'labor-club'),
  /** One upstream page. */
  clubActivities: withParams(
    ofRecord(LaborActivities, 'club-activities', 'labor-club', {
      goes: 'first',
      pages: { at: 1, isEmpty: ({ data }) => data.length === 0 },
    }),
    ({ clubId, page, pageSize }: ClubActivitiesQuery) => [clubId, String(page), String(pageSize)],
  ),
  // A refusal is answered, but not stored.
  signItems: withParams(
    ofRecord(SignItems, 'sign-items', 'labor-club', {
      fresh: NEVER,
      isComplete: ({ code }) => code === 0,
      goes: 'first',
    }),
    ofActivity,
  ),
  activityDetail: withParams(
    ofRecord(ActivityDetail, 'activity-detail', 'labor-club', {
      isComplete: ({ code }) => code === 0,
      goes: 'first',
    }),
    ofActivity,
  ),
  /** One upstream page of the directory. */
  directoryPage: withParams(
    ofRecord(ClubDirectory, 'club-page', 'labor-club', {
      goes: 'first',
      pages: { at: 0, isEmpty: ({ data }) => data.length === 0 },
    }),
    ({ page, pageSize }: PageQuery) => [String(page), String(pageSize)],
  ),
  /** The whole directory; one longer than any real one is `upstream-unreadable`. */
  directory: ofRecord(Type.Array(DirectoryClub), 'all-clubs', 'labor-club', { goes: 'first' }),
  /** In the order of the campus. */
  clubApplications: ofRecord(Type.Array(ClubApplication), 'club-applications', 'labor-club'),
} as const;

/**
 * Implemented by campus/products/ldjlb. Failures: sign-in kinds, `ticket-unavailable`, `upstream-unavailable`,
 * `upstream-unreadable`, `session-lost`, `timed-out`; of reads also `upstream-refused` {upstreamMessage} where the result
 * cannot tell a refusal, and `upstream-empty` where a value is due.
 */
export interface LaborClubCampus extends PortOf<typeof laborClubReads> {
  /** Writes are sent once, and a refusal is a result. @throws Failure also `outcome-unknown` for a lost answer */
  signUp(student: Student, signUp: SignUp, context: CallContext): Promise<CampusDecision>;
  joinClub(student: Student, joining: ClubJoining, context: CallContext): Promise<CampusDecision>;
  scan(student: Student, scan: Scan, context: CallContext): Promise<ScanDecision>;
}

export const laborClubMethods: MethodsOf<LaborClubCampus> = {
  ...methodsOf(laborClubReads),
  signUp: true,
  joinClub: true,
  scan: true,
};
