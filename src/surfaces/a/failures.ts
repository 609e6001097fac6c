import { campusSaysOf, type Failure, type FailureKind, forAll } from '../../domain/errors.ts';
import {
  campusSaysText,
  challengeText,
  elsewhereText,
  inTheApp,
  lockedText,
  missingScopeText,
  personText,
  stillErasingText,
  withTriesLeft,
} from '../common/texts.ts';

export interface Answer {
  /** `auth-status` has no `data`; `error` has `data: null`, or the payload of its operation. */
  readonly variant: 'auth-status' | 'error';
  readonly code: number;
  readonly message: string;
  /** HTTP status; 200 for everything the application decides. */
  readonly status: 200 | 503;
  readonly retryAfter: number | undefined;
}

export type OperationGroup = 'user' | 'academics' | 'evaluation' | 'activity-score';

/** Texts and codes by which one operation differs from its group. */
export type Overrides = Partial<Record<FailureKind, { readonly code: number; readonly message: string }>>;

const campusDown = '校园网络暂不可用，请稍后重试';
const serviceFault = '服务内部错误';
const busy = '服务繁忙，请稍后重试';

const systemDown: Record<OperationGroup, string> = {
  user: campusDown,
  academics: '教务系统暂不可用，请稍后重试',
  evaluation: '教务系统暂不可用，请稍后重试',
  'activity-score': '活动分系统暂不可用，请稍后重试',
};

const systemRefused: Record<OperationGroup, string> = {
  user: campusDown,
  academics: '教务系统没有受理此请求，请稍后重试',
  evaluation: '教务系统没有受理此请求，请稍后重试',
  'activity-score': '活动分系统没有受理此请求，请稍后重试',
};

const refused = {
  portal: 'VPN登录失败，请检查用户名和密码',
  'unified-login': '大学登录失败，请检查用户名和密码',
} as const;

const makeAnswer = (code: number, message: string, retryAfter?: number): Answer => ({
  variant: 'error',
  code,
  message,
  status: 200,
  retryAfter,
});

export const bodyTooLarge = makeAnswer(413, '请求体过大');
export const bodyTooSlow = makeAnswer(408, '请求体接收超时');

interface WordedFailure<F extends Failure = Failure> {
  readonly code: number;
  /** `pageUrl`: where the student can answer besides an app; null where that is unknown. */
  readonly message: string | ((failure: F, group: OperationGroup, pageUrl: string | null) => string);
  /** A credential problem: without `data` where the interface has that variant, as a plain error elsewhere. */
  readonly isCredential?: boolean;
}

const makeRow = <F extends Failure>(message: WordedFailure<F>['message'], code = 500): WordedFailure<F> => ({
  code,
  message,
});
const credential = (code: number, message: WordedFailure['message']): WordedFailure => ({
  code,
  message,
  isCredential: true,
});

const unknownToken = '无效的令牌或用户不存在';
const refusedPair = credential(400, ({ step }) => refused[step ?? 'unified-login']);
const campusWordsOf = (failure: Failure): string => {
  const said = campusSaysOf(failure);
  return said === undefined ? campusDown : campusSaysText[said];
};
const ofSystem: WordedFailure['message'] = (_failure, group) => systemDown[group];

/** Every kind of failure. The messages are fixed texts: nothing raw passes through. */
const rows: { readonly [K in FailureKind]: WordedFailure<Failure<K>> } = {
  ...forAll(credential(401, unknownToken), 'token-missing', 'token-unknown'),
  'token-user-gone': credential(401, (_failure, group) => (group === 'user' ? unknownToken : '用户不存在')),
  forbidden: makeRow('没有权限', 403),
  'scope-missing': makeRow(({ scope }) => missingScopeText(scope), 403),
  'no-copy': makeRow('没有可用的数据副本', 504),
  'user-unknown': makeRow('用户不存在', 400),
  'userid-taken': makeRow('用户已存在', 400),
  'userid-erasing': makeRow(stillErasingText, 429),
  'userid-malformed': makeRow('学号格式不正确', 400),
  'invite-code-invalid': makeRow('邀请码无效或已过期', 400),
  'invite-token-invalid': makeRow('无效的邀请令牌', 400),
  'login-cool-down': makeRow('操作过于频繁，请稍后再试', 429),
  'registration-cool-down': makeRow('注册请求过于频繁，请稍后再试', 429),
  'rate-limited': makeRow('请求过于频繁，请稍后再试', 429),
  'account-proof-refused': makeRow('用户名或密码错误', 403),
  ...forAll(refusedPair, 'credentials-refused', 'stored-credentials-refused'),
  // Only a new login can seal the pair again. It is not known to be wrong.
  'stored-credentials-unreadable': credential(401, '登录状态已失效，请重新登录'),
  // Only the page can help where an app of this surface cannot.
  'person-needed': makeRow(({ wanted = 'unknown', step }, _group, pageUrl) => personText(wanted, step, pageUrl), 400),
  // Clients that know no 409 wait after a 429.
  'challenge-busy': makeRow('另一次验证正在进行，请稍后再试', 429),
  'login-challenge': makeRow(
    ({ challenge }, _group, pageUrl) => (challenge ? challengeText(challenge, pageUrl) : inTheApp),
    428,
  ),
  'sign-in-guarded': makeRow((failure, group) =>
    failure.passwords === 'locked' && (group !== 'user' || failure.forOwner === true)
      ? lockedText(failure.step)
      : campusWordsOf(failure),
  ),
  'sign-in-unavailable': makeRow(campusWordsOf),
  'timed-out': makeRow(({ step }, group) => (step === undefined ? systemDown[group] : campusDown)),
  ...forAll(makeRow<Failure>(ofSystem), 'ticket-unavailable', 'session-lost', 'outcome-unknown'),
  ...forAll(makeRow<Failure>(ofSystem), 'upstream-unavailable', 'upstream-unreadable', 'upstream-empty'),
  'upstream-refused': makeRow((_failure, group) => systemRefused[group]),
  'nothing-to-update': makeRow('没有可更新的内容', 400),
  'nickname-too-long': makeRow('昵称过长', 400),
  'image-unsupported': makeRow('图片数据无效', 400),
  'image-too-large': makeRow('图片过大', 413),
  'not-offered': makeRow('本服务未接入该校园系统', 501),
  overloaded: makeRow(busy, 503),
  ...forAll(makeRow<Failure>(serviceFault), 'client-gone', 'image-store-failed', 'storage-failed', 'internal'),
  // This surface has no operation that meets these.
  ...forAll(
    makeRow<Failure>(serviceFault),
    'challenge-unknown',
    'challenge-needless',
    'challenge-answer',
    'challenge-target',
  ),
  ...forAll(
    makeRow<Failure>(serviceFault),
    'session-unknown',
    'login-again',
    'token-limit',
    'token-replaced',
    'campus-busy',
  ),
  ...forAll(
    makeRow<Failure>(serviceFault),
    'feed-unknown',
    'feed-limit',
    'feed-lost',
    'feeds-off',
    'hook-unknown',
    'hook-limit',
  ),
  ...forAll(
    makeRow<Failure>(serviceFault),
    'room-unknown',
    'room-unbound',
    'room-refresh-running',
    'room-refresh-cool-down',
  ),
  ...forAll(makeRow<Failure>(serviceFault), 'image-unknown', 'image-address-expired', 'staged-image-unusable'),
  ...forAll(makeRow<Failure>(serviceFault), 'plan-unknown', 'profile-unknown'),
};

export const answerOf = (
  failure: Failure,
  group: OperationGroup,
  overrides: Overrides = {},
  pageUrl: string | null = null,
): Answer => {
  const isUser = group === 'user';
  const { kind, retryAfterSeconds } = failure;
  const special = overrides[kind];
  if (failure.kind === 'person-needed' && isUser && !special)
    return makeAnswer(403, elsewhereText(failure.wanted ?? 'unknown', failure.step), retryAfterSeconds);
  // A database that is away, locked or full says when to come back; anything else is a defect.
  const isAway = kind === 'storage-failed' && retryAfterSeconds !== undefined;
  const { code, message, isCredential = false } = (isAway ? rows.overloaded : (special ?? rows[kind])) as WordedFailure;
  const text = withTriesLeft(typeof message === 'string' ? message : message(failure, group, pageUrl), failure);
  // Overload and shutdown are the service's own state: the one failure that leaves HTTP 200.
  if (code === 503) return { ...makeAnswer(code, text, retryAfterSeconds ?? 5), status: 503 };
  const variant = isCredential && !isUser ? 'auth-status' : 'error';
  // Every 429 carries the header; a minute is right for any limit that does not state its own length.
  return { ...makeAnswer(code, text, retryAfterSeconds ?? (code === 429 ? 60 : undefined)), variant };
};
