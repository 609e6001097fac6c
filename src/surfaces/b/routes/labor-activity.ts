import { Type } from '@sinclair/typebox';
import type { LaborClub } from '../../../domain/labor-club/labor-club.ts';
import { ActivityDetail, SignItems } from '../../../domain/labor-club/records.ts';
import type { Decision } from '../../../domain/labor-club/types.ts';
import { integer, object, text } from '../../../domain/record.ts';
import { patterned } from '../../../platform/requests/findings.ts';
import { type Operation, operation, Told } from '../operation.ts';
import { shared } from './labor-club.ts';

const decisionMembers = {
  code: integer('0: accepted.', 0),
  msg: text('What the campus says; may be empty.', '报名成功'),
};

export const LDJLBApplyResponse = object('LDJLBApplyResponse', 'What the campus decided.', decisionMembers);
const longitude = '-?(?:180(?:\\.0+)?|(?:1[0-7]\\d|\\d{1,2})(?:\\.\\d+)?)';
const latitude = '-?(?:90(?:\\.0+)?|[0-8]?\\d(?:\\.\\d+)?)';

const ScanSignRequest = object('ScanSignRequest', 'A scanned code and where it was scanned.', {
  content: Type.String({ minLength: 1, maxLength: 4096, description: 'Complete text of the QR code, as scanned.' }),
  location: patterned(
    {
      maxLength: 200,
      pattern: `^${longitude}[ \\t]*,[ \\t]*${latitude}$`,
      description: '`longitude,latitude` in decimal degrees. Passed on to the campus, kept nowhere.',
    },
    {
      en: 'Input should be longitude,latitude in decimal degrees, such as 104.08,30.63',
      zh: '应为十进制的“经度,纬度”，例如 104.08,30.63',
    },
  ),
});

const ScanSignResponse = object('ScanSignResponse', 'What the campus decided.', {
  ...decisionMembers,
  data: Type.Record(Type.String(), Type.String(), { description: 'What else the campus says about the sign-in.' }),
});

const ActivityPath = Type.Object({
  activity_id: text('Id of an activity, from a list of activities.', 'a1'),
});

const ApplyQuery = Type.Object({
  reason: Type.String({
    default: '加入课程',
    maxLength: 200,
    examples: ['希望参与劳动实践'],
    description: 'Shown to those who examine applications.',
  }),
});

const notFoundExample = {
  code: 1,
  data: null,
  formData: [],
  flowData: [],
  VenueReserveData: [],
  teacherList: [],
};

export const onlyOnce =
  'Sent to the campus once and never repeated. When its answer is lost, the call fails and says that the result must be checked.';

/** What the campus decided, in its own words, or in ours where it says nothing. */
export const decided = ({ code, message: msg }: Decision, accepted: string, refused: string) =>
  new Told({ code, msg }, msg.trim() === '' ? (code === 0 ? accepted : refused) : msg, code === 0);

/** One activity: signing up and in, its sign-in list and detail. */
export const laborActivityOperations = (laborClub: LaborClub): Operation[] => [
  operation({
    level: 'TU',
    ...shared,
    writes: true,
    route: 'POST /ldjlb/labor/activity/:activity_id/apply',
    needs: ['laborClub.signUp'],
    operationId: 'applyForActivity',
    scope: 'labor:write',
    summary: 'Sign up for an activity',
    description: onlyOnce,
    params: ActivityPath,
    query: ApplyQuery,
    data: LDJLBApplyResponse,
    message: '报名成功',
    refused: { message: '报名人数已满', data: { code: 1, msg: '报名人数已满' } },
    run: async (call) => {
      const signUp = { activityId: call.params.activity_id, reason: call.query.reason };
      const decision = await laborClub.signUp(call.student, signUp, call);
      return decided(decision, '报名成功', '报名失败');
    },
  }),
  operation({
    level: 'TU',
    ...shared,
    writes: true,
    route: 'POST /ldjlb/labor/scan_sign',
    needs: ['laborClub.scan'],
    operationId: 'scanSign',
    scope: 'labor:write',
    summary: 'Scan sign-in',
    description: `${onlyOnce} One scan per student in three seconds. A 400 is reserved and does not occur.`,
    failures: ['EMPTY_PATH'],
    messages: { EMPTY_PATH: '请求无效' },
    body: ScanSignRequest,
    data: ScanSignResponse,
    message: '签到完成',
    example: {
      body: { content: 'https://sign.example/qr?id=77', location: '10.000000,20.000000' },
      data: { code: 0, msg: '签到成功', data: {} },
    },
    refused: { message: '二维码已过期', data: { code: 1, msg: '二维码已过期', data: {} } },
    run: async (call) => {
      const decision = await laborClub.scan(call.student, call.body, call);
      const { accepted, message, data } = decided(decision, '签到完成', '签到失败');
      return new Told({ ...data, data: { ...decision.details } }, message, accepted);
    },
  }),
  operation({
    level: 'TU',
    ...shared,
    route: 'GET /ldjlb/labor/:activity_id/sign_list',
    needs: ['laborClub.signItems'],
    operationId: 'listSignItems',
    scope: 'labor:read',
    summary: 'Sign-in list of an activity',
    description: 'When to sign in and out, and whether the caller did.',
    params: ActivityPath,
    data: SignItems,
    message: '获取签到列表成功',
    refused: { message: '获取签到列表失败', data: { code: 1, data: [] } },
    run: async (call) => {
      const data = await laborClub.signItems(call.student, call.params.activity_id, call);
      return data.code === 0 ? data : new Told(data, '获取签到列表失败', false);
    },
  }),
  operation({
    level: 'TU',
    ...shared,
    route: 'GET /ldjlb/labor/:activity_id/detail',
    needs: ['laborClub.activityDetail'],
    operationId: 'getActivityDetail',
    scope: 'labor:read',
    summary: 'Activity detail',
    description: 'The activity, its form, its approval and its teachers.',
    params: ActivityPath,
    data: ActivityDetail,
    message: '获取活动详情成功',
    refused: { message: '获取活动详情失败', data: notFoundExample },
    run: async (call) => {
      const data = await laborClub.activityDetail(call.student, call.params.activity_id, call);
      return data.code === 0 ? data : new Told(data, '获取活动详情失败', false);
    },
  }),
];
