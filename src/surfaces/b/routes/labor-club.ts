import { Type } from '@sinclair/typebox';
import type { LaborClub } from '../../../domain/labor-club/labor-club.ts';
import { JoinedClubs, LaborActivities, LaborProgress } from '../../../domain/labor-club/records.ts';
import { text } from '../../../domain/record.ts';
import { unknownClub } from '../../records/texts.ts';
import { type Operation, operation, Told } from '../operation.ts';

export const pages = (name: string) => ({
  page_index: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 2_147_483_647,
    examples: [1],
    description: 'Page, from 1.',
  }),
  page_size: Type.Integer({
    default: 100,
    minimum: 1,
    maximum: 100,
    examples: [20],
    description: `${name} on a page.`,
  }),
});

export const ClubPath = Type.Object({
  club_id: text('Id of a club, from the directory or the list of joined clubs.', 'c1'),
});

const ClubActivitiesQuery = Type.Object(pages('Activities'));
export const shared = { tag: 'Labor club', wording: 'applications' } as const;
export const read = { ...shared, level: 'TU' } as const;

/** Progress, and what the caller has joined. */
export const laborClubOperations = (laborClub: LaborClub): Operation[] => [
  operation({
    ...read,
    route: 'GET /ldjlb/labor/progress',
    needs: ['laborClub.finishedCount'],
    operationId: 'getLaborProgress',
    scope: 'labor:read',
    summary: 'Learning progress',
    description: 'How many of the ten activities are finished.',
    data: LaborProgress,
    message: '获取劳动俱乐部修课进度成功',
    run: (call) => laborClub.progress(call.student, call),
  }),
  operation({
    ...read,
    route: 'GET /ldjlb/labor/joined/activities',
    needs: ['laborClub.joinedActivities'],
    operationId: 'listJoinedActivities',
    scope: 'labor:read',
    summary: 'Joined activities',
    description: 'All of them, on one page.',
    data: LaborActivities,
    message: '获取已加入的劳动活动列表成功',
    run: (call) => laborClub.joinedActivities(call.student, call),
  }),
  operation({
    ...read,
    route: 'GET /ldjlb/labor/joined/clubs',
    needs: ['laborClub.joinedClubs'],
    operationId: 'listJoinedClubs',
    scope: 'labor:read',
    summary: 'Joined clubs',
    description: 'All of them, on one page.',
    data: JoinedClubs,
    message: '获取已加入的劳动俱乐部列表成功',
    run: (call) => laborClub.joinedClubs(call.student, call),
  }),
  operation({
    ...read,
    route: 'GET /ldjlb/labor/club/:club_id/activities',
    needs: ['laborClub.clubActivities'],
    operationId: 'listClubActivities',
    scope: 'labor:read',
    summary: 'Activities of a given club',
    description:
      'One page; `pageInfo` says how many there are. `message` says when there are none because the directory has no such club.',
    params: ClubPath,
    query: ClubActivitiesQuery,
    data: LaborActivities,
    message: '获取俱乐部活动列表成功',
    run: async (call) => {
      const wanted = { clubId: call.params.club_id, page: call.query.page_index, pageSize: call.query.page_size };
      const data = await laborClub.clubActivities(call.student, wanted, call);
      const isEmpty = data.data.length === 0 && data.pageInfo.TotalItemCount === 0;
      const isKnown = !isEmpty || (await laborClub.knowsClub(call.student, call.params.club_id, call));
      return isKnown ? data : new Told(data, unknownClub);
    },
  }),
];
