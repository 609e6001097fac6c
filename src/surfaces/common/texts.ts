import type { AcademicSummary } from '../../domain/academics/ports.ts';
import { type Challenge, isChallengeKind, type LastOutcome } from '../../domain/challenge.ts';
import type { CampusSays, Failure, PersonalStep, SignInStep } from '../../domain/errors.ts';
import type { SystemName } from '../../domain/observation.ts';

/** What students call each system. An application may stand in for the unified login, so that has no separate name. */
export const systemTexts: Readonly<Record<SystemName, string>> = {
  portal: '校园门户（VPN）',
  'unified-login': '学校登录系统',
  academics: '教务系统',
  'activity-score': '活动分系统',
  'labor-club': '劳动俱乐部',
  electricity: '宿舍电费系统',
  competitions: '学科竞赛系统',
  card: '校园卡系统',
};

export const unknownTerm = '教务系统的学期列表中没有该学期';
export const unknownClub = '劳动俱乐部目录中没有该俱乐部';

export const withoutPlan = '教务系统中没有您的培养方案';

/** A number that is not stated is sent as 0, so the message says it. */
export const summaryMessage = (message: string, { coursesFailed }: AcademicSummary): string =>
  coursesFailed === null ? `${message}（教务系统未提供未通过课程数）` : message;

/** A refused password says how many more may be put to the campus today. */
export const withTriesLeft = (message: string, failure: Failure): string =>
  failure.kind === 'credentials-refused' && failure.triesLeft !== undefined
    ? `${message}（今天还可尝试 ${failure.triesLeft} 次）`
    : message;

const wants: Readonly<Record<PersonalStep, string>> = {
  sms: '短信验证码',
  totp: '动态口令',
  captcha: '图形验证码',
  certificate: '数字证书',
  hardware: '硬件密钥',
  'challenge-response': '挑战应答验证',
  wechat: '微信验证',
  'password-change': '修改密码或激活账号',
  unknown: '本人验证',
};

const logins: Readonly<Record<SignInStep, { readonly name: string; readonly page: string }>> = {
  portal: { name: '学校VPN门户', page: '门户网站' },
  'unified-login': { name: '学校统一身份认证', page: '统一身份认证网页' },
};

const askText = (wanted: PersonalStep, step: SignInStep = 'portal'): string =>
  `${logins[step].name}要求${wants[wanted]}`;

const here = (pageUrl: string | null): string =>
  pageUrl === null ? '请在这里重新登录并完成验证' : `请在这里重新登录并完成验证，或打开 ${pageUrl} 完成验证`;

/** For a data call that needs the student. */
export const personText = (wanted: PersonalStep, step?: SignInStep, pageUrl: string | null = null): string =>
  isChallengeKind(wanted) ? `${askText(wanted, step)}，${here(pageUrl)}` : elsewhereText(wanted, step);

/** For a step that cannot be taken here, or that was not offered. */
export const elsewhereText = (wanted: PersonalStep, step: SignInStep = 'portal'): string =>
  wanted === 'password-change'
    ? `${askText(wanted, step)}，请先在${logins[step].page}完成，再回到这里用新密码重新登录`
    : `${askText(wanted, step)}，请先在${logins[step].page}登录一次，再回到这里重新登录`;

/** The campus speaks of this account: for its owner alone, since a stranger learns nothing of it. */
export const lockedText = (step: SignInStep = 'portal'): string =>
  `${logins[step].name}不允许该账号登录（账号被锁定、停用或不符合登录策略），请联系学校处理`;

/** The campus says it to everyone, so it is no secret. */
export const campusSaysText: Readonly<Record<CampusSays, string>> = {
  closed: '学校登录系统当前不开放，请在开放时间再试',
  blocked: '学校登录系统拒绝了本服务的访问，请稍后重试',
};

/** For a step of unknown kind that can be taken here. */
export const inTheApp = `${askText('unknown')}，请在应用中完成验证`;

const lastTexts: Readonly<Record<LastOutcome, string>> = {
  none: '',
  wrong: '输入不正确。',
  expired: '验证码已过期，请重新发送。',
  'passed-step': '上一步已通过。',
  'send-refused': '门户没有发送验证码，请稍后再试。',
};

export const challengeText = ({ step, asked: { kind }, last }: Challenge, pageUrl: string | null): string => {
  const otherwise =
    pageUrl === null ? '请联系其开发者' : `请打开 ${pageUrl} 登录并完成验证，然后回到应用，用同样的密码重新登录`;
  return `${lastTexts[last]}${askText(kind, step)}，请在应用中完成验证；应用没有这一功能时${otherwise}`;
};

export const challengePassed = '验证已完成';

/** `scope` is null where only a token of a login will do. */
export const missingScopeText = (scope: string | null | undefined): string =>
  scope ? `此令牌缺少权限 ${scope}` : '此操作只能使用登录所得的令牌，不能使用个人令牌';

/** For a registration while rows of an erased account of that id remain. */
export const stillErasingText = '该学号原账号的数据仍在清除，请稍后再注册';
