import { inTheApp, personText } from '../common/texts.ts';

// What surface B says: its codes, its words and its reasons.

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
