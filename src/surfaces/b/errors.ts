import type { Failure, FailureKind, SignInStep } from '../../domain/errors.ts';

/** Every `error.code` with its status and default message. */
export const errorTable = {
  INVALID_AUTHENTICATION: { status: 401, message: '无效的认证信息' },
  FORBIDDEN: { status: 403, message: '禁止访问' },
  USER_NEED_RESET_PASSWORD: { status: 403, message: '用户需要重置密码' },
  CREDENTIALS_INVALID: { status: 403, message: '凭证无效' },
  REMOTE_CREDENTIALS_INVALID: { status: 403, message: '远程凭证无效，VPN密码或登录密码错误' },
  INVITE_CODE_INVALID: { status: 403, message: '邀请码错误' },
  TOKEN_INVALID: { status: 403, message: 'Token无效' },
  USERID_EXISTS: { status: 409, message: '用户ID已存在' },
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

/** Which words an operation finds for a failure that others word differently. */
export type FailureWording = 'data' | 'applications' | 'login' | 'register';

export interface Answer {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whole seconds for `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The envelope's `data`; null but for the few refusals that have one. */
  readonly data: unknown;
}

/** What the registration calls the two steps. */
const stepCodes: Readonly<Record<SignInStep, { refused: ErrorCode; unavailable: ErrorCode }>> = {
  portal: { refused: 'EC_PASSWORD_ERROR', unavailable: 'EC_SERVER_ERROR' },
  'unified-login': { refused: 'UAAP_PASSWORD_ERROR', unavailable: 'UAAP_SERVER_ERROR' },
};

const partWords = {
  sections: '无法获取节次时间信息，请稍后再试',
  courses: '无法获取课表信息，请稍后再试',
  'plan-tree': '未找到有效的培养方案数据，请检查登录状态或稍后再试',
  term: '无法获取学期信息，请稍后再试',
  questionnaire: '评教页面读取失败，请稍后重试',
} as const;

/** A part of the campus's data whose loss has words of its own. */
export type WordedPart = keyof typeof partWords;

/** Which of several parts of the campus's data could not be had. */
export const partMessages: Readonly<Record<string, string>> = partWords;

/** Which of several staged images an update named in vain. */
const unusableImages: Readonly<Record<string, string>> = {
  avatar: '提供的头像 UUID 无效或已过期',
  'light-background': '提供的浅色模式背景图片 UUID 无效或已过期',
  'dark-background': '提供的深色模式背景图片 UUID 无效或已过期',
};

/** After a write whose answer was lost. */
export const checkTheResult = '无法确认操作是否已生效，请查询结果后再决定是否重试';

const never = (kind: never): never => {
  throw new Error(`unmapped failure ${String(kind)}`);
};

const codeOf = (kind: FailureKind, step: SignInStep | undefined, wording: FailureWording): ErrorCode => {
  const steps = stepCodes[step ?? 'portal'];
  switch (kind) {
    case 'token-missing':
    case 'token-unknown':
    case 'token-user-gone':
      return 'INVALID_AUTHENTICATION';
    case 'forbidden':
      return 'FORBIDDEN';
    case 'user-unknown':
    case 'account-proof-refused':
      return 'CREDENTIALS_INVALID';
    case 'userid-taken':
      return 'USERID_EXISTS';
    case 'userid-malformed':
      return 'VALIDATION_ERROR';
    case 'invite-code-invalid':
      return 'INVITE_CODE_INVALID';
    case 'invite-token-invalid':
      return 'TOKEN_INVALID';
    case 'login-cool-down':
    case 'rate-limited':
    case 'room-refresh-running':
    case 'room-refresh-cool-down':
      return 'COOLDOWN';
    case 'registration-cool-down':
      return 'REGISTER_IN_COOLDOWN';
    case 'credentials-refused':
      if (wording === 'register') return steps.refused;
      return wording === 'login' ? 'REMOTE_CREDENTIALS_INVALID' : 'USER_NEED_RESET_PASSWORD';
    case 'stored-credentials-refused':
    case 'stored-credentials-unreadable':
      return 'USER_NEED_RESET_PASSWORD';
    case 'sign-in-guarded':
    case 'sign-in-unavailable':
      return wording === 'register' ? steps.unavailable : 'REMOTE_SERVICE_ERROR';
    case 'ticket-unavailable':
    case 'upstream-unavailable':
    case 'upstream-unreadable':
    case 'upstream-refused':
    case 'session-lost':
    case 'outcome-unknown':
      return 'REMOTE_SERVICE_ERROR';
    case 'upstream-empty':
      return 'NULL_RESPONSE';
    case 'room-unknown':
      return 'ROOM_NOT_FOUND';
    case 'plan-unknown':
      return 'PLAN_NOT_FOUND';
    case 'room-unbound':
      return 'UNBOUND_ROOM';
    case 'profile-unknown':
      return 'PROFILE_NOT_FOUND';
    case 'nothing-to-update':
      return 'NEED_ONE_MORE_FIELD';
    case 'nickname-too-long':
      return 'VALIDATION_ERROR';
    case 'image-unsupported':
      return 'MIMETYPE_NOT_ALLOWED';
    case 'image-too-large':
      return 'TOO_LARGE_IMAGE';
    case 'staged-image-unusable':
    case 'image-address-expired':
      return 'RESOURCE_EXPIRED';
    case 'image-unknown':
    case 'session-unknown':
    case 'feed-unknown':
      return 'NOT_FOUND';
    case 'feed-limit':
      return 'FEED_LIMIT';
    case 'image-store-failed':
      return 'REMOTE_SERVICE_ERROR';
    case 'no-copy':
      return 'NO_COPY';
    case 'timed-out':
      return 'TIMEOUT';
    case 'overloaded':
    case 'feed-lost':
    case 'feeds-off':
      return 'SERVICE_UNAVAILABLE';
    case 'client-gone':
    case 'storage-failed':
      return 'SERVER_ERROR';
    case 'internal':
      return wording === 'applications' ? 'UNKNOWN' : 'SERVER_ERROR';
    default:
      return never(kind);
  }
};

const coolDownMessage = (remainingMs: number): string => {
  const seconds = Math.floor(remainingMs / 1000);
  return `刷新操作冷却中，请在 ${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒后重试`;
};

const messageOf = (failure: Failure, code: ErrorCode, wording: FailureWording): string => {
  if (failure.kind === 'token-unknown') return '无效的认证令牌';
  if (failure.kind === 'outcome-unknown') return checkTheResult;
  if (failure.kind === 'room-refresh-running') return '其他用户正在刷新房间列表，请稍后再试';
  if (failure.kind === 'room-refresh-cool-down') return coolDownMessage(failure.remainingMs ?? 0);
  if (failure.kind === 'staged-image-unusable') return unusableImages[failure.part ?? ''] ?? errorTable[code].message;
  if (code === 'COOLDOWN' && wording === 'login') return '操作过于频繁，请稍后再试';
  if (failure.kind === 'upstream-refused' && failure.upstreamMessage) return failure.upstreamMessage;
  if (code === 'REMOTE_SERVICE_ERROR' && failure.part !== undefined) {
    return partMessages[failure.part] ?? errorTable[code].message;
  }
  return errorTable[code].message;
};

/** A refused refresh of the room list also says in its data what is left of the cool-down. */
const dataOf = ({ kind, remainingMs = 0 }: Failure, message: string): unknown =>
  kind === 'room-refresh-running' || kind === 'room-refresh-cool-down'
    ? { success: false, message, remaining_cooldown: remainingMs / 1000 }
    : null;

/** A 429 or 503 without a stated wait still says when to come back. */
const defaultWait: Readonly<Record<number, number>> = { 429: 60, 503: 10 };

/** The answer of this surface to every kind of failure. Nothing raw passes through. */
export const answerOf = (failure: Failure, wording: FailureWording): Answer => {
  // A write whose answer never came is a time-out in the words of this surface; one whose answer made no sense is not.
  const unanswered = failure.kind === 'outcome-unknown' && failure.upstreamStatus === undefined;
  const code = unanswered ? 'TIMEOUT' : codeOf(failure.kind, failure.step, wording);
  const message = messageOf(failure, code, wording);
  return {
    code,
    message,
    retryAfterSeconds: failure.retryAfterSeconds ?? defaultWait[errorTable[code].status],
    data: dataOf(failure, message),
  };
};
