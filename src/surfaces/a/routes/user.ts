import { flag, text, textOrNull } from '../../../domain/record.ts';
import { AuthmeRequest, component, exampleToken } from '../envelope.ts';
import { type Operation, operation, type SurfaceADeps } from '../operation.ts';

const inviteToken = 'N0v1ExampleExampleExampleExampleExampleExam';

const credentials = {
  userid: text('Student id.', '2023000001'),
  password: text('Password of the unified login.', 'demo-password'),
  vpn_password: text('Password of the VPN portal.', 'demo-vpn'),
};

const AuthMeData = component('AuthMeData', 'The token of a new login.', {
  authme_token: text('User token.', exampleToken),
});

export const AuthmeStatusData = component('AuthmeStatusData', 'Whether the token is good, and whose it is.', {
  is_logged_in: flag('The token is good.', true),
  userid: textOrNull('Student id; null when not logged in.', '2023000001'),
});

const defaults = { level: '-', tag: 'v1 user', group: 'user' } as const;
const invalidToken = { code: 401, message: 'token无效或已过期' };

export const userOperations = ({ services: { accounts } }: SurfaceADeps): Operation[] => [
  operation('/user/veryfy_invite_code', 'v1VerifyInviteCode', {
    ...defaults,
    summary: { en: 'Exchange an invite code for an invite token', zh: '用邀请码换邀请令牌' },
    description: 'The code itself is counted when a registration is completed.',
    fails: ['invite-code-invalid', 'rate-limited'],
    body: component('InviteRequest', 'The code to exchange.', {
      invite_code: text('Invite code, as the operator gave it out.', 'DEMO-2026'),
    }),
    response: 'InviteResponse',
    data: component('InviteTokenData', 'Permits one registration.', {
      invite_token: text('Permits one registration; valid for 30 minutes.', inviteToken),
    }),
    message: '邀请码验证成功',
    run: async (call) => {
      const { invite_code } = call.body;
      const issued = await accounts.verifyInviteCode(invite_code, call);
      return { invite_token: issued.inviteToken };
    },
  }),

  operation('/user/register', 'v1Register', {
    ...defaults,
    summary: { en: 'Register with an invite token and both campus passwords', zh: '注册' },
    description:
      'Both passwords are verified at the campus; a refused registration leaves the invite token usable. Code 428: the campus wants a captcha or a second step; `message` names the page where the student answers.',
    fails: [
      'registration-cool-down',
      'rate-limited',
      'userid-malformed',
      'invite-token-invalid',
      'userid-taken',
      'credentials-refused',
      'person-needed',
      'login-challenge',
      'sign-in-unavailable',
    ],
    body: component('RegisterRequest', 'Student id, both campus passwords and an invite token.', {
      ...credentials,
      invite_token: text('From the verification of an invite code.', inviteToken),
    }),
    response: 'RegisterEnvelope',
    data: AuthMeData,
    message: '注册成功',
    run: async (call) => {
      const { userid, password, vpn_password, invite_token } = call.body;
      const entry = { userid, pair: { password, vpnPassword: vpn_password }, inviteToken: invite_token };
      return { authme_token: (await accounts.register(entry, call)).token };
    },
  }),

  operation('/user/login', 'v1Login', {
    ...defaults,
    summary: { en: 'Log in with both campus passwords', zh: '登录' },
    description:
      'For registered students; code 400 with `用户不存在` for everybody else. Send the last token of the student in the header `Authorization` (`Bearer …`), also one that has ended: it proves that the owner is calling, for whom nothing is used up by others. Code 428: the campus wants a captcha or a second step; `message` names the page where the student answers.',
    optionalToken: true,
    fails: [
      'user-unknown',
      'login-cool-down',
      'rate-limited',
      'credentials-refused',
      'person-needed',
      'login-challenge',
      'sign-in-unavailable',
    ],
    body: component('LoginRequest', 'Student id and both campus passwords.', credentials),
    response: 'LoginEnvelope',
    data: AuthMeData,
    message: '登录成功',
    // No one can be registered under such an id, so the app offers registration as for any other unknown one.
    overrides: { 'userid-malformed': { code: 400, message: '用户不存在' } },
    run: async (call) => {
      const { userid, password, vpn_password } = call.body;
      const entry = { userid, pair: { password, vpnPassword: vpn_password } };
      return { authme_token: (await accounts.login(entry, call)).token };
    },
  }),

  operation('/user/authme', 'v1Authme', {
    ...defaults,
    level: 'T',
    scope: 'any',
    summary: { en: 'Check a token', zh: '检查令牌' },
    description: 'No campus contact: it shows that token and user exist.',
    fails: ['token-unknown'],
    body: AuthmeRequest,
    response: 'AuthmeEnvelope',
    failure: 'AuthmeFailure',
    data: AuthmeStatusData,
    message: '验证成功',
    overrides: { 'token-missing': invalidToken, 'token-unknown': invalidToken, 'token-user-gone': invalidToken },
    signedOutData: { is_logged_in: false, userid: null },
    run: ({ student }) => ({ is_logged_in: true, userid: student.userid }),
  }),
];
