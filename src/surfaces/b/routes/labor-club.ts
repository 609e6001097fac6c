import { Type } from '@sinclair/typebox';
import type { CampusDecision } from '../../../domain/labor-club/reads.ts';
import {
  ActivityDetail,
  ClubDirectory,
  JoinedClubs,
  JudgedApplication,
  LaborActivities,
  LaborProgress,
  SignItems,
} from '../../../domain/labor-club/records.ts';
import { integer, listOf, object, text } from '../../../domain/record.ts';
import { trimmed, withPattern } from '../../../http/requests/findings.ts';
import { Told, unlessUnknown } from '../../common/operation.ts';
import { unknownClub } from '../../common/texts.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';

const pages = (name: string) => ({
  page_index: integer('Page, from 1.', 1, { default: 1, minimum: 1, maximum: 2_147_483_647 }),
  page_size: integer(`${name} on a page.`, 20, { default: 100, minimum: 1, maximum: 100 }),
});

const ClubPath = Type.Object({ club_id: text('Id of a club, from the directory or the list of joined clubs.', 'c1') });

const defaults = { level: 'TU', tag: 'Labor club', wording: 'applications', scope: 'labor:read' } as const;
const writing = { ...defaults, writes: true, scope: 'labor:write' } as const;

const decision = (msg: string) => ({
  code: integer('0: accepted.', 0),
  msg: text('What the campus says; may be empty.', msg),
});

const LDJLBApplyResponse = object('LDJLBApplyResponse', 'What the campus decided.', decision('报名成功'));
const longitude = '-?(?:180(?:\\.0+)?|(?:1[0-7]\\d|\\d{1,2})(?:\\.\\d+)?)';
const latitude = '-?(?:90(?:\\.0+)?|[0-8]?\\d(?:\\.\\d+)?)';

const ActivityPath = Type.Object({ activity_id: text('Id of an activity, from a list of activities.', 'a1') });

const onlyOnce =
  'Sent to the campus once and never repeated. When its answer is lost, the call fails and says that the result must be checked.';

/** In the words of the campus, or in ours where it gives none. */
const tellDecision = ({ code, message: msg }: CampusDecision, accepted: string, refused: string) =>
  new Told({ code, msg }, msg.trim() === '' ? (code === 0 ? accepted : refused) : msg, code === 0);

const applied = '申请已提交';
const listFailed = '获取签到列表失败';
const detailFailed = '获取活动详情失败';

export const laborClubOperations = ({ services: { laborClub } }: SurfaceBDeps): Operation[] => [
  operation('GET /ldjlb/labor/progress', 'getLaborProgress', {
    ...defaults,
    needs: ['laborClub.finishedCount'],
    summary: { en: 'Learning progress', zh: '劳动修习进度' },
    description: 'How many of the ten activities are finished.',
    data: LaborProgress,
    message: '获取劳动俱乐部修课进度成功',
    run: (call) => laborClub.progress(call.student, call),
  }),
  operation('GET /ldjlb/labor/joined/activities', 'listJoinedActivities', {
    ...defaults,
    needs: ['laborClub.joinedActivities'],
    summary: { en: 'Joined activities', zh: '已报名的活动' },
    description: 'All of them, on one page.',
    data: LaborActivities,
    message: '获取已加入的劳动活动列表成功',
    run: (call) => laborClub.joinedActivities(call.student, call),
  }),
  operation('GET /ldjlb/labor/joined/clubs', 'listJoinedClubs', {
    ...defaults,
    needs: ['laborClub.joinedClubs'],
    summary: { en: 'Joined clubs', zh: '已加入的俱乐部' },
    description: 'All of them, on one page.',
    data: JoinedClubs,
    message: '获取已加入的劳动俱乐部列表成功',
    run: (call) => laborClub.joinedClubs(call.student, call),
  }),
  operation('GET /ldjlb/labor/club/:club_id/activities', 'listClubActivities', {
    ...defaults,
    needs: ['laborClub.clubActivities'],
    summary: { en: 'Activities of a given club', zh: '俱乐部的活动' },
    description:
      'One page; `pageInfo` says how many there are. `message` says when there are none because the directory has no such club.',
    params: ClubPath,
    query: Type.Object(pages('Activities')),
    data: LaborActivities,
    message: '获取俱乐部活动列表成功',
    run: async (call) => {
      const { club_id: clubId } = call.params;
      const wanted = { clubId, page: call.query.page_index, pageSize: call.query.page_size };
      const data = await laborClub.clubActivities(call.student, wanted, call);
      const isEmpty = data.data.length === 0 && data.pageInfo.TotalItemCount === 0;
      return unlessUnknown(data, isEmpty, () => laborClub.knowsClub(call.student, clubId, call), unknownClub);
    },
  }),
  operation('POST /ldjlb/labor/activity/:activity_id/apply', 'applyForActivity', {
    ...writing,
    needs: ['laborClub.signUp'],
    summary: { en: 'Sign up for an activity', zh: '报名活动' },
    description: onlyOnce,
    params: ActivityPath,
    query: Type.Object({
      reason: text('Shown to those who examine applications.', '希望参与劳动实践', {
        default: '加入课程',
        maxLength: 200,
      }),
    }),
    data: LDJLBApplyResponse,
    message: '报名成功',
    refused: { message: '报名人数已满', data: { code: 1, msg: '报名人数已满' } },
    run: async (call) => {
      const signUp = { activityId: call.params.activity_id, reason: call.query.reason };
      const decision = await laborClub.signUp(call.student, signUp, call);
      return tellDecision(decision, '报名成功', '报名失败');
    },
  }),
  operation('POST /ldjlb/labor/scan_sign', 'scanSign', {
    ...writing,
    needs: ['laborClub.scan'],
    summary: { en: 'Scan sign-in', zh: '扫码签到' },
    description: `${onlyOnce} One scan per student in three seconds.`,
    reserved: { 400: '保留的回答，不会出现' },
    body: object('ScanSignRequest', 'A scanned code and where it was scanned.', {
      content: text('Complete text of the QR code, as scanned.', 'https://sign.example/qr?id=77', {
        minLength: 1,
        maxLength: 4096,
      }),
      location: withPattern(
        {
          maxLength: 200,
          pattern: `^${longitude}[ \\t]*,[ \\t]*${latitude}$`,
          description: '`longitude,latitude` in decimal degrees. Passed on to the campus, kept nowhere.',
          examples: ['10.000000,20.000000'],
        },
        {
          en: 'Input should be longitude,latitude in decimal degrees, such as 104.08,30.63',
          zh: '应为十进制的“经度,纬度”，例如 104.08,30.63',
        },
      ),
    }),
    data: object('ScanSignResult', 'What the campus decided.', {
      ...decision('签到成功'),
      data: Type.Record(Type.String(), Type.String(), {
        description: 'What else the campus says about the sign-in.',
        examples: [{}],
      }),
    }),
    message: '签到完成',
    refused: { message: '二维码已过期', data: { code: 1, msg: '二维码已过期', data: {} } },
    run: async (call) => {
      const decision = await laborClub.scan(call.student, call.body, call);
      const { accepted, message, data } = tellDecision(decision, '签到完成', '签到失败');
      return new Told({ ...data, data: { ...decision.details } }, message, accepted);
    },
  }),
  operation('GET /ldjlb/labor/:activity_id/sign_list', 'listSignItems', {
    ...defaults,
    needs: ['laborClub.signItems'],
    summary: { en: 'Sign-in list of an activity', zh: '活动的签到项' },
    description: 'When to sign in and out, and whether the caller did.',
    params: ActivityPath,
    data: SignItems,
    message: '获取签到列表成功',
    refused: { message: listFailed, data: { code: 1, data: [] } },
    run: async (call) => {
      const data = await laborClub.signItems(call.student, call.params.activity_id, call);
      return data.code === 0 ? data : new Told(data, listFailed, false);
    },
  }),
  operation('GET /ldjlb/labor/:activity_id/detail', 'getActivityDetail', {
    ...defaults,
    needs: ['laborClub.activityDetail'],
    summary: { en: 'Activity detail', zh: '活动详情' },
    description: 'The activity, its form, its approval and its teachers.',
    params: ActivityPath,
    data: ActivityDetail,
    message: '获取活动详情成功',
    refused: {
      message: detailFailed,
      data: { code: 1, data: null, formData: [], flowData: [], VenueReserveData: [], teacherList: [] },
    },
    run: async (call) => {
      const data = await laborClub.activityDetail(call.student, call.params.activity_id, call);
      return data.code === 0 ? data : new Told(data, detailFailed, false);
    },
  }),
  operation('GET /ldjlb/labor/clubs', 'listClubs', {
    ...defaults,
    needs: ['laborClub.directory', 'laborClub.directoryPage'],
    summary: { en: 'Directory of clubs', zh: '俱乐部目录' },
    description:
      'Without `keyword` one page of the campus; with it all clubs are read, and what matches is paged here.',
    query: Type.Object({
      ...pages('Clubs'),
      keyword: text('Part of the name, in any case; blanks at its ends do not count. Empty: all clubs.', '劳动', {
        default: '',
        maxLength: 50,
        [trimmed]: true,
      }),
    }),
    data: ClubDirectory,
    message: '获取劳动俱乐部目录成功',
    run: (call) => {
      const { page_index: page, page_size: pageSize, keyword } = call.query;
      return laborClub.clubs(call.student, { page, pageSize, keyword: keyword.trim() }, call);
    },
  }),
  operation('GET /ldjlb/labor/club/applications', 'listClubApplications', {
    ...defaults,
    needs: ['laborClub.clubApplications'],
    summary: { en: 'Applications for clubs', zh: '入部申请' },
    description:
      'All of them with their state. A new one may show a little later, so its absence is no failure; who is a member, the joined clubs tell.',
    data: object('LDJLBClubApplications', 'The applications of the caller.', {
      data: listOf(JudgedApplication, 'All of them, newest first.'),
    }),
    message: '获取俱乐部申请记录成功',
    run: async (call) => ({ data: await laborClub.judgedApplications(call.student, call) }),
  }),
  operation('POST /ldjlb/labor/club/:club_id/apply', 'applyForClub', {
    ...writing,
    needs: ['laborClub.joinClub'],
    summary: { en: 'Apply for a club', zh: '申请加入俱乐部' },
    description: `${onlyOnce} Whether the club takes applications, the campus decides.`,
    params: ClubPath,
    body: object('LDJLBClubJoinRequest', 'An application for a club.', {
      reason: text(
        'Why the caller wants to join; blanks at its ends are not sent. Shown to those who decide.',
        '希望参与劳动实践',
        { minLength: 1, maxLength: 200, [trimmed]: true },
      ),
    }),
    data: LDJLBApplyResponse,
    message: applied,
    example: { data: { code: 0, msg: applied } },
    refused: { message: '您的申请正在审核中', data: { code: 3, msg: '您的申请正在审核中' } },
    run: async (call) => {
      const joining = { clubId: call.params.club_id, reason: call.body.reason.trim() };
      const decision = await laborClub.joinClub(call.student, joining, call);
      return tellDecision(decision, applied, '申请提交失败');
    },
  }),
];
