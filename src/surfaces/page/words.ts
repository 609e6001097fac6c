import type { Words } from '../../platform/languages.ts';

/** Everything that the page says. What holds a number or a time is a function of it. */
export const pageWords = {
  codeTitle: { en: 'Confirm a login', zh: '登录验证' },
  codeIntro: {
    en: 'An app logs in to the campus for you and has shown you a code of eight characters. Type it here within five minutes.',
    zh: '应用正在代你登录学校系统，并显示了一个八位验证代码。请在五分钟内输入到这里。',
  },
  code: { en: 'Code shown by the app', zh: '应用显示的验证代码' },
  codeHint: { en: 'Capitals, blanks and hyphens do not matter.', zh: '不区分大小写，空格和短横线可以省略。' },
  goOn: { en: 'Continue', zh: '继续' },
  lookAgain: { en: 'Look again', zh: '重新查看' },

  stepTitle: { en: 'The campus asks whether it is you', zh: '学校要求本人验证' },
  whose: { en: 'Whose login this is', zh: '这是谁的登录' },
  student: { en: 'Student id', zh: '学号' },
  time: { en: 'Begun at', zh: '发起时间' },
  client: { en: 'App', zh: '应用' },
  network: { en: 'Network', zh: '网络' },
  unknown: { en: 'unknown', zh: '未知' },
  ownOnly: {
    en: 'Go on only if you have just logged in yourself. If somebody else has sent you the code, close this page and change your campus passwords.',
    zh: '只有刚才是你本人在登录，才继续操作。如果代码是别人发给你的，请关闭本页，并修改学校密码。',
  },
  fromElsewhere: {
    en: 'It was begun in another network than the one you are in now.',
    zh: '发起登录的网络与你现在所在的网络不同。',
  },

  image: { en: 'Characters in the image', zh: '图片中的字符' },
  imageAlt: { en: 'Captcha of the campus portal', zh: '学校门户的图形验证码' },
  newImage: { en: 'Show another image', zh: '换一张图片' },
  smsCode: { en: 'Code from the text message', zh: '短信验证码' },
  totpCode: { en: 'Code shown by your authenticator', zh: '动态口令' },
  submit: { en: 'Submit', zh: '提交' },
  send: { en: 'Send me a code', zh: '发送验证码' },
  sendTo: { en: 'Send a code to', zh: '验证码发送到' },
  sentUnknown: {
    en: 'A message with a code may be on its way to your phone already. If none comes, ask for one.',
    zh: '验证码短信可能已经发出。如果没有收到，请点击发送。',
  },
  sentPerhaps: {
    en: 'A code was sent now, or the last one still holds.',
    zh: '验证码已发送，或上一条验证码仍然有效。',
  },
  sentYes: { en: 'A code was sent.', zh: '验证码已发送。' },
  sentChoose: {
    en: 'Choose the phone that the code is sent to. One may be on its way already.',
    zh: '请选择接收验证码的手机。验证码也可能已经发出。',
  },
  stillValid: { en: 'The code that you received last still holds.', zh: '上一次收到的验证码仍然有效。' },

  expired: { en: 'That code has expired. Ask for a new one.', zh: '验证码已过期，请重新发送。' },
  passedStep: { en: 'That was right. The campus wants one more thing.', zh: '上一步已通过，学校还要求下面的验证。' },
  sendRefused: {
    en: 'The portal did not send a code. Try again later.',
    zh: '门户没有发送验证码，请稍后再试。',
  },
  malformed: {
    en: 'That does not look like such a code. Nothing was sent.',
    zh: '格式与验证码不符，没有提交。',
  },
  chooseTarget: { en: 'Choose a phone first.', zh: '请先选择手机号码。' },
  notSent: {
    en: 'Nothing was sent: it is too early for another one, or there have been too many.',
    zh: '没有发送：距离上次发送太近，或次数已用完。',
  },
  atWork: {
    en: 'An answer is being checked at this moment. Wait a little, then try again.',
    zh: '正在处理上一次的提交，请稍候再试。',
  },

  confirmTitle: { en: 'Stop: is this really your login?', zh: '请确认：这真的是你的登录吗？' },
  confirm: {
    en: 'You answer in another network than the one in which the login was begun. If you did not just log in yourself, stop: whoever sent you the code wants to get into your account.',
    zh: '你现在的网络与发起登录的网络不同。如果刚才不是你本人在登录，请停止：把代码发给你的人想要进入你的账号。',
  },
  confirmYes: { en: 'Yes, I have just logged in myself', zh: '是的，刚才是我本人在登录' },
  stop: { en: 'No, stop here', zh: '不是，停止' },

  passedTitle: { en: 'Done', zh: '验证完成' },
  freed: {
    en: 'Go back to the app and log in there again within five minutes, with the same passwords. You can close this page.',
    zh: '请在五分钟内回到应用，用同样的密码重新登录。本页可以关闭。',
  },
  renewed: {
    en: 'Go back to the app: it works again. You can close this page.',
    zh: '请回到应用继续使用。本页可以关闭。',
  },

  overTitle: { en: 'This login is over', zh: '本次登录已结束' },
  over: {
    en: 'Nothing more can be answered for it. Go back to the app and log in again.',
    zh: '已无法继续验证。请回到应用重新登录。',
  },
  elsewhere: {
    en: 'The campus wants something that cannot be done here. Sign in once on the page of the VPN portal or of the unified login itself, then go back to the app and log in again.',
    zh: '学校要求的验证无法在这里完成。请先在 VPN 门户网站或统一身份认证网页上登录一次，再回到应用重新登录。',
  },
  refused: {
    en: 'The campus refused the passwords of this login. Go back to the app and log in with the right ones.',
    zh: '学校系统拒绝了这次登录的密码。请回到应用，用正确的密码重新登录。',
  },

  badCode: {
    en: 'There is no such code, or it has ended. Look at the app again.',
    zh: '代码不存在或已过期，请再看一下应用中的代码。',
  },
  tooMany: { en: 'Too many tries. Wait a little, then try again.', zh: '尝试次数过多，请稍候再试。' },
  failedTitle: { en: 'That did not work', zh: '操作未完成' },
  campusFailed: {
    en: 'The campus does not answer well at the moment. Nothing is sent twice: look again how things are.',
    zh: '学校系统暂时没有正常响应。提交的内容不会重复发送，请重新查看状态。',
  },
  failed: { en: 'The service cannot do this at the moment. Try again later.', zh: '服务暂时无法处理，请稍后再试。' },
} as const satisfies Record<string, Words>;

export const wrongAnswer = (left: number): Words => ({
  en: `That was not right. Tries left: ${left}.`,
  zh: `输入不正确，还可以尝试 ${left} 次。`,
});

export const notBefore = (time: string): Words => ({
  en: `Another one can be had from ${time} on.`,
  zh: `${time} 之后可以再次获取。`,
});

export const goodUntil = (time: string): Words => ({
  en: `Good until ${time}.`,
  zh: `有效期至 ${time}。`,
});
