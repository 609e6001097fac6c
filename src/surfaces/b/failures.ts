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
  lockedText,
  missingScopeText,
  personText,
  stillErasingText,
  systemTexts,
  withTriesLeft,
} from '../common/texts.ts';
import {
  checkTheResult,
  type ErrorCode,
  errorTable,
  type FailureReason,
  type FailureWording,
  partMessages,
} from './error-codes.ts';

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
