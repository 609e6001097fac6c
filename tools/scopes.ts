import { scopeNames, scopes } from '../src/domain/scopes.ts';
import { isRecord } from '../src/lib/text.ts';

type Json = Record<string, unknown>;
const record = (value: unknown): Json => (isRecord(value) ? value : {});

const callsFor = (document: Json, need: string): string =>
  Object.entries(record(document.paths))
    .flatMap(([path, item]) =>
      Object.entries(record(item))
        .filter(([, operation]) => record(operation)['x-token-scope'] === need)
        .map(([method]) => `\`${method.toUpperCase()} ${path}\``),
    )
    .join('<br>');

const english = {
  text: `# Personal tokens and their scopes

Generated from the interface description by \`npm run documents\`; \`npm run check\` compares. Do not edit.

For a widget, a script or an assistant a student makes a token that can do only what its scopes say:

\`\`\`sh
curl -s $BASE/auth/tokens -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"widget","scopes":["schedule:read","exams:read"],"copies_only":true,"days":90}'
\`\`\`

- The answer has the token (\`cgp_\`, 43 characters, 6 of a checksum) this once. It works wherever a token works, on both surfaces,
  for 7, 30, 90 or 365 days, which use does not prolong. A student has at most 20 beside the five logins.
- \`/docs\` makes one after a login there, of the scopes that are ticked.
- It is made and rotated with a token of a login within 24 hours (else 403 \`LOGIN_AGAIN\`), listed, renamed and deleted with that of
  any login. \`POST /auth/tokens/{id}/rotate\` gives a new one; the old one lives for 24 hours more, or with \`{"now":true}\` not at all.
- What it lacks is 403 \`INSUFFICIENT_SCOPE\` with \`WWW-Authenticate: Bearer error="insufficient_scope", scope="…"\`, below
  \`/api/v1\` code 403. No scope contains another.
- \`copies_only\`: it never causes a request at the campus, no matter what a call says: a copy of any age, else 504 \`NO_COPY\` (code 504).
  Not with a scope that writes.
- 120 calls a minute each and 300 together; together 60 readings at the campus an hour, then a copy where one is allowed, else 429.
- It proves nothing: a login that sends it is a stranger's. It ends with replaced passwords, a logout everywhere and
  \`campus user revoke\`, unless \`keep\` or \`X-Keep\` names \`tokens\`.
- \`GET /auth/tokens\` and \`GET /auth/sessions\` say when and where each token was used last. \`GET /account/export\` is everything that is stored of the student.`,
  heads: ['Scope', 'Allows', 'Calls'],
  login: 'tokens of logins alone',
  any: 'any token',
};

const chinese: typeof english = {
  text: `[English](../reference/scopes.md) · [中文文档首页](README.md)

# 个人令牌与权限

本页由 \`npm run documents\` 根据接口描述生成，\`npm run check\` 会比对。请勿手工修改。

学生可以为小组件、脚本或助手创建个人令牌，它只能做权限所允许的事：

\`\`\`sh
curl -s $BASE/auth/tokens -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"小组件","scopes":["schedule:read","exams:read"],"copies_only":true,"days":90}'
\`\`\`

- 令牌（\`cgp_\`、43 个字符、6 个校验字符）只在创建时显示一次，两套接口通用，有效期为 7、30、90 或 365 天，使用不会延长。除五个登录令牌外，
  每名学生最多 20 个。
- 在 \`/docs\` 登录后，勾选权限即可创建。
- 创建和轮换需要 24 小时内登录所得的令牌（否则 403 \`LOGIN_AGAIN\`）；查看、改名和删除可用任何登录令牌。轮换后旧令牌再有效 24 小时，
  加 \`{"now":true}\` 则立即失效。
- 缺少权限时为 403 \`INSUFFICIENT_SCOPE\`，并带 \`WWW-Authenticate\`；在 \`/api/v1\` 下 code 为 403。各权限互不包含。
- \`copies_only\`：无论请求怎么写，都不会访问校园系统，只返回任意时间的副本，没有则 504 \`NO_COPY\`（code 504）。不能与写权限同时使用。
- 每个令牌每分钟 120 次，合计 300 次；合计每小时最多向学校读取 60 次，超出后返回副本或 429。
- 它不能证明本人身份。更换密码、全部退出和 \`campus user revoke\` 会使其失效，除非 \`keep\` 或 \`X-Keep\` 写明 \`tokens\`。
- \`GET /auth/tokens\` 和 \`GET /auth/sessions\` 列出每个令牌最后使用的时间和网络。
  \`GET /account/export\` 导出所存的该学生的全部数据。`,
  heads: ['权限', '允许', '接口'],
  login: '仅登录令牌',
  any: '任何令牌',
};

/** `docs/reference/scopes.md` and `docs/zh/scopes.md`: what personal tokens are, and every operation by what it asks of one. */
export const scopesDocument = (document: Json, language: 'en' | 'zh'): string => {
  const { text, heads, login, any } = language === 'en' ? english : chinese;
  const rows = [
    ...scopeNames.map((scope) => [`\`${scope}\``, scopes[scope][language], callsFor(document, scope)]),
    ['', any, callsFor(document, 'any')],
    ['', login, callsFor(document, 'login')],
  ];
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${text}\n\n${lines.join('\n')}\n`;
};
