import type { FastifyInstance } from 'fastify';
import { addOpenOperation, addStudentOperation, type SurfaceADeps } from '../operation.ts';
import {
  AuthMeData,
  AuthmeFailure,
  AuthmeRequest,
  AuthmeResponse,
  AuthmeStatusData,
  exampleToken,
  InviteRequest,
  InviteResponse,
  InviteTokenData,
  LoginRequest,
  LoginResponse,
  RegisterRequest,
  RegisterResponse,
} from '../schemas/user.ts';

const inviteToken = 'N0v1ExampleExampleExampleExampleExampleExam';
const invalidToken = { code: 401, message: 'token无效或已过期' };

/** Invite codes, registration, login and the token check. */
export const addUserRoutes = (scope: FastifyInstance, deps: SurfaceADeps): void => {
  const { accounts } = deps;

  addOpenOperation(scope, deps, {
    path: '/user/veryfy_invite_code',
    operationId: 'v1VerifyInviteCode',
    tag: 'v1 user',
    summary: 'Exchange an invite code for an invite token',
    description: 'The code itself is counted when a registration is completed.',
    group: 'user',
    fails: ['invite-code-invalid', 'rate-limited'],
    body: InviteRequest,
    response: InviteResponse,
    data: InviteTokenData,
    example: {
      body: { invite_code: 'DEMO-2026' },
      message: '邀请码验证成功',
      data: { invite_token: inviteToken },
    },
    run: async ({ invite_code }, context) => {
      const issued = await accounts.verifyInviteCode(invite_code, context);
      return { data: { invite_token: issued.inviteToken } };
    },
  });

  addOpenOperation(scope, deps, {
    path: '/user/register',
    operationId: 'v1Register',
    tag: 'v1 user',
    summary: 'Register with an invite token and both campus passwords',
    description: 'Both passwords are proven at the campus; a refused registration leaves the invite token usable.',
    group: 'user',
    fails: [
      'registration-cool-down',
      'rate-limited',
      'userid-malformed',
      'invite-token-invalid',
      'userid-taken',
      'credentials-refused',
      'sign-in-unavailable',
    ],
    body: RegisterRequest,
    response: RegisterResponse,
    data: AuthMeData,
    example: {
      body: { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn', invite_token: inviteToken },
      message: '注册成功',
      data: { authme_token: exampleToken },
    },
    run: async ({ userid, password, vpn_password, invite_token }, context) => {
      const entry = { userid, pair: { password, vpnPassword: vpn_password }, inviteToken: invite_token };
      return { data: { authme_token: (await accounts.register(entry, context)).token } };
    },
  });

  addOpenOperation(scope, deps, {
    path: '/user/login',
    operationId: 'v1Login',
    tag: 'v1 user',
    summary: 'Log in with both campus passwords',
    description:
      'For registered students; code 400 with `用户不存在` for everybody else. Send the last token of the student in the header `Authorization` (`Bearer …`), also one that has ended: it proves that the owner is calling, for whom nothing is used up by others.',
    group: 'user',
    fails: ['user-unknown', 'login-cool-down', 'rate-limited', 'credentials-refused', 'sign-in-unavailable'],
    body: LoginRequest,
    response: LoginResponse,
    data: AuthMeData,
    example: {
      body: { userid: '2023000001', password: 'demo-password', vpn_password: 'demo-vpn' },
      message: '登录成功',
      data: { authme_token: exampleToken },
    },
    // Nobody can be registered under such an id, so the app offers registration as for any other unknown one.
    overrides: { 'userid-malformed': { code: 400, message: '用户不存在' } },
    run: async ({ userid, password, vpn_password }, context) => {
      const entry = { userid, pair: { password, vpnPassword: vpn_password } };
      return { data: { authme_token: (await accounts.login(entry, context)).token } };
    },
  });

  addStudentOperation(scope, deps, {
    path: '/user/authme',
    operationId: 'v1Authme',
    tag: 'v1 user',
    summary: 'Check a token',
    description: 'No campus contact: it proves that token and user exist.',
    group: 'user',
    fails: ['token-unknown'],
    body: AuthmeRequest,
    response: AuthmeResponse,
    failure: AuthmeFailure,
    data: AuthmeStatusData,
    example: {
      body: { token: exampleToken },
      message: '验证成功',
      data: { is_logged_in: true, userid: '2023000001' },
    },
    overrides: { 'token-missing': invalidToken, 'token-unknown': invalidToken, 'token-user-gone': invalidToken },
    signedOutData: { is_logged_in: false, userid: null },
    token: (body) => body.token,
    run: ({ userid }) => ({ data: { is_logged_in: true, userid } }),
  });
};
