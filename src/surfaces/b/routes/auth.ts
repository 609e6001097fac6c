import { Type } from '@sinclair/typebox';
import { useridForm } from '../../../domain/accounts/guard/callers.ts';
import { type GrantKind, grantKinds, type SettledGrants } from '../../../domain/accounts/tokens/personal-tokens.ts';
import { object, text } from '../../../domain/record.ts';
import { withPattern } from '../../../http/requests/findings.ts';
import type { SurfaceBDeps } from '../described.ts';
import type { ErrorCode } from '../error-codes.ts';
import { type Operation, operation } from '../operation.ts';

const useridOptions = {
  minLength: 1,
  maxLength: 20,
  description: 'Student id: letters and digits.',
  examples: ['2023000001'],
};

/** A login takes any text: a malformed id is as unknown as any other. */
const userid = Type.String(useridOptions);

const newUserid = withPattern(
  { ...useridOptions, pattern: useridForm },
  { en: 'Only letters and digits are allowed', zh: '只能包含字母和数字' },
);

const secretText = (maxLength: number, description: string, example: string) =>
  text(description, example, { minLength: 1, maxLength });

export const passwords = {
  password: secretText(256, 'Password of the unified login.', 'example-password'),
  vpn_password: secretText(256, 'Password of the VPN portal.', 'example-vpn'),
};
const exampleInviteToken = 'ZXhhbXBsZS1pbnZpdGUtdG9rZW4tZm9yLXRoZS1kb2MtMQ';
const token = text('Bearer token; opaque.', 'ZXhhbXBsZS10b2tlbi1mb3ItdGhlLWRvY3VtZW50LTEyMw');

/** Kinds of `X-Keep`. Unknown ones are ignored: a login must not fail for what an older service does not know. */
export const keptKinds = (header: string | undefined): readonly GrantKind[] | undefined => {
  if (header === undefined) return undefined;
  const words = new Set(header.split(',').map((word) => word.trim().toLowerCase()));
  return grantKinds.filter((kind) => words.has(kind));
};

const listCounts = (counts: SettledGrants['kept']): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${kind}=${count}`)
    .join(', ');

/** Says what became of the student's grants, by kind and number: the names of feeds are no text for a header. */
export const grantHeaders = ({ kept, ended }: SettledGrants): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ 'X-Kept': listCounts(kept), 'X-Ended': listCounts(ended) }).filter(([, value]) => value !== ''),
  );

const header = (description: string) => ({ type: 'string', description });

export const grantHeaderDocs = {
  'X-Kept': header('What goes on, by kind with its number, as in `feeds=2`; missing when nothing does.'),
  'X-Ended': header('What was ended, likewise.'),
};

export const authTag = 'Authentication';

/** How a sign-in may fail while the student is there. */
export const personFailures = [
  'PERSON_NEEDED',
  'LOGIN_CHALLENGE',
  'CHALLENGE_BUSY',
  'REMOTE_SERVICE_ERROR',
  'TIMEOUT',
] as const satisfies readonly ErrorCode[];

const defaults = { level: '-', tag: authTag, credentials: true } as const;

export const authOperations = ({ services: { accounts } }: SurfaceBDeps): Operation[] => [
  operation('POST /auth/login/next', 'login', {
    ...defaults,
    summary: { en: 'Login', zh: '登录' },
    description:
      'Signs a registered student in. The submitted passwords are verified at the campus before they are kept. Send the last token of the student in `Authorization`, also one that has ended: it proves that the owner is calling, for whom nothing is used up by others. Passwords that differ from the stored ones replace them and end all other tokens of the student; `X-Keep` of the request names what goes on besides (`feeds`, also when it is missing; empty ends the calendar feeds), and the answer says what became of it. Where the campus wants a captcha or a second step: 428 with a challenge, which goes on at `/auth/challenges/{id}`; nothing is wrong with the passwords then.',
    body: object('LoginRequest', 'Student id and both campus passwords.', {
      userid,
      ...passwords,
    }),
    data: object('LoginToken', 'A bearer token.', { token }),
    message: '登录成功',
    failures: ['CREDENTIALS_INVALID', 'REMOTE_CREDENTIALS_INVALID', ...personFailures],
    requestHeaders: {
      'X-Keep': {
        description: 'Kinds that go on after changed passwords, separated by commas; empty: none. Left out: `feeds`.',
        schema: { type: 'string' },
      },
    },
    optionalToken: true,
    answerHeaders: grantHeaderDocs,
    wording: 'login',
    run: async (call) => {
      const { userid, password, vpn_password: vpnPassword } = call.body;
      const keep = keptKinds(call.headers['x-keep']?.toString());
      const entry = { userid, pair: { password, vpnPassword }, ...(keep === undefined ? {} : { keep }) };
      const { token, grants } = await accounts.login(entry, call);
      call.answer.headers(grantHeaders(grants));
      return { token };
    },
  }),
  operation('POST /auth/register/invite', 'verifyInviteCode', {
    ...defaults,
    summary: { en: 'Invite code verification', zh: '用邀请码换邀请令牌' },
    description:
      'Exchanges a code for a token that permits one registration within 30 minutes. The code is counted then.',
    body: object('InviteCodeRequest', 'The code to exchange.', {
      invite_code: secretText(100, 'Invite code, as the operator gave it out.', 'DEMO-2026'),
    }),
    data: object('InviteCodeResponse', 'Permits one registration.', {
      invite_token: text('Input of the registration; not a bearer token.', exampleInviteToken),
    }),
    message: '邀请码验证成功',
    failures: ['INVITE_CODE_INVALID'],
    run: async (call) => {
      const { inviteToken } = await accounts.verifyInviteCode(call.body.invite_code, call);
      return { invite_token: inviteToken };
    },
  }),
  operation('POST /auth/register/next', 'register', {
    ...defaults,
    summary: { en: 'Registration', zh: '注册' },
    description:
      'Registers a student with an invite token and signs in. `EC_…` names the portal step, `UAAP_…` the unified login. Where the campus wants a captcha or a second step: 428 with a challenge, which goes on at `/auth/challenges/{id}`.',
    body: object('RegisterRequest', 'Student id, both campus passwords and an invite token.', {
      userid: newUserid,
      ...passwords,
      invite_token: secretText(256, 'Of `/auth/register/invite`.', exampleInviteToken),
    }),
    data: object('RegisterToken', 'A bearer token.', { token }),
    message: '注册成功',
    failures: [
      'EC_PASSWORD_ERROR',
      'UAAP_PASSWORD_ERROR',
      'PERSON_NEEDED',
      'LOGIN_CHALLENGE',
      'CHALLENGE_BUSY',
      'TOKEN_INVALID',
      'USERID_EXISTS',
      'REGISTER_IN_COOLDOWN',
      'EC_SERVER_ERROR',
      'UAAP_SERVER_ERROR',
      'TIMEOUT',
    ],
    wording: 'register',
    run: (call) => {
      const { userid, password, vpn_password: vpnPassword, invite_token: inviteToken } = call.body;
      return accounts.register({ userid, pair: { password, vpnPassword }, inviteToken }, call);
    },
  }),
];
