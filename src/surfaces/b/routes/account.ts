import { Readable } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import { grantKinds } from '../../../domain/accounts/tokens/personal-tokens.ts';
import { failures } from '../../../domain/errors.ts';
import { flag, literals, object, text, textOrNull } from '../../../domain/record.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import { Told } from '../../common/operation.ts';
import { delivery } from '../delivery.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { authTag, grantHeaderDocs, grantHeaders, keptKinds, passwords } from './auth.ts';

export const lastUse = {
  last_used_at: text('To the hour; not before `created_at`.', '2026-03-18 10:00:00'),
  network: textOrNull(
    'Network of the last use, IPv4 by its /24 and IPv6 by its /64; null when it is not known.',
    '203.0.113.0/24',
  ),
};

export const Done = object('Done', 'It is done.', { success: flag('Always true.', true) });
/** Takes the result of the work, so that callers can await it in place. */
export const tellDone = (_work?: unknown): Static<typeof Done> => ({ success: true });
/** For an account of which rows remain. */
const stillErased = '账号已删除，其余数据正在后台清除';
const defaults = { level: 'T', tag: authTag, scope: 'login' } as const;

export const accountOperations = ({ services: { accounts, accountExport }, timeZone }: SurfaceBDeps): Operation[] => [
  delivery('GET /account/export', 'exportAccount', {
    level: 'T',
    scope: 'export',
    tag: 'Personal tokens',
    summary: { en: 'Everything that is stored of the student', zh: '导出我的全部数据' },
    description:
      'One JSON object: a list of rows for each table that holds anything of the student, in clear, images as base64, copies of reads with the time they were read at; `not_included` names what is left out and why. With a token of a login within 24 hours, or the scope `export`; once in ten minutes.',
    failures: ['LOGIN_AGAIN'],
    delivered: {
      200: {
        description: 'The export.',
        headers: { 'Content-Disposition': { type: 'string', description: 'Suggests the name of a file.' } },
        content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
      },
    },
    // It is streamed, because images are large; a connection that ends early has not received all of it.
    async handler({ call }, reply) {
      const pieces = await call.race(accountExport.begin(call.student));
      return reply
        .header('Cache-Control', 'no-store')
        .header('Content-Disposition', 'attachment; filename="campus-export.json"')
        .type('application/json; charset=utf-8')
        .serializer((payload: unknown) => payload as string)
        .send(Readable.from(pieces, { objectMode: false }));
    },
  }),
  operation('GET /auth/authme/token', 'checkToken', {
    ...defaults,
    scope: 'any',
    summary: { en: 'Token validity check', zh: '检查令牌' },
    description: 'Looks the token up; the campus is not asked.',
    data: object('AuthMeResponse', 'Whose token it is.', {
      success: flag('Always true.', true),
      userid: text('Owner of the token.', '2023000001'),
    }),
    message: 'Token 验证成功',
    run: async (call) => ({ success: true, userid: call.student.userid }),
  }),
  operation('POST /auth/logout', 'logout', {
    ...defaults,
    ownLimitOnly: true,
    scope: 'any',
    summary: { en: 'Logout', zh: '退出登录' },
    description: 'Revokes the token of this call.',
    data: Done,
    message: '退出登录成功',
    run: async (call) => tellDone(await accounts.logout(call.student)),
  }),
  operation('POST /auth/logout/all', 'logoutEverywhere', {
    ...defaults,
    ownLimitOnly: true,
    summary: { en: 'Logout everywhere', zh: '退出所有设备' },
    description:
      'Revokes all tokens of the student. Personal ones and hooks end too unless the body names them; calendar feeds go on unless it says otherwise. It may be left out.',
    body: object('LogoutEverywhereRequest', 'What a logout everywhere leaves alone.', {
      keep: Type.Optional(
        Type.Array(literals(grantKinds), {
          maxItems: 10,
          description:
            'What goes on: `feeds`, the calendar feeds; `hooks`, the hooks; `tokens`, the personal tokens. Left out: `feeds`; an empty list ends all.',
        }),
      ),
    }),
    bodyOptional: true,
    data: Done,
    message: '退出登录成功',
    example: { body: { keep: ['feeds'] } },
    answerHeaders: grantHeaderDocs,
    run: async (call) => {
      const { keep } = call.body;
      return tellDone(call.answer.headers(grantHeaders(await accounts.logoutAll(call.student, keep))));
    },
  }),
  operation('GET /auth/sessions', 'listSessions', {
    ...defaults,
    ownLimitOnly: true,
    summary: { en: 'Valid tokens of the student', zh: '当前有效的登录' },
    description:
      'Where the student is logged in: one session per token, the newest first. Only the student sees from which network a token was last used, and which program logged in.',
    data: object('SessionsResponse', 'Where the student is logged in.', {
      sessions: Type.Array(
        object('TokenSession', 'A valid token of the student.', {
          id: text('Names the session; of no use as a token.', '5f2c8a1e9b3d4706'),
          created_at: text('Login or registration, in campus time.', '2026-03-02 09:14:31'),
          ...lastUse,
          client: textOrNull(
            'Name of the program that logged in, as its `User-Agent` begins; null when it is not known.',
            'CampusApp',
          ),
          current: flag('It is the token of this call.', true),
        }),
        { description: 'The newest first.' },
      ),
    }),
    message: '获取登录会话成功',
    run: async (call) => {
      const sessions = (await accounts.sessions(call.student)).map(({ createdAt, lastUsedAt, ...session }) => ({
        ...session,
        created_at: campusTimestamp(createdAt, timeZone),
        last_used_at: campusTimestamp(lastUsedAt, timeZone),
      }));
      return { sessions };
    },
  }),
  operation('DELETE /auth/sessions/:id', 'deleteSession', {
    ...defaults,
    ownLimitOnly: true,
    summary: { en: 'Revoke one token', zh: '结束一个登录' },
    description:
      'Revokes the token with that id of `GET /auth/sessions`, which may be the one of this call. The hooks that another session has made end with it unless `X-Keep` names them.',
    params: Type.Object({ id: text('Id of a session.', '5f2c8a1e9b3d4706') }),
    requestHeaders: {
      'X-Keep': {
        description: '`hooks`: the hooks that the session has made go on. Left out: they end.',
        schema: { type: 'string' },
      },
    },
    answerHeaders: grantHeaderDocs,
    data: Done,
    message: '已退出该会话',
    run: async (call) => {
      const keep = keptKinds(call.headers['x-keep']?.toString());
      const grants = await accounts.endSession(call.student, call.params.id, keep);
      if (grants === null) throw failures.sessionUnknown();
      return tellDone(call.answer.headers(grantHeaders(grants)));
    },
  }),
  // Some clients and proxies cannot send a body with DELETE, so the deletion has a second address.
  ...(
    [
      ['DELETE /auth/account', 'deleteAccount', '注销账号'],
      ['POST /auth/account/delete', 'deleteAccountByPost', '注销账号（POST）'],
    ] as const
  ).map(([route, id, zh]) =>
    operation(route, id, {
      ...defaults,
      credentials: true,
      summary: { en: 'Account deletion', zh },
      description:
        'Erases everything of the student. Both passwords are compared with the stored ones only. Tokens, passwords, sessions, feeds and hooks are gone before the answer; where very many other rows remain, the words say so, and the id can be registered again once they have gone too.',
      body: object('AccountDeletionRequest', 'Both passwords, as they are stored.', passwords),
      data: Done,
      message: '账号已删除',
      failures: ['CREDENTIALS_INVALID'],
      run: async (call) => {
        const { password, vpn_password: vpnPassword } = call.body;
        const outcome = await accounts.deleteAccount(call.student, { password, vpnPassword }, call);
        return outcome === 'erased' ? tellDone() : new Told(tellDone(), stillErased);
      },
    }),
  ),
];
