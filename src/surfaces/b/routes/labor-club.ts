import type { LaborClub } from '../../../domain/labor-club/labor-club.ts';
import type { Decision } from '../../../domain/labor-club/types.ts';
import { decisionOperation, type Operation, studentOperation } from '../operation.ts';
import {
  presentActivities,
  presentApplications,
  presentClub,
  presentDetail,
  presentDirectory,
  presentProgress,
  presentSignItems,
} from '../present-labor-club.ts';
import { ActivityDetailResponse } from '../schemas/labor-activity-detail.ts';
import {
  ActivityPath,
  ApplyQuery,
  ClubActivitiesQuery,
  ClubJoinRequest,
  ClubPath,
  DirectoryQuery,
  LDJLBActivityListResponse,
  LDJLBApplyResponse,
  LDJLBClubApplications,
  LDJLBClubDirectory,
  LDJLBClubListResponse,
  LDJLBProgressInfo,
  ScanSignRequest,
  ScanSignResponse,
  SignListResponse,
} from '../schemas/labor-club.ts';
import {
  activitiesExample,
  applicationsExample,
  clubsExample,
  detailExample,
  directoryExample,
  notFoundExample,
  signListExample,
} from './labor-club-examples.ts';

const shared = { tag: 'Labor club', failures: ['UNKNOWN'], wording: 'applications' } as const;
const read = { ...shared, level: 'TU', method: 'GET' } as const;
const onlyOnce =
  'Sent to the campus once and never repeated. When its answer is lost, the call fails and says that the result must be checked.';

const applied = '申请已提交';

/** The campus's own words, or ours where it says nothing. */
const wordsFor = ({ code, message }: Decision, accepted: string, refused: string): string => {
  if (message.trim() !== '') return message;
  return code === 0 ? accepted : refused;
};

const lists = (laborClub: LaborClub): Operation[] => [
  studentOperation({
    ...read,
    url: '/ldjlb/labor/progress',
    operationId: 'getLaborProgress',
    summary: 'Learning progress',
    description: 'How many of the ten activities are finished.',
    data: LDJLBProgressInfo,
    message: '获取劳动俱乐部修课进度成功',
    example: { data: { data: 4, finish_count: 4, progress_percentage: 40 } },
    run: async ({ student, context }) => presentProgress(await laborClub.progress(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/ldjlb/labor/joined/activities',
    operationId: 'listJoinedActivities',
    summary: 'Joined activities',
    description: 'All of them, on one page.',
    data: LDJLBActivityListResponse,
    message: '获取已加入的劳动活动列表成功',
    example: { data: activitiesExample },
    run: async ({ student, context }) => presentActivities(await laborClub.joinedActivities(student, context)),
  }),
  studentOperation({
    ...read,
    url: '/ldjlb/labor/joined/clubs',
    operationId: 'listJoinedClubs',
    summary: 'Joined clubs',
    description: 'All of them, on one page.',
    data: LDJLBClubListResponse,
    message: '获取已加入的劳动俱乐部列表成功',
    example: { data: clubsExample },
    run: async ({ student, context }) => ({
      data: (await laborClub.joinedClubs(student, context)).map(presentClub),
    }),
  }),
  studentOperation({
    ...read,
    url: '/ldjlb/labor/club/:club_id/activities',
    operationId: 'listClubActivities',
    summary: 'Activities of a given club',
    description: 'One page; `pageInfo` says how many there are.',
    params: ClubPath,
    query: ClubActivitiesQuery,
    data: LDJLBActivityListResponse,
    message: '获取俱乐部活动列表成功',
    example: { data: activitiesExample },
    run: async ({ student, params, query, context }) => {
      const wanted = { clubId: params.club_id, page: query.page_index, pageSize: query.page_size };
      return presentActivities(await laborClub.clubActivities(student, wanted, context));
    },
  }),
];

const clubs = (laborClub: LaborClub): Operation[] => [
  studentOperation({
    ...read,
    url: '/ldjlb/labor/clubs',
    operationId: 'listClubs',
    summary: 'Directory of clubs',
    description:
      'Without `keyword` one page of the campus; with it all clubs are read, and what matches is paged here.',
    query: DirectoryQuery,
    data: LDJLBClubDirectory,
    message: '获取劳动俱乐部目录成功',
    example: { data: directoryExample },
    run: async ({ student, query, context }) => {
      const wanted = { page: query.page_index, pageSize: query.page_size, keyword: query.keyword.trim() };
      return presentDirectory(await laborClub.clubs(student, wanted, context));
    },
  }),
  studentOperation({
    ...read,
    url: '/ldjlb/labor/club/applications',
    operationId: 'listClubApplications',
    summary: 'Applications for clubs',
    description:
      'All of them with their state. A new one may show a little later, so its absence is no failure; who is a member, the joined clubs tell.',
    data: LDJLBClubApplications,
    message: '获取俱乐部申请记录成功',
    example: { data: applicationsExample },
    run: async ({ student, context }) => presentApplications(await laborClub.clubApplications(student, context)),
  }),
  decisionOperation({
    ...shared,
    writes: true,
    method: 'POST',
    url: '/ldjlb/labor/club/:club_id/apply',
    operationId: 'applyForClub',
    summary: 'Apply for a club',
    description: `${onlyOnce} Whether the club takes applications, the campus decides.`,
    params: ClubPath,
    body: ClubJoinRequest,
    data: LDJLBApplyResponse,
    message: applied,
    example: { body: { reason: '希望参与劳动实践' }, data: { code: 0, msg: applied } },
    refused: { message: '您的申请正在审核中', data: { code: 3, msg: '您的申请正在审核中' } },
    details: [{ loc: ['body', 'reason'], msg: 'Field required', type: 'missing' }],
    run: async ({ student, params, body, context }) => {
      const joining = { clubId: params.club_id, reason: body.reason.trim() };
      const decision = await laborClub.joinClub(student, joining, context);
      const { code, message: msg } = decision;
      return { accepted: code === 0, message: wordsFor(decision, applied, '申请提交失败'), data: { code, msg } };
    },
  }),
];

const writes = (laborClub: LaborClub): Operation[] => [
  decisionOperation({
    ...shared,
    writes: true,
    method: 'POST',
    url: '/ldjlb/labor/activity/:activity_id/apply',
    operationId: 'applyForActivity',
    summary: 'Sign up for an activity',
    description: onlyOnce,
    params: ActivityPath,
    query: ApplyQuery,
    data: LDJLBApplyResponse,
    message: '报名成功',
    example: { data: { code: 0, msg: '报名成功' } },
    refused: { message: '报名人数已满', data: { code: 1, msg: '报名人数已满' } },
    run: async ({ student, params, query, context }) => {
      const signUp = { activityId: params.activity_id, reason: query.reason };
      const decision = await laborClub.signUp(student, signUp, context);
      const { code, message: msg } = decision;
      return { accepted: code === 0, message: wordsFor(decision, '报名成功', '报名失败'), data: { code, msg } };
    },
  }),
  decisionOperation({
    ...shared,
    writes: true,
    method: 'POST',
    url: '/ldjlb/labor/scan_sign',
    operationId: 'scanSign',
    summary: 'Scan sign-in',
    description: `${onlyOnce} One scan per student in three seconds.`,
    body: ScanSignRequest,
    data: ScanSignResponse,
    message: '签到完成',
    example: {
      body: { content: 'https://sign.example/qr?id=77', location: '10.000000,20.000000' },
      data: { code: 0, msg: '签到成功', data: {} },
    },
    refused: { message: '二维码已过期', data: { code: 1, msg: '二维码已过期', data: {} } },
    run: async ({ student, body, context }) => {
      const decision = await laborClub.scan(student, body, context);
      const { code, message: msg, details } = decision;
      const message = wordsFor(decision, '签到完成', '签到失败');
      return { accepted: code === 0, message, data: { code, msg, data: { ...details } } };
    },
  }),
];

const ofOneActivity = (laborClub: LaborClub): Operation[] => [
  decisionOperation({
    ...shared,
    writes: false,
    method: 'GET',
    url: '/ldjlb/labor/:activity_id/sign_list',
    operationId: 'listSignItems',
    summary: 'Sign-in list of an activity',
    description: 'When to sign in and out, and whether the caller did.',
    params: ActivityPath,
    data: SignListResponse,
    message: '获取签到列表成功',
    example: { data: signListExample },
    refused: { message: '获取签到列表失败', data: { code: 1, data: [] } },
    run: async ({ student, params, context }) => {
      const items = await laborClub.signItems(student, params.activity_id, context);
      const accepted = items.code === 0;
      return {
        accepted,
        message: accepted ? '获取签到列表成功' : '获取签到列表失败',
        data: presentSignItems(items),
      };
    },
  }),
  decisionOperation({
    ...shared,
    writes: false,
    method: 'GET',
    url: '/ldjlb/labor/:activity_id/detail',
    operationId: 'getActivityDetail',
    summary: 'Activity detail',
    description: 'The activity, its form, its approval and its teachers.',
    params: ActivityPath,
    data: ActivityDetailResponse,
    message: '获取活动详情成功',
    example: { data: detailExample },
    refused: { message: '获取活动详情失败', data: notFoundExample },
    run: async ({ student, params, context }) => {
      const detail = await laborClub.activityDetail(student, params.activity_id, context);
      const accepted = detail.code === 0;
      return {
        accepted,
        message: accepted ? '获取活动详情成功' : '获取活动详情失败',
        data: presentDetail(detail),
      };
    },
  }),
];

export const laborClubOperations = (laborClub: LaborClub): Operation[] => [
  ...lists(laborClub),
  ...writes(laborClub),
  ...clubs(laborClub),
  ...ofOneActivity(laborClub),
];
