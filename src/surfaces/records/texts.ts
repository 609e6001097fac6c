import type { AcademicSummary } from '../../domain/academics/types.ts';
import type { PersonalStep } from '../../domain/errors.ts';

// What a message adds where the data alone would be misread.

/** For an empty answer: it is not that there is nothing yet. */
export const unknownTerm = '教务系统的学期列表中没有该学期';
export const unknownClub = '劳动俱乐部目录中没有该俱乐部';

/** In place of an answer: not an outage. */
export const withoutPlan = '教务系统中没有您的培养方案';

/** The number that stands for "not stated" is a 0, on either surface. */
export const summaryMessage = (message: string, { coursesFailed }: AcademicSummary): string =>
  coursesFailed === null ? `${message}（教务系统未提供未通过课程数）` : message;

const wants: Readonly<Record<PersonalStep, string>> = {
  sms: '短信验证码',
  totp: '动态口令',
  captcha: '图形验证码',
  certificate: '数字证书',
  hardware: '硬件密钥',
  'challenge-response': '挑战应答验证',
  wechat: '微信验证',
  unknown: '本人验证',
};

/** What the student is told when the campus wants a second step. */
export const personText = (wanted: PersonalStep): string =>
  `学校VPN门户要求${wants[wanted]}，请先在门户网站登录一次，再回到这里重新登录`;

/** What somebody is told whose personal token is not enough; null: no scope would do. */
export const missingScopeText = (scope: string | null | undefined): string =>
  scope ? `此令牌缺少权限 ${scope}` : '此操作只能使用登录所得的令牌，不能使用个人令牌';
