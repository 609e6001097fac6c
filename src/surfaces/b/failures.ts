import { isChallengeKind } from '../../domain/challenge.ts';
import {
  type CampusSystem,
  campusSaysOf,
  type Failure,
  type FailureKind,
  forAll,
  type SignInStep,
} from '../../domain/errors.ts';
import { type ChallengePlace, presentChallenge, presentWanted } from '../common/challenges.ts';
import {
  campusSaysText,
  elsewhereText,
  inTheApp,
  lockedText,
  missingScopeText,
  personText,
  stillErasingText,
  systemTexts,
  withTriesLeft,
} from '../common/texts.ts';

/** Every `error.code` with its status and default message. */
export const errorTable = {
  INVALID_AUTHENTICATION: { status: 401, message: '无效的认证信息' },
  INSUFFICIENT_SCOPE: { status: 403, message: '此令牌没有所需的权限' },
  LOGIN_AGAIN: { status: 403, message: '请重新登录后再试：此操作需要24小时内登录的令牌' },
  FORBIDDEN: { status: 403, message: '禁止访问' },
  USER_NEED_RESET_PASSWORD: { status: 403, message: '用户需要重置密码' },
  PERSON_NEEDED: { status: 403, message: personText('unknown') },
  LOGIN_CHALLENGE: { status: 428, message: inTheApp },
  CHALLENGE_BUSY: { status: 409, message: '另一次验证正在进行，请稍后再试' },
  CHALLENGE_NEEDLESS: { status: 409, message: '登录状态仍然有效，无需验证' },
  CREDENTIALS_INVALID: { status: 403, message: '凭证无效' },
  REMOTE_CREDENTIALS_INVALID: { status: 403, message: '远程凭证无效，VPN密码或登录密码错误' },
  INVITE_CODE_INVALID: { status: 403, message: '邀请码错误' },
  TOKEN_INVALID: { status: 403, message: 'Token无效' },
  USERID_EXISTS: { status: 409, message: '用户ID已存在' },
  TOKEN_LIMIT: { status: 409, message: '个人令牌数量已达上限，请先删除不用的令牌' },
  TOKEN_REPLACED: { status: 409, message: '此令牌已被轮换，请使用新的令牌' },
  HOOK_LIMIT: { status: 409, message: '事件推送数量已达上限，请先删除不用的推送' },
  FEED_LIMIT: { status: 409, message: '日历订阅数量已达上限，请先删除不用的订阅' },
  EC_PASSWORD_ERROR: { status: 400, message: 'EC密码错误' },
  UAAP_PASSWORD_ERROR: { status: 400, message: 'UAAP密码错误' },
  EC_SERVER_ERROR: { status: 502, message: 'EC服务错误' },
  UAAP_SERVER_ERROR: { status: 502, message: 'UAAP服务错误' },
  REGISTER_IN_COOLDOWN: { status: 429, message: '注册请求过于频繁，请稍后再试' },
  COOLDOWN: { status: 429, message: '请求过于频繁，请稍后再试' },
  NEED_ONE_MORE_FIELD: { status: 400, message: '需要至少提供一个字段进行更新' },
  PROFILE_NOT_FOUND: { status: 404, message: '用户资料未找到' },
  RESOURCE_EXPIRED: { status: 410, message: '资源已过期' },
  TOO_LARGE_IMAGE: { status: 413, message: '上传的图片过大' },
  MIMETYPE_NOT_ALLOWED: { status: 415, message: '不支持的图片格式' },
  UNBOUND_ROOM: { status: 400, message: '房间未绑定' },
  ROOM_NOT_FOUND: { status: 404, message: '房间信息不存在' },
  PLAN_NOT_FOUND: { status: 404, message: '培养方案不存在' },
  EMPTY_PATH: { status: 400, message: '请求路径不能为空' },
  VALIDATION_ERROR: { status: 422, message: '请求参数验证错误' },
  REMOTE_SERVICE_ERROR: { status: 502, message: '远程服务错误' },
  NULL_RESPONSE: { status: 502, message: '远程服务返回空响应' },
  NOT_OFFERED: { status: 501, message: '本服务未接入该校园系统' },
  NO_COPY: { status: 504, message: '没有可用的数据副本' },
  TIMEOUT: { status: 504, message: '请求远程服务超时' },
  SERVER_ERROR: { status: 500, message: '服务器错误' },
  UNKNOWN: { status: 500, message: '未知错误' },
  NOT_FOUND: { status: 404, message: '请求的资源不存在' },
  METHOD_NOT_ALLOWED: { status: 405, message: '请求方法不被允许' },
  BODY_TOO_SLOW: { status: 408, message: '请求体接收超时' },
  BODY_TOO_LARGE: { status: 413, message: '请求体过大' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: '不支持的请求内容类型' },
  SERVICE_UNAVAILABLE: { status: 503, message: '服务暂不可用，请稍后再试' },
  COURSE_NOT_FOUND: { status: 404, message: '课程不在评教列表中' },
  EVALUATION_CONFLICT: { status: 409, message: '评价任务的当前状态不允许此操作' },
  EVALUATION_CLOSED: { status: 409, message: '评教尚未开放或已经结束' },
  EVALUATION_EMPTY: { status: 409, message: '课程列表为空，没有可评价的课程' },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** Words of one operation for failures that others word differently. */
export type Messages = Readonly<Partial<Record<ErrorCode, string>>>;

export type FailureWording = 'data' | 'applications' | 'login' | 'register';

export const partMessages = {
  sections: '无法获取节次时间信息，请稍后再试',
  courses: '无法获取课表信息，请稍后再试',
  'plan-tree': '未找到有效的培养方案数据，请检查登录状态或稍后再试',
  term: '无法获取学期信息，请稍后再试',
  questionnaire: '评教页面读取失败，请稍后重试',
  busy: '教务系统查询过于频繁，请稍后再试',
} as const;

export type WordedPart = keyof typeof partMessages;

/** After a write whose answer was lost. */
export const checkTheResult = '无法确认操作是否已生效，请查询结果后再决定是否重试';

/** Says why where the code leaves it open. The list is closed: clients may take it for complete. */
export const failureReasons = {
  unknown_user: 'the student id is not registered here',
  portal_refused: 'the VPN portal refused its password',
  login_refused: 'the unified login refused its password',
  stored_unreadable: 'the service cannot read the stored passwords any more',
  wrong_pair: 'other passwords than the stored ones',
  campus_busy: 'the campus wants a pause between calls of this sort',
  outcome_unknown: 'the answer to a write was lost: look at its result',
  account_locked: 'the campus does not let this account in, now or at all; told to the student alone',
  campus_closed: 'the campus says that it is closed at this hour',
  campus_blocked: 'the campus lets nothing in from the address of this service',
  confirm_at_campus: 'the campus wants something that the student can do only there, such as a new password',
  application_refused: 'the application of the campus said no',
} as const;

export type FailureReason = keyof typeof failureReasons;

/** Sorts operations by whether they may be repeated. */
export type OperationKind = 'read' | 'change' | 'credentials';

export const kindOfOperation = (method: string, credentials = false): OperationKind => {
  if (credentials) return 'credentials';
  return method === 'GET' || method === 'HEAD' ? 'read' : 'change';
};

/** Statuses after which the same call, sent once more, may succeed and does no harm. */
const passingStatuses: Readonly<Record<OperationKind, readonly number[]>> = {
  read: [408, 429, 502, 503, 504],
  // The outcome of a change that failed at the campus may be unknown. One of this service alone is not told apart: it
  // costs a look at the result.
  change: [408, 429, 503],
  // Passwords, codes and proofs are sent again by the person alone.
  credentials: [],
};

interface CodedFailure<F extends Failure = Failure> {
  readonly code: ErrorCode | ((failure: F, wording: FailureWording) => ErrorCode);
  /** It arose at the campus, at the failure's step or system. */
  readonly campus?: true;
  /** Sending the call once more meets the same, with any status. */
  readonly lasting?: true;
  readonly reason?: FailureReason | Readonly<Record<SignInStep, FailureReason>>;
}

const refused = { portal: 'portal_refused', 'unified-login': 'login_refused' } as const;

const failedAt = { portal: 'EC_SERVER_ERROR', 'unified-login': 'UAAP_SERVER_ERROR' } as const;
const refusedAt = { portal: 'EC_PASSWORD_ERROR', 'unified-login': 'UAAP_PASSWORD_ERROR' } as const;

const signInCode: CodedFailure['code'] = ({ step = 'portal' }, wording) =>
  wording === 'register' ? failedAt[step] : 'REMOTE_SERVICE_ERROR';

const refusedCode: CodedFailure['code'] = ({ step = 'portal' }, wording) => {
  if (wording === 'register') return refusedAt[step];
  return wording === 'login' ? 'REMOTE_CREDENTIALS_INVALID' : 'USER_NEED_RESET_PASSWORD';
};

const invalid = { code: 'VALIDATION_ERROR' } as const;
const campusFailed = { code: 'REMOTE_SERVICE_ERROR', campus: true } as const;

const rows: { readonly [K in FailureKind]: CodedFailure<Failure<K>> } = {
  ...forAll({ code: 'INVALID_AUTHENTICATION' }, 'token-missing', 'token-unknown', 'token-user-gone'),
  forbidden: { code: 'FORBIDDEN' },
  'scope-missing': { code: 'INSUFFICIENT_SCOPE' },
  'login-again': { code: 'LOGIN_AGAIN' },
  'user-unknown': { code: 'CREDENTIALS_INVALID', reason: 'unknown_user' },
  'userid-taken': { code: 'USERID_EXISTS' },
  'userid-erasing': { code: (_failure, wording) => (wording === 'register' ? 'REGISTER_IN_COOLDOWN' : 'COOLDOWN') },
  ...forAll(invalid, 'userid-malformed', 'challenge-answer', 'challenge-target', 'nickname-too-long'),
  'invite-code-invalid': { code: 'INVITE_CODE_INVALID' },
  'invite-token-invalid': { code: 'TOKEN_INVALID' },
  ...forAll({ code: 'COOLDOWN' }, 'login-cool-down', 'rate-limited', 'room-refresh-running', 'room-refresh-cool-down'),
  'registration-cool-down': { code: 'REGISTER_IN_COOLDOWN' },
  ...forAll(
    { code: 'NOT_FOUND' },
    'session-unknown',
    'challenge-unknown',
    'image-unknown',
    'feed-unknown',
    'hook-unknown',
  ),
  'token-limit': { code: 'TOKEN_LIMIT' },
  'token-replaced': { code: 'TOKEN_REPLACED' },
  'account-proof-refused': { code: 'CREDENTIALS_INVALID', reason: 'wrong_pair' },
  'credentials-refused': { code: refusedCode, campus: true, reason: refused },
  'stored-credentials-refused': { code: 'USER_NEED_RESET_PASSWORD', campus: true, reason: refused },
  'stored-credentials-unreadable': { code: 'USER_NEED_RESET_PASSWORD', reason: 'stored_unreadable' },
  'person-needed': { code: 'PERSON_NEEDED', campus: true },
  'login-challenge': { code: 'LOGIN_CHALLENGE', campus: true },
  'challenge-busy': { code: 'CHALLENGE_BUSY' },
  'challenge-needless': { code: 'CHALLENGE_NEEDLESS' },
  ...forAll({ code: signInCode, campus: true }, 'sign-in-guarded', 'sign-in-unavailable'),
  ...forAll(campusFailed, 'ticket-unavailable', 'upstream-unavailable', 'session-lost'),
  'upstream-refused': { ...campusFailed, reason: 'application_refused' },
  'upstream-unreadable': { ...campusFailed, lasting: true },
  'upstream-empty': { code: 'NULL_RESPONSE', campus: true },
  'campus-busy': { ...campusFailed, reason: 'campus_busy' },
  'outcome-unknown': {
    // No answer is a time-out to this surface; one that made no sense is not.
    code: ({ upstreamStatus }) => (upstreamStatus === undefined ? 'TIMEOUT' : 'REMOTE_SERVICE_ERROR'),
    campus: true,
    lasting: true,
    reason: 'outcome_unknown',
  },
  'plan-unknown': { code: 'PLAN_NOT_FOUND' },
  'not-offered': { code: 'NOT_OFFERED' },
  'no-copy': { code: 'NO_COPY', lasting: true },
  'room-unknown': { code: 'ROOM_NOT_FOUND' },
  'room-unbound': { code: 'UNBOUND_ROOM' },
  'profile-unknown': { code: 'PROFILE_NOT_FOUND' },
  'nothing-to-update': { code: 'NEED_ONE_MORE_FIELD' },
  'image-unsupported': { code: 'MIMETYPE_NOT_ALLOWED' },
  'image-too-large': { code: 'TOO_LARGE_IMAGE' },
  ...forAll({ code: 'RESOURCE_EXPIRED' }, 'staged-image-unusable', 'image-address-expired'),
  'image-store-failed': { code: 'REMOTE_SERVICE_ERROR' },
  'feed-limit': { code: 'FEED_LIMIT' },
  ...forAll({ code: 'SERVICE_UNAVAILABLE' }, 'feed-lost', 'feeds-off', 'overloaded'),
  'hook-limit': { code: 'HOOK_LIMIT' },
  'timed-out': { code: 'TIMEOUT', campus: true },
  'client-gone': { code: 'SERVER_ERROR' },
  // A database that is away, locked or full says when to come back; anything else is a defect.
  'storage-failed': {
    code: ({ retryAfterSeconds }) => (retryAfterSeconds === undefined ? 'SERVER_ERROR' : 'SERVICE_UNAVAILABLE'),
  },
  internal: { code: (_failure, wording) => (wording === 'applications' ? 'UNKNOWN' : 'SERVER_ERROR') },
};

const saidReasons = { closed: 'campus_closed', blocked: 'campus_blocked' } as const;

/** What the campus says of the account is for its student alone, which a caller who tries passwords need not be. */
const saidReason = (failure: Failure, operation: OperationKind): FailureReason | undefined => {
  if (failure.kind === 'sign-in-guarded' && failure.passwords === 'locked')
    return operation === 'credentials' && failure.forOwner !== true ? undefined : 'account_locked';
  if (failure.kind === 'person-needed')
    return failure.wanted === undefined || isChallengeKind(failure.wanted) ? undefined : 'confirm_at_campus';
  const said = campusSaysOf(failure);
  return said && saidReasons[said];
};

/** Without `failure` the request itself is refused. `ownLogin`: the application that stands in for the unified login. */
export const failureFactsOf = (
  status: number,
  operation: OperationKind,
  failure?: Failure,
  ownLogin: CampusSystem | null = null,
) => {
  const row = failure && rows[failure.kind];
  const retryable = row?.lasting !== true && passingStatuses[operation].includes(status);
  // From these, a stranger who tries logins learns only that the campus could not be asked.
  if (!row) return { retryable };
  if (operation === 'credentials' && status >= 429) return { retryable, reason: saidReason(failure, operation) };
  const { step, system } = failure;
  const reason =
    saidReason(failure, operation) ?? (typeof row.reason === 'object' ? step && row.reason[step] : row.reason);
  return {
    retryable,
    system: row.campus && (system ?? (step === 'unified-login' ? (ownLogin ?? step) : step)),
    reason,
  };
};

const unusableImages: Readonly<Record<string, string>> = {
  avatar: '提供的头像 UUID 无效或已过期',
  'light-background': '提供的浅色模式背景图片 UUID 无效或已过期',
  'dark-background': '提供的深色模式背景图片 UUID 无效或已过期',
};

/** Of a failure at the campus whose system is known; only an unreadable page and a refusal are answers. */
const systemText = ({ kind, system, step }: Failure): string | null => {
  const name = system ?? step;
  if (!rows[kind].campus || name === undefined) return null;
  if (kind === 'upstream-unreadable') return `${systemTexts[name]}的回答无法识别`;
  return `${systemTexts[name]}${kind === 'upstream-refused' ? '拒绝了这次请求' : '暂时无法使用'}`;
};

/** Rounded up: a caller who waits so long is not refused again. */
const secondsOf = (failure: Failure): number =>
  failure.kind === 'room-refresh-cool-down' ? Math.ceil(failure.remainingMs / 1000) : 0;

const coolDownMessage = (seconds: number): string =>
  `刷新操作冷却中，请在 ${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒后重试`;

const messageOf = (failure: Failure, code: ErrorCode, wording: FailureWording): string => {
  if (failure.kind === 'token-unknown') return '无效的认证令牌';
  if (failure.kind === 'userid-erasing') return stillErasingText;
  if (failure.kind === 'outcome-unknown') return checkTheResult;
  if (failure.kind === 'scope-missing') return missingScopeText(failure.scope);
  const isAttempt = wording === 'login' || wording === 'register';
  if (failure.kind === 'sign-in-guarded' && failure.passwords === 'locked' && (!isAttempt || failure.forOwner))
    return lockedText(failure.step);
  const said = campusSaysOf(failure);
  if (said !== undefined) return campusSaysText[said];
  if (failure.kind === 'person-needed') {
    return (isAttempt ? elsewhereText : personText)(failure.wanted ?? 'unknown', failure.step);
  }
  if (failure.kind === 'campus-busy') return partMessages.busy;
  if (failure.kind === 'room-refresh-running') return '其他用户正在刷新房间列表，请稍后再试';
  if (failure.kind === 'room-refresh-cool-down') return coolDownMessage(secondsOf(failure));
  if (failure.kind === 'staged-image-unusable') return unusableImages[failure.part] ?? errorTable[code].message;
  if (code === 'COOLDOWN' && wording === 'login') return '操作过于频繁，请稍后再试';
  if (failure.kind === 'upstream-refused' && failure.upstreamMessage) return failure.upstreamMessage;
  if (code !== 'REMOTE_SERVICE_ERROR') return errorTable[code].message;
  const lost = Object.entries(partMessages).find(([part]) => part === failure.part);
  // From these, a stranger who tries logins learns only that the campus could not be asked.
  return lost?.[1] ?? ((!isAttempt && systemText(failure)) || errorTable[code].message);
};

const dataOf = (failure: Failure, message: string, pageUrl: string | null): unknown => {
  if (failure.kind === 'person-needed') {
    const { step = 'portal', wanted = 'unknown' } = failure;
    return { challenge: presentWanted(step, wanted, pageUrl, message) };
  }
  const isRefresh = failure.kind === 'room-refresh-running' || failure.kind === 'room-refresh-cool-down';
  return isRefresh ? { success: false, message, remaining_cooldown: secondsOf(failure) } : null;
};

/** A 429 or 503 without a stated wait still says when to come back. */
const defaultWait: Readonly<Record<number, number>> = { 429: 60, 503: 10 };

/** The answer to a failure; `place` is where the student can answer a challenge. */
export const answerOf = (failure: Failure, wording: FailureWording = 'data', place?: ChallengePlace) => {
  const { code: named } = rows[failure.kind] as CodedFailure;
  const code = typeof named === 'string' ? named : named(failure, wording);
  const retryAfterSeconds = failure.retryAfterSeconds ?? defaultWait[errorTable[code].status];
  if (failure.kind === 'login-challenge' && place) {
    const challenge = presentChallenge(failure.challenge, place);
    return { code, message: challenge.message, retryAfterSeconds, data: { challenge } };
  }
  // Nothing raw passes through.
  const message = withTriesLeft(messageOf(failure, code, wording), failure);
  return { code, message, retryAfterSeconds, data: dataOf(failure, message, place?.pageUrl ?? null) };
};
