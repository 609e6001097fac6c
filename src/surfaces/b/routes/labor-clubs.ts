import { Type } from '@sinclair/typebox';
import type { LaborClub } from '../../../domain/labor-club/labor-club.ts';
import { ClubDirectory, JudgedApplication } from '../../../domain/labor-club/records.ts';
import { listOf, object } from '../../../domain/record.ts';
import { trimmed } from '../../../platform/requests/findings.ts';
import { type Operation, operation } from '../operation.ts';
import { decided, LDJLBApplyResponse, onlyOnce } from './labor-activity.ts';
import { ClubPath, pages, read, shared } from './labor-club.ts';

const LDJLBClubApplications = object('LDJLBClubApplications', 'The applications of the caller.', {
  data: listOf(JudgedApplication, 'All of them, newest first.'),
});

const DirectoryQuery = Type.Object({
  ...pages('Clubs'),
  keyword: Type.String({
    default: '',
    maxLength: 50,
    examples: ['劳动'],
    [trimmed]: true,
    description: 'Part of the name, in any case; blanks at its ends do not count. Empty: all clubs.',
  }),
});

const ClubJoinRequest = object('LDJLBClubJoinRequest', 'An application for a club.', {
  reason: Type.String({
    minLength: 1,
    maxLength: 200,
    [trimmed]: true,
    description: 'Why the caller wants to join; blanks at its ends are not sent. Shown to those who decide.',
  }),
});

const applied = '申请已提交';

/** The directory of clubs, and applications for them. */
export const clubOperations = (laborClub: LaborClub): Operation[] => [
  operation({
    ...read,
    route: 'GET /ldjlb/labor/clubs',
    needs: ['laborClub.directory', 'laborClub.directoryPage'],
    operationId: 'listClubs',
    scope: 'labor:read',
    summary: 'Directory of clubs',
    description:
      'Without `keyword` one page of the campus; with it all clubs are read, and what matches is paged here.',
    query: DirectoryQuery,
    data: ClubDirectory,
    message: '获取劳动俱乐部目录成功',
    run: (call) => {
      const wanted = {
        page: call.query.page_index,
        pageSize: call.query.page_size,
        keyword: call.query.keyword.trim(),
      };
      return laborClub.clubs(call.student, wanted, call);
    },
  }),
  operation({
    ...read,
    route: 'GET /ldjlb/labor/club/applications',
    needs: ['laborClub.clubApplications'],
    operationId: 'listClubApplications',
    scope: 'labor:read',
    summary: 'Applications for clubs',
    description:
      'All of them with their state. A new one may show a little later, so its absence is no failure; who is a member, the joined clubs tell.',
    data: LDJLBClubApplications,
    message: '获取俱乐部申请记录成功',
    run: async (call) => ({ data: await laborClub.clubApplications(call.student, call) }),
  }),
  operation({
    level: 'TU',
    ...shared,
    writes: true,
    route: 'POST /ldjlb/labor/club/:club_id/apply',
    needs: ['laborClub.joinClub'],
    operationId: 'applyForClub',
    scope: 'labor:write',
    summary: 'Apply for a club',
    description: `${onlyOnce} Whether the club takes applications, the campus decides.`,
    params: ClubPath,
    body: ClubJoinRequest,
    data: LDJLBApplyResponse,
    message: applied,
    example: { body: { reason: '希望参与劳动实践' }, data: { code: 0, msg: applied } },
    refused: { message: '您的申请正在审核中', data: { code: 3, msg: '您的申请正在审核中' } },
    run: async (call) => {
      const joining = { clubId: call.params.club_id, reason: call.body.reason.trim() };
      const decision = await laborClub.joinClub(call.student, joining, call);
      return decided(decision, applied, '申请提交失败');
    },
  }),
];
