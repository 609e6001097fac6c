import { describe, expect, it } from 'vitest';
import {
  judgeCodeText,
  judgeText,
  lockSecondsIn,
  saysSessionGone,
  type TextMeaning,
} from '../../../../src/campus/parsing/login-texts.ts';

const texts: Readonly<Record<TextMeaning | 'nothing', readonly string[]>> = {
  attacked: ['maybe attacked', '可能受到攻击', '系统检测到恶意攻击！'],
  address: [
    'IP已被限制登录',
    '您所在的网络无法访问',
    'IP 在黑名单中',
    'IP freeze',
    '您的IP地址已被锁定',
    'Your IP address has been blocked.',
    '本机IP已被封锁，密码错误次数过多',
  ],
  locked: [
    '账户不可用',
    '您已被列入黑名单',
    '账号已锁定，当前网络禁止登录',
    '账\u200b号已\u200b锁\ufeff定',
    '该账号已被冻结，请联系管理员',
    '账号已锁定',
    '您的帐户已被禁用',
    '用户已停用！',
    '密码错误次数过多，账号已锁定',
    '您已连续输错5次，账号将锁定30分钟',
    '用户名或密码错误次数超过限制，账号被锁定',
    '您已超过最大登录失败次数，请在300秒后再登录！',
    '登录失败次数过多，请30分钟后再试',
    'Your account has been locked.',
    'This account is disabled',
    'User suspended',
    'Account frozen: invalid password entered too often',
    'Too many failed login attempts. Invalid username or password.',
    'Maximum number of attempts exceeded',
    'Your account is blocked',
  ],
  change: [
    '账号已过期，请联系学校',
    'Your account has expired',
    '密码已过期，请修改密码',
    '您的密码过于简单，请修改后登录',
    '首次登录请修改初始密码',
    '必须修改密码后才能登录',
    '账号未激活',
    '请完善个人信息',
    'Your password has expired.',
    'You must change your password',
    'Password must be changed before the first login',
    'Please change the default password',
    'Account not activated, invalid password',
    '密码强度不够，密码有误',
  ],
  slider: ['请先滑动图片进行验证', '请向右滑动滑块', 'Drag the slider to continue'],
  image: [
    'Verification code error',
    '验证码错',
    'The characters are incorrect or has expired!',
    '校验码错误或校验码已过期',
    '图形动态码错误 无效的验证码',
    '无效的验证码',
    '验证码输入错误！',
    '验证码不正确，请重新输入用户名和密码',
    '用户名、密码或验证码错误',
    '请输入验证码',
    'CAPTCHA required',
    'Invalid captcha',
    'The verification code is wrong',
    'Verification code has expired',
    'Please enter the characters in the image',
    '附加码有误',
  ],
  sms: ['短信验证码错误', '手机验证码已过期', '请输入短信验证码', 'The SMS code is incorrect'],
  code: ['动态密码错误', '动态口令不正确', '一次性密码已失效', 'Invalid one-time password', 'OTP is wrong'],
  'too-often': ['You have been throttled', '操作过于频繁，请稍后再试', 'Too many requests', '请求过快'],
  closed: [
    '系统维护中，密码服务暂停',
    '当前时间不允许登录',
    '当前不在系统开放时间内',
    '系统暂未开放',
    'The system is closed',
    'Down for maintenance',
    '系统繁忙，请稍后再试',
  ],
  refused: [
    'Username or password error',
    '用户名或密码错',
    '用户名或密码错误',
    '您提供的用户名或者密码有误',
    '账号或密码错误',
    '账号或密码不正确',
    '用户名或密码不正确，请重新输入！',
    '密码错误，您还有3次机会，连续输错5次账号将被锁定',
    '密码错误！再错2次账号将被锁定',
    '用户名密码不匹配',
    '用户不存在或密码错误',
    '您提供的凭证有误。',
    '认证信息无效。',
    '学号或密码 不正确',
    '用户名或密码错误，请检查后重试，忘记密码请重置密码',
    '用户名或密码错误，初始密码为身份证后六位',
    '用户名或密码错误 Invalid username or password.',
    'Invalid username or password!',
    'Invalid credentials.',
    'Incorrect password',
    'The password you entered is incorrect. Your account will be locked after 5 attempts.',
    'The credentials you provided cannot be determined to be authentic.',
    'Username and password do not match',
    'Login failed: invalid user name or password',
    'ＩＮＶＡＬＩＤ　ＰＡＳＳＷＯＲＤ',
    '验证码正确，但密码错误',
  ],
  'no-access': [
    'It fails to comply with the login policy. Access was denied!',
    'not allow to login now',
    'Your account has been forbidden to login at this time',
    '不符合登录策略，拒绝访问！',
    '该用户不允许登录',
    '您没有访问权限',
    'Server forbidden access!',
    'No virtual portal access',
  ],
  'unknown-user': ['用户不存在', '账号错误', 'No such user', 'The user does not exist'],
  nothing: [
    '',
    '系统错误，请重新输入密码',
    '系统密码服务错误',
    '密码解密错误',
    '没有错误，密码已保存',
    '密码没有错误',
    '密码无误',
    '登录失败，请检查用户名和密码',
    '请检查密码是否有误',
    '用户名 密码 登录 忘记密码',
    '密码不能为空',
    '验证码已发送到您的手机138****0000',
    'password auth success',
    'login auth success',
    'JavaScript is disabled',
    '账号未锁定',
    'Your account is not locked',
    'Something went elsewhere',
    '连续输错5次密码账号将被锁定',
    'If the password is incorrect call us',
    '未认证授权的服务',
  ],
};

describe.each(Object.entries(texts))('%s', (meaning, members) => {
  it.each(members)('%s', (text) => {
    expect(judgeText(text) ?? 'nothing').toBe(meaning);
  });
});

it('of several texts the one that says most of the account decides', () => {
  expect(judgeText('用户名或密码错误\n账号已锁定')).toBe('locked');
  expect(judgeText('用户名或密码错误\n密码已过期')).toBe('change');
  expect(judgeText('用户名或密码错误\n验证码错误')).toBe('image');
});

it('the answer to a code says wrong or expired without naming it', () => {
  expect(['输入错误', 'Invalid!', '错误或已过期', '已过期', 'expired', 'ok', '没有错误'].map(judgeCodeText)).toEqual([
    'wrong',
    'wrong',
    'wrong',
    'expired',
    'expired',
    null,
    null,
  ]);
});

it('a session that has ended is told in both languages', () => {
  expect(
    ['session timedout', 'Session has expired', '会话已超时', '登录超时', '验证码已过期'].map(saysSessionGone),
  ).toEqual([true, true, true, true, false]);
});

it.each(['错误', '密码', '账号', 'too many ', 'password ', '请', '超过'])(
  'a text of nothing but %s is judged in linear time',
  (word) => {
    const short = word.repeat(1_000);
    expect(judgeText(short.repeat(500))).toBe(judgeText(short.repeat(50)));
  },
);

it.each([
  ['账号已锁定 30 分钟', 1_800],
  ['密码错误次数过多，帐号锁定，请在300秒后再登录！', 300],
  ['您已超过最大登录失败次数，请在300秒后再登录！', 300],
  ['5分钟内输错3次，账号已被锁定2小时', 7_200],
  ['您的账号已被冻结1天', 86_400],
  ['Your account is locked for 15 minutes', 900],
  ['Account locked. Try again in 10 minutes.', 600],
  ['该账号已被冻结，请联系管理员', undefined],
  ['账号已锁定，剩余3次', undefined],
  ['账号已锁定 99999 天', undefined],
])('%s locks for %s seconds', (text, seconds) => {
  expect(lockSecondsIn(text)).toBe(seconds);
});

describe('other spellings', () => {
  it.each<[string, string | null]>([
    ['用戶名或密碼錯誤', 'refused'],
    ['帳號已被鎖定', 'locked'],
    ['驗證碼不正確', 'image'],
    ['密 码 错 误', 'refused'],
    ['验 证 码 错 误', 'image'],
    ['验证码校验失败', 'image'],
    ['验证码未通过', 'image'],
    ['The code in the image is wrong', 'image'],
    ['您的密码为初始密码，请尽快修改', 'change'],
    ['密码已超过90天未修改', 'change'],
    ['密码有效期已到', 'change'],
    ['密码不符合安全要求', 'change'],
    ['请先绑定手机号', 'change'],
    ['登录已被限制', 'no-access'],
    ['Service unavailable', 'closed'],
    // The password is not named and called wrong in one.
    ['密码验证失败', null],
    // Help and rules, which are no answers.
    ['如密码错误请联系管理员', null],
    ['密码输错5次将锁定', null],
    ['密码错误达5次将锁定账号', null],
    ['初始密码为身份证后六位', null],
    ['Application Not Authorized to Use CAS', null],
    // Answers all the same.
    ['登录失败，原因如下：密码错误', 'refused'],
    ['密码错误3次，再错2次将锁定', 'refused'],
    ['密码错误 还有4次机会', 'refused'],
  ])('%s is %j', (text, meaning) => {
    expect(judgeText(text)).toBe(meaning);
  });
});
