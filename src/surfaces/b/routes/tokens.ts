import { type TProperties, Type } from '@sinclair/typebox';
import {
  type MadePersonalToken,
  type PersonalToken,
  personalDays,
} from '../../../domain/accounts/tokens/personal-tokens.ts';
import { flag, literals, object, text, textOrNull } from '../../../domain/record.ts';
import { isWriting, type Scope, scopeNames } from '../../../domain/scopes.ts';
import { RequestInvalid, withPattern, wrongValue } from '../../../http/requests/findings.ts';
import { campusTimestamp } from '../../../lib/time.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { Done, lastUse, tellDone } from './account.ts';

const defaults = { level: 'T', tag: 'Personal tokens', scope: 'login' } as const;

const name = withPattern(
  {
    minLength: 1,
    maxLength: 50,
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f]*$',
    description: 'What its owner calls it; no control characters.',
    examples: ['桌面小组件'],
  },
  { en: 'Control characters are not allowed', zh: '不能包含控制字符' },
);
const scopeList = (limits: object) =>
  Type.Array(literals(scopeNames), {
    ...limits,
    examples: [['schedule:read', 'exams:read']],
    description: 'What it may do; `docs/reference/scopes.md` lists the operations of each.',
  });
const copiesOnlyFlag = flag(
  'It never causes a request at the campus, no matter what a call says: a copy of any age, else 504 `NO_COPY`.',
  true,
);

const members = {
  id: text('Names the token; of no use as one.', '3c9a51e07b2d48f6'),
  name,
  scopes: scopeList({}),
  copies_only: copiesOnlyFlag,
  created_at: text('In campus time.', '2026-03-18 10:00:00'),
  expires_at: text('Its end, in campus time.', '2026-06-16 10:00:00'),
  ...lastUse,
  replaced_by: textOrNull('Id of the token that was rotated in for it; null: none.', null),
} satisfies TProperties;

const MadeToken = object('MadeToken', 'A personal token with its secret.', {
  ...members,
  token: text(
    'The bearer token. It is a secret, and shown this once.',
    'cgp_ZXhhbXBsZS10b2tlbi1mb3ItdGhlLWRvY3VtZW50LTEyM-W37hg',
  ),
});
const TokenPath = Type.Object({ id: text('Id of a personal token.', '3c9a51e07b2d48f6') });

const copiesAreNotWritten = new RequestInvalid([
  {
    ...wrongValue({ en: 'A token for copies only takes no scope that writes', zh: '只读副本的令牌不能有写权限' }),
    loc: ['body', 'copies_only'],
  },
]);

export const tokenOperations = ({ services: { personalTokens: tokens }, timeZone }: SurfaceBDeps): Operation[] => {
  const present = ({ copiesOnly, createdAt, expiresAt, lastUsedAt, replacedBy, scopes, ...rest }: PersonalToken) => ({
    ...rest,
    scopes: [...scopes] as Scope[],
    copies_only: copiesOnly,
    created_at: campusTimestamp(createdAt, timeZone),
    expires_at: campusTimestamp(expiresAt, timeZone),
    last_used_at: campusTimestamp(lastUsedAt, timeZone),
    replaced_by: replacedBy,
  });
  const presentMade = ({ secret, token }: MadePersonalToken) => ({ ...present(token), token: secret });

  return [
    operation('POST /auth/tokens', 'createToken', {
      ...defaults,
      summary: { en: 'New personal token', zh: '新建个人令牌' },
      description:
        'Makes a token for a program of the student, which can do what its scopes say on both surfaces, and ends on a fixed day. Only with a token of a login within 24 hours. At most twenty; 120 calls a minute each and 300 together, and together 60 readings at the campus an hour.',
      body: object('TokenRequest', 'A personal token to be made.', {
        name,
        scopes: scopeList({ minItems: 1, maxItems: scopeNames.length, uniqueItems: true }),
        copies_only: Type.Optional(copiesOnlyFlag),
        days: Type.Union(
          personalDays.map((days) => Type.Literal(days)),
          { description: 'For how many days it is good; use does not prolong it.', examples: [90] },
        ),
      }),
      data: MadeToken,
      message: '个人令牌创建成功',
      failures: ['LOGIN_AGAIN', 'TOKEN_LIMIT'],
      run: async (call) => {
        const { name, scopes, copies_only: copiesOnly = false, days } = call.body;
        if (copiesOnly && scopes.some(isWriting)) throw copiesAreNotWritten;
        return presentMade(await tokens.make(call.student, { name, scopes, copiesOnly, days }, call));
      },
    }),
    operation('GET /auth/tokens', 'listTokens', {
      ...defaults,
      ownLimitOnly: true,
      summary: { en: 'Personal tokens of the student', zh: '个人令牌列表' },
      description: 'Without their secrets, which are told once, when a token is made.',
      data: object('TokenList', 'The personal tokens of the student.', {
        tokens: Type.Array(object('PersonalToken', 'A personal token.', members), { description: 'The newest first.' }),
      }),
      message: '获取个人令牌成功',
      run: async (call) => ({ tokens: (await tokens.list(call.student)).map(present) }),
    }),
    operation('PATCH /auth/tokens/:id', 'renameToken', {
      ...defaults,
      summary: { en: 'Rename a personal token', zh: '重命名个人令牌' },
      description: 'Only what its owner calls it changes.',
      params: TokenPath,
      body: object('RenameTokenRequest', 'A new name.', { name }),
      data: Done,
      message: '个人令牌已重命名',
      example: { body: { name: '手机小组件' } },
      run: async (call) => tellDone(await tokens.rename(call.student, call.params.id, call.body.name)),
    }),
    operation('POST /auth/tokens/:id/rotate', 'rotateToken', {
      ...defaults,
      summary: { en: 'Rotate a personal token', zh: '更换个人令牌' },
      description:
        'Makes a token that may do the same for as many days. The old one lives for 24 hours more, so that its program can be told, or not at all. Only with a token of a login within 24 hours.',
      params: TokenPath,
      body: object('RotateTokenRequest', 'What becomes of the old token.', {
        now: Type.Optional(flag('True: the old token ends at once. Left out: it lives for 24 hours more.', true)),
      }),
      bodyOptional: true,
      data: MadeToken,
      message: '个人令牌轮换成功',
      failures: ['LOGIN_AGAIN', 'TOKEN_REPLACED'],
      run: async (call) => presentMade(await tokens.rotate(call.student, call.params.id, call.body.now === true, call)),
    }),
    operation('DELETE /auth/tokens/:id', 'deleteToken', {
      ...defaults,
      ownLimitOnly: true,
      summary: { en: 'Delete a personal token', zh: '删除个人令牌' },
      description: 'It is good for nothing from then on.',
      params: TokenPath,
      data: Done,
      message: '个人令牌已删除',
      run: async (call) => tellDone(await tokens.end(call.student, call.params.id)),
    }),
  ];
};
