import type { Accounts } from '../../../domain/accounts/accounts.ts';
import { Failure } from '../../../domain/errors.ts';
import { campusTimestamp } from '../../../lib/campus-time.ts';
import { type Operation, openOperation, studentOperation } from '../operation.ts';
import {
  AccountDeletionRequest,
  AuthMeResponse,
  Done,
  InviteCodeRequest,
  InviteCodeResponse,
  LoginRequest,
  LoginResponse,
  RegisterRequest,
  RegisterResponse,
  SessionPath,
  SessionsResponse,
} from '../schemas/auth.ts';

const tag = 'Authentication';
const exampleToken = 'ZXhhbXBsZS10b2tlbi1mb3ItdGhlLWRvY3VtZW50LTEyMw';
const exampleInviteToken = 'ZXhhbXBsZS1pbnZpdGUtdG9rZW4tZm9yLXRoZS1kb2MtMQ';
const examplePair = { password: 'example-password', vpn_password: 'example-vpn' };
const done = { success: true };

const signInOperations = (accounts: Accounts): Operation[] => [
  openOperation({
    method: 'POST',
    url: '/auth/login/next',
    operationId: 'login',
    tag,
    summary: 'Login',
    description:
      'Signs a registered student in. The submitted passwords are proven at the campus before they are kept. Send the last token of the student in `Authorization`, also one that has ended: it proves that the owner is calling, for whom nothing is used up by others.',
    body: LoginRequest,
    data: LoginResponse,
    message: '登录成功',
    example: { body: { userid: '2023000001', ...examplePair }, data: { token: exampleToken } },
    failures: ['CREDENTIALS_INVALID', 'REMOTE_CREDENTIALS_INVALID', 'REMOTE_SERVICE_ERROR', 'TIMEOUT'],
    wording: 'login',
    run: ({ body: { userid, password, vpn_password: vpnPassword }, context }) =>
      accounts.login({ userid, pair: { password, vpnPassword } }, context),
  }),
  openOperation({
    method: 'POST',
    url: '/auth/register/invite',
    operationId: 'verifyInviteCode',
    tag,
    summary: 'Invite code verification',
    description:
      'Exchanges a code for a token that permits one registration within 30 minutes. The code is counted then.',
    body: InviteCodeRequest,
    data: InviteCodeResponse,
    message: '邀请码验证成功',
    example: { body: { invite_code: 'DEMO-2026' }, data: { invite_token: exampleInviteToken } },
    failures: ['INVITE_CODE_INVALID'],
    run: async ({ body, context }) => {
      const { inviteToken } = await accounts.verifyInviteCode(body.invite_code, context);
      return { invite_token: inviteToken };
    },
  }),
  openOperation({
    method: 'POST',
    url: '/auth/register/next',
    operationId: 'register',
    tag,
    summary: 'Registration',
    description:
      'Registers a student with an invite token and signs in. `EC_…` names the portal step, `UAAP_…` the unified login.',
    body: RegisterRequest,
    data: RegisterResponse,
    message: '注册成功',
    example: {
      body: { userid: '2023000001', ...examplePair, invite_token: exampleInviteToken },
      data: { token: exampleToken },
    },
    failures: [
      'EC_PASSWORD_ERROR',
      'UAAP_PASSWORD_ERROR',
      'TOKEN_INVALID',
      'USERID_EXISTS',
      'REGISTER_IN_COOLDOWN',
      'EC_SERVER_ERROR',
      'UAAP_SERVER_ERROR',
      'TIMEOUT',
    ],
    wording: 'register',
    run: ({ body: { userid, password, vpn_password: vpnPassword, invite_token: inviteToken }, context }) =>
      accounts.register({ userid, pair: { password, vpnPassword }, inviteToken }, context),
  }),
];

const sessionOperations = (accounts: Accounts, timeZone: string): Operation[] => [
  studentOperation({
    level: 'T',
    method: 'GET',
    url: '/auth/sessions',
    operationId: 'listSessions',
    tag,
    summary: 'Valid tokens of the student',
    description:
      'Where the student is logged in: one session per token, the newest first. Only the student sees from which network a token was last used.',
    data: SessionsResponse,
    message: '获取登录会话成功',
    example: {
      data: {
        sessions: [
          {
            id: '5f2c8a1e9b3d4706',
            created_at: '2026-03-02 09:14:31',
            last_used_at: '2026-03-18 10:00:00',
            network: '203.0.113.0/24',
            current: true,
          },
        ],
      },
    },
    run: async ({ student, token }) => {
      const sessions = await accounts.sessions(token, student);
      return {
        sessions: sessions.map(({ id, createdAt, lastUsedAt, network, current }) => ({
          id,
          created_at: campusTimestamp(createdAt, timeZone),
          last_used_at: campusTimestamp(lastUsedAt, timeZone),
          network,
          current,
        })),
      };
    },
  }),
  studentOperation({
    level: 'T',
    method: 'DELETE',
    url: '/auth/sessions/:id',
    operationId: 'deleteSession',
    tag,
    summary: 'Revoke one token',
    description: 'Revokes the token with that id of `GET /auth/sessions`, which may be the one of this call.',
    params: SessionPath,
    data: Done,
    message: '已退出该会话',
    example: { data: done },
    failures: ['NOT_FOUND'],
    run: async ({ params, student }) => {
      if (!(await accounts.endSession(student, params.id))) throw new Failure('session-unknown');
      return done;
    },
  }),
];

const tokenOperations = (accounts: Accounts): Operation[] => [
  studentOperation({
    level: 'T',
    method: 'GET',
    url: '/auth/authme/token',
    operationId: 'checkToken',
    tag,
    summary: 'Token validity check',
    description: 'Looks the token up; the campus is not asked.',
    data: AuthMeResponse,
    message: 'Token 验证成功',
    example: { data: { success: true, userid: '2023000001' } },
    run: async ({ student }) => ({ success: true, userid: student.userid }),
  }),
  studentOperation({
    level: 'T',
    method: 'POST',
    url: '/auth/logout',
    operationId: 'logout',
    tag,
    summary: 'Logout',
    description: 'Revokes the token of this call.',
    data: Done,
    message: '退出登录成功',
    example: { data: done },
    run: async ({ student, token }) => {
      await accounts.logout(token, student);
      return done;
    },
  }),
  studentOperation({
    level: 'T',
    method: 'POST',
    url: '/auth/logout/all',
    operationId: 'logoutEverywhere',
    tag,
    summary: 'Logout everywhere',
    description: 'Revokes all tokens of the student.',
    data: Done,
    message: '退出登录成功',
    example: { data: done },
    run: async ({ student }) => {
      await accounts.logoutAll(student);
      return done;
    },
  }),
];

/** Some clients and proxies cannot send a body with DELETE, so the deletion has a second address. */
const deletionOperations = (accounts: Accounts): Operation[] =>
  [
    { method: 'DELETE' as const, url: '/auth/account', operationId: 'deleteAccount' },
    { method: 'POST' as const, url: '/auth/account/delete', operationId: 'deleteAccountByPost' },
  ].map((address) =>
    studentOperation({
      ...address,
      level: 'T',
      tag,
      summary: 'Account deletion',
      description: 'Erases everything of the student. Both passwords are compared with the stored ones only.',
      body: AccountDeletionRequest,
      data: Done,
      message: '账号已删除',
      example: { body: examplePair, data: done },
      failures: ['CREDENTIALS_INVALID'],
      run: async ({ body: { password, vpn_password: vpnPassword }, student, context }) => {
        await accounts.deleteAccount(student, { password, vpnPassword }, context);
        return done;
      },
    }),
  );

export const authOperations = (accounts: Accounts, timeZone: string): Operation[] => [
  ...signInOperations(accounts),
  ...tokenOperations(accounts),
  ...sessionOperations(accounts, timeZone),
  ...deletionOperations(accounts),
];
