import type { Failure, FailureKind } from '../../domain/errors.ts';
import { type ChallengePlace, challengeMessage } from '../records/challenges.ts';
import { inTheApp, missingScopeText, notOfferedText, personText } from '../records/texts.ts';

/** What a failure is on the wire, before it is written. */
export interface Answer {
  /** `auth-status` has no `data` member; `error` has `data: null` or the given one. */
  readonly variant: 'auth-status' | 'error';
  readonly code: number;
  readonly message: string;
  /** HTTP status; 200 for everything the application decides. */
  readonly status: 200 | 503;
  /** Seconds for the header `Retry-After`. */
  readonly retryAfter: number | undefined;
}

/** Groups of operations whose failures look alike. */
export type OperationGroup = 'user' | 'academics' | 'evaluation' | 'activity-score';

/** Texts and codes by which one operation differs from its group. */
export type Overrides = Partial<Record<FailureKind, { readonly code: number; readonly message: string }>>;

const campusDown = '校园网络暂不可用，请稍后重试';
const serviceFault = '服务内部错误';

const systemDown: Record<OperationGroup, string> = {
  user: campusDown,
  academics: '教务系统暂不可用，请稍后重试',
  evaluation: '教务系统暂不可用，请稍后重试',
  'activity-score': '活动分系统暂不可用，请稍后重试',
};

const refused = {
  portal: 'VPN登录失败，请检查用户名和密码',
  'unified-login': '大学登录失败，请检查用户名和密码',
} as const;

const error = (code: number, message: string, failure: Failure): Answer => ({
  variant: 'error',
  code,
  message,
  status: 200,
  // Every 429 carries the header; a minute is right for any limit that does not state its own length.
  retryAfter: failure.retryAfterSeconds ?? (code === 429 ? 60 : undefined),
});

/** A credential problem: without `data` where the interface has that variant, as a plain error elsewhere. */
const credential = (group: OperationGroup, code: number, message: string, failure: Failure): Answer => ({
  ...error(code, message, failure),
  variant: group === 'user' ? 'error' : 'auth-status',
});

/** Overload and shutdown are the service's own state: the one failure that leaves HTTP 200. */
const overloaded = (retryAfter: number | undefined): Answer => ({
  variant: 'error',
  code: 503,
  message: '服务繁忙，请稍后重试',
  status: 503,
  retryAfter: retryAfter ?? 5,
});

export const bodyTooLarge: Answer = {
  variant: 'error',
  code: 413,
  message: '请求体过大',
  status: 200,
  retryAfter: undefined,
};

export const bodyTooSlow: Answer = { ...bodyTooLarge, code: 408, message: '请求体接收超时' };

const never = (kind: never): never => {
  throw new Error(`unmapped failure ${String(kind)}`);
};

/** The answer of this surface to every kind of failure. The messages are fixed texts; nothing raw passes through. */
export const answerOf = (failure: Failure, group: OperationGroup, overrides: Overrides = {}): Answer => {
  const special = overrides[failure.kind];
  if (special) return error(special.code, special.message, failure);
  switch (failure.kind) {
    case 'token-missing':
    case 'token-unknown':
      return credential(group, 401, '无效的令牌或用户不存在', failure);
    case 'token-user-gone':
      return credential(group, 401, group === 'user' ? '无效的令牌或用户不存在' : '用户不存在', failure);
    case 'forbidden':
      return error(403, '没有权限', failure);
    case 'scope-missing':
      return error(403, missingScopeText(failure.scope), failure);
    case 'no-copy':
      return error(504, '没有可用的数据副本', failure);
    case 'user-unknown':
      return error(400, '用户不存在', failure);
    case 'userid-taken':
      return error(400, '用户已存在', failure);
    case 'userid-malformed':
      return error(400, '学号格式不正确', failure);
    case 'invite-code-invalid':
      return error(400, '邀请码无效或已过期', failure);
    case 'invite-token-invalid':
      return error(400, '无效的邀请令牌', failure);
    case 'login-cool-down':
      return error(429, '操作过于频繁，请稍后再试', failure);
    case 'registration-cool-down':
      return error(429, '注册请求过于频繁，请稍后再试', failure);
    case 'rate-limited':
      return error(429, '请求过于频繁，请稍后再试', failure);
    case 'account-proof-refused':
      return error(403, '用户名或密码错误', failure);
    case 'credentials-refused':
    case 'stored-credentials-refused':
      return credential(group, 400, refused[failure.step ?? 'unified-login'], failure);
    case 'stored-credentials-unreadable':
      // Only a new login can seal the pair again; nothing about the old one is known to be wrong.
      return credential(group, 401, '登录状态已失效，请重新登录', failure);
    case 'person-needed':
      return group === 'user'
        ? error(403, notOfferedText(failure.wanted ?? 'unknown', failure.step), failure)
        : error(400, personText(failure.wanted ?? 'unknown', failure.step), failure);
    case 'challenge-busy':
      return error(429, '另一次验证正在进行，请稍后再试', failure);
    case 'login-challenge':
      return error(428, inTheApp, failure);
    case 'sign-in-guarded':
    case 'sign-in-unavailable':
      return error(500, campusDown, failure);
    case 'timed-out':
      return error(500, failure.step === undefined ? systemDown[group] : campusDown, failure);
    case 'ticket-unavailable':
    case 'upstream-unavailable':
    case 'upstream-unreadable':
    case 'upstream-refused':
    case 'upstream-empty':
    case 'session-lost':
    case 'outcome-unknown':
      return error(500, systemDown[group], failure);
    case 'nothing-to-update':
      return error(400, '没有可更新的内容', failure);
    case 'nickname-too-long':
      return error(400, '昵称过长', failure);
    case 'image-unsupported':
      return error(400, '图片数据无效', failure);
    case 'image-too-large':
      return error(413, '图片过大', failure);
    case 'not-offered':
      return error(501, '本服务未接入该校园系统', failure);
    case 'overloaded':
      return overloaded(failure.retryAfterSeconds);
    // This surface has no operation that meets these.
    case 'challenge-unknown':
    case 'challenge-needless':
    case 'challenge-answer':
    case 'challenge-target':
    case 'campus-busy':
    case 'session-unknown':
    case 'login-again':
    case 'token-limit':
    case 'token-replaced':
    case 'plan-unknown':
    case 'feed-unknown':
    case 'feed-limit':
    case 'feed-lost':
    case 'feeds-off':
    case 'hook-unknown':
    case 'hook-limit':
    case 'profile-unknown':
    case 'image-unknown':
    case 'image-address-expired':
    case 'staged-image-unusable':
    case 'room-unknown':
    case 'room-unbound':
    case 'room-refresh-running':
    case 'room-refresh-cool-down':
    case 'client-gone':
    case 'image-store-failed':
    case 'storage-failed':
    case 'internal':
      return error(500, serviceFault, failure);
    default:
      return never(failure.kind);
  }
};

/** The same, with the words for the challenge that it began. */
export const answerTo = (
  failure: Failure,
  group: OperationGroup,
  place: ChallengePlace,
  overrides?: Overrides,
): Answer => {
  const answer = answerOf(failure, group, overrides);
  return failure.challenge ? { ...answer, message: challengeMessage(failure.challenge, place) } : answer;
};
