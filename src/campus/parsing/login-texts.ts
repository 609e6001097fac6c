// What portals and logins say of a password, an image or a code, in Chinese and in English. One table for all of them.

/**
 * `attacked`, `address`: what the address meets that all students share. `locked`, `no-access`, `unknown-user`: of this
 * account alone. `change`: the password has to be changed, or the account to be activated, at the campus. `image`,
 * `sms`, `code`: that was wrong, or is wanted. `refused`: the pair or the password is wrong.
 */
export type TextMeaning =
  | 'attacked'
  | 'address'
  | 'locked'
  | 'change'
  | 'slider'
  | 'image'
  | 'sms'
  | 'code'
  | 'too-often'
  | 'closed'
  | 'refused'
  | 'no-access'
  | 'unknown-user';

/** No message is longer; what follows is not looked at. */
const longestText = 4_000;
const clauseEnd = /[，。；！？,.;!?\r\n]+/;

/** Says that something is wrong; 没有错误 says the opposite, 是否有误 asks. */
const wrong =
  /(?<!没有|没|无|毫无)(?:错误|有误|不正确|不对|不匹配|不一致|不相符|不符(?!合)|无效|输错|出错)|(?<=密码|口令|验证码|校验码)错(?![误过])|(?<!not |n't )\b(?:incorrect|invalid|wrong|mismatch(?:ed)?)\b|\bn(?:o|'|’)?t (?:correct|valid|match(?:ed|ing)?|right|recogni[sz]ed)\b|not be (?:determined to be )?authentic|\bbad (?:credentials|password|user)|\b(?:password|username|captcha|code) (?:is )?(?:an )?errors?\b/;
const expired = /过期|到期|失效|超时|expire|timed? ?out/;
const wanted =
  /请.{0,8}(?:输入|填写|完成)|(?:需要|必须|须|要求).{0,8}(?:输入|填写|验证码|校验码)|不能为空|未(?:输入|填写)|\b(?:required|missing|needed|empty)\b|please (?:enter|type|input|fill)|must (?:enter|be entered)/;
/** Said of what may be, or of what was forgotten: help, not an answer. */
const unsure = /是否|(?<![例比假])如(?![下此图何上同])|若(?!干)|忘记|\bif\b|\bwhether\b|\bforg[eo]t/;

const image =
  /验证码|校验码|图形码|图片码|附加码|随机码|确认码|识别码|检验码|认证码|图形动态码|captcha|(?:verif(?:y|ication)|check|security|validation|image|rand(?:om)?|graphic|auth) ?code|\bcode (?:in|on|of|from) the (?:image|picture)|\bthe characters\b|\bcharacters (?:in|on|of|from) the (?:image|picture)/;
const picture = /图形|图片|图像|captcha|image|picture/;
const bySms = /短信|手机.{0,2}(?:验证码|校验码|动态码|码)|\bsms\b|text message/;
const oneTime =
  /动态(?:密码|口令|码)|一次性|(?:邮箱|邮件|令牌|安全).{0,2}(?:码|密码|口令)|\botp\b|one-?time (?:pass(?:word|code)|code)|\btoken code|\bpasscode/;
const slider = /滑动|滑块|拼图|\bslid(?:er|e)\b|drag the/;

/** The secrets besides the password of the account. */
const otherSecrets =
  /(?:动态|一次性|短信|手机|令牌|支付|交易|原|旧|新|确认|安全)(?:密码|口令)|(?:one-?time|old|new|confirm(?:ed)?|current) password/g;
const pair = /密码|口令|凭据|凭证|认证信息|登录信息|password|passwd|\bpwd\b|credential/;
/** A fault of the machine says nothing of the password. */
const ofMachine =
  /系统|服务器|网络|数据库|接口|程序|解密|加密|解析|server|system|network|database|decrypt|encrypt|internal/;

const account = /账[号户]|帐[号户]|用户|学号|工号|您|你|account|\buser|\bid\b|\byou/;
const locks =
  /(?<!解除?|未被?|没有?被?|无)(?:锁定|锁住|锁死|冻结)|(?<!不在|移出)黑名单|(?:被|已|已经)锁|封禁|封停|封号|(?<!not |n't |never )\b(?:locked(?: out)?|frozen|freeze|lockout)\b/;
const switchedOff =
  /(?<!未被?|没有?被?)(?:停用|禁用|封锁|注销|禁止使用|不可用|已失效)|(?<!not |n't )\b(?:disabled|suspended|blocked|deactivated|banned|inactive)\b/;
const tooManyWrong =
  /(?:错误|失败|输错|尝试).{0,10}(?:过多|超限|上限|已达|最大)|(?:错误|失败|输错|尝试).{0,4}(?:已超过|超过了?(?:最大|限制|规定))|超过.{0,4}(?:登录|密码|错误|失败|尝试).{0,8}次数|too many (?:\w+ ){0,3}(?:attempts|tries|failures|logins)|max(?:imum)? (?:\w+ ){0,4}(?:attempts|tries)|exceeded (?:\w+ ){0,6}(?:attempts|tries)/;
/** A threat, not a fact: 再错 2 次账号将被锁定. */
const threatens =
  /将|会(?!话)|(?<!稍)后(?!再|重|尝|可|登|方)|否则|避免|以免|防止|即将|再[输错次]|就被|次.{0,4}[锁冻]|\b(?:will|would|may|might|could|shall|avoid|before|prevent)\b/;
/** 账号将锁定 30 分钟 is a fact all the same, unless it counts on. */
const forAWhile = /(?:锁定|冻结|lock(?:ed)?)\D{0,6}\d+ ?(?:秒|分|小时|天|sec|min|hour|day)/;
const countsOn = /次|\b(?:attempts|times|tries)\b/;
const ofAddress =
  /\bip\b|所在.{0,4}网络|(?:您的|当前|该|此)网络|ip地址|网络地址|来源地址|本机|\bip address|your (?:network|address)/;

const mustChange =
  /(?:密码|口令)(?:的?有效期)?(?:已经?|已被)?(?:过期|到期|失效|超期)|弱密码|(?:密码|口令).{0,4}(?:太弱|过弱|太简单|过于简单|强度|复杂度)|(?:请|必须|需要?|应|须).{0,10}(?:修改|更改|更换|变更|设置新).{0,6}(?:密码|口令)|(?:必须|需要?|须).{0,6}重置.{0,6}(?:密码|口令)|(?:账[号户]|帐[号户])(?:已经?|已被)?(?:过期|到期)|(?:首次|第一次|初次)(?:登录|登陆|使用)|(?:初始|默认)(?:密码|口令).{0,8}(?:修改|更改|不能|不允许)|(?:未|没有|尚未|先|需要?)激活|(?:未|没有|尚未|先|需要?)(?:完成)?(?:实名|身份)(?:认证|验证)|(?:先|需要?|未|请)绑定.{0,4}(?:手机|邮箱|微信)|完善.{0,4}(?:个人)?信息|(?:密码|口令).{0,2}(?:为|是|仍为)(?:初始|默认|弱)|(?:密码|口令).{0,10}(?:未|没有)(?:修改|更改|更换|变更)|(?:密码|口令)(?:的)?有效期.{0,4}(?:到|满|过)|(?:密码|口令)不(?:符合|满足).{0,8}(?:要求|规范|规则|策略|标准)|password.{0,24}(?:expired|too weak|too simple)|expired password|account (?:has |is )?expired|(?:must|need to|needs to|have to|has to|required to|please) (?:be )?(?:change|reset|update)d?\b.{0,16}password|password.{0,12}(?:must|needs? to|has to|should) be (?:changed|reset|updated)|change (?:of )?(?:your |the )?password is required|first (?:time )?(?:log|sign)-?\s?(?:in|on)|not (?:yet )?(?:been )?activated|activate your account|weak password|default password/;
/** 初始密码为身份证后六位 is a hint. */
const hint =
  /(?:密码|口令)(?:默认)?(?:为|是|：|:)(?!初始|默认|弱)|password (?:is|=|:)(?! (?:expired|too|weak|required))/;

const attack = /(?:疑似|可能|遭受|受到|检测到|存在|恶意).{0,6}攻击|maybe attacked|(?:under|suspected|possible) attack/;
const often = /频繁|频率|过快|太快|请求过多|操作过多|too (?:many|often|frequent|fast)|frequently|rate limit|throttled/;
const shut =
  /\bservice unavailable|维护|(?:未|暂不|没有|尚未|不)开放|开放时间|服务时间|已关闭|(?:暂停|停止)(?:服务|使用|登录|访问)|不在.{0,10}(?:时间|时段|期)|(?:当前|现在|此|该)(?:时间|时段).{0,6}(?:不允许|禁止|不能|无法)|系统(?:繁忙|升级)|maintenance|out of service|(?:is|are|was|been|currently|temporarily) (?:closed|unavailable)|\bnot (?:yet )?open\b|outside .{0,20}(?:hours|time|period)|(?:service|opening|system) (?:hours|busy)|system upgrade/;
const shutOut =
  /(?:登录|登陆|访问|准入).{0,4}策略|(?:不允许|禁止|拒绝|不能|无法|不准|限制).{0,6}(?:登录|登陆|访问|接入)|无权(?:限|登录|登陆|访问)|(?:登录|登陆|访问)(?:已?被|受到?)(?:限制|禁止|拒绝)|没有.{0,8}权限|(?:log ?in|access|sign-?in) polic(?:y|ies)|access (?:was |is |has been )?(?:denied|forbidden)|(?:not|n't) (?:be )?allow(?:ed)? (?:to )?(?:log|sign|access)|forbidden access|no (?:\w+ ){0,3}access|(?:forbidden|prohibited|barred) (?:to|from) (?:log|sign)|not (?:authori[sz]ed|permitted) to (?!use cas)/;
const nobody =
  /(?:用户|账[号户]|帐[号户]|学号|工号).{0,4}(?:不存在|未注册|未找到|错误|有误|不正确)|(?:无此|没有此|没有该|查无|找不到).{0,4}(?:用户|人|账|帐|学号)|no such (?:user|account)|unknown (?:user|account)|(?:user|account|username|id) (?:\w+ ){0,3}(?:does not|doesn't|not) (?:exist|found|registered)/;

type Clause = string;

const isLocked = (clause: Clause): boolean =>
  tooManyWrong.test(clause) || locks.test(clause) || (switchedOff.test(clause) && account.test(clause));
const isThreat = (clause: Clause): boolean =>
  unsure.test(clause) || (threatens.test(clause) && (!forAWhile.test(clause) || countsOn.test(clause)));
const asks = (clause: Clause): boolean => wrong.test(clause) || expired.test(clause) || wanted.test(clause);
/** 连续输错 5 次将锁定 and 输错 5 次将锁定 are rules of the login, no answers. */
const isRule = (clause: Clause): boolean =>
  locks.test(clause) &&
  (/连续|累计|超过|consecutive/.test(clause) ||
    (/(?:输错|错误|失败|达到?)\s?\d{1,2}\s?次/.test(clause) && !/再|还|剩|已|\d次.{0,4}\d/.test(clause)));
const ofAccount = (clause: Clause): Clause => clause.replace(otherSecrets, '');
/** Said of the characters alone: a password has to be named and called wrong. */
const fails = /(?:校验|验证|核验|匹配|输入)失败|(?:未|没有|不)通过|不符/;
const isImage = (clause: Clause): boolean =>
  image.test(clause) && (asks(clause) || fails.test(clause)) && !(clause.includes('characters') && pair.test(clause));

/** The first row that fits one of the clauses decides. */
const rows: ReadonlyArray<readonly [TextMeaning, (clause: Clause) => boolean]> = [
  ['attacked', (clause) => attack.test(clause)],
  [
    'address',
    (clause) => ofAddress.test(clause) && (isLocked(clause) || switchedOff.test(clause)) && !isThreat(clause),
  ],
  ['locked', (clause) => isLocked(clause) && !isThreat(clause)],
  ['address', (clause) => ofAddress.test(clause) && shutOut.test(clause) && !isThreat(clause)],
  ['change', (clause) => mustChange.test(ofAccount(clause)) && !hint.test(clause) && !unsure.test(clause)],
  ['slider', (clause) => slider.test(clause)],
  ['image', (clause) => picture.test(clause) && isImage(clause)],
  ['sms', (clause) => bySms.test(clause) && asks(clause)],
  ['code', (clause) => oneTime.test(clause) && asks(clause)],
  ['image', isImage],
  ['too-often', (clause) => often.test(clause)],
  ['closed', (clause) => shut.test(clause)],
  [
    'refused',
    (clause) => {
      const said = ofAccount(clause);
      return pair.test(said) && wrong.test(said) && !unsure.test(said) && !ofMachine.test(said) && !isRule(said);
    },
  ],
  ['no-access', (clause) => shutOut.test(clause)],
  ['unknown-user', (clause) => nobody.test(clause)],
];

const [traditional, simplified] = [
  '碼錯誤戶帳號驗證輸圖鎖凍結請嘗試過頻維護開啟閉時間關無權訪問錄陸賬絕與對應長強設變敗學該續確認滿統暫複雜簡單規則須動塊機網絡簽連線資訊',
  '码错误户账号验证输图锁冻结请尝试过频维护开启闭时间关无权访问录陆账绝与对应长强设变败学该续确认满统暂复杂简单规则须动块机网络签连线资讯',
];
const simplifiedOf = new Map(Array.from(traditional, (sign, at) => [sign, simplified.charAt(at)] as const));

/** The signs of Hong Kong and Macau as those of the mainland. */
const simplify = (text: string): string => text.replace(/[\u4e00-\u9fff]/g, (sign) => simplifiedOf.get(sign) ?? sign);

/** Signs without width, with which servers break lines. */
const unseen = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

const clausesOf = (text: string): Clause[] =>
  simplify(text.slice(0, longestText).replace(unseen, '').normalize('NFKC').toLowerCase())
    // 密 码 错 误
    .replace(/(?<=(?:^|[^\p{L}])\p{Script=Han})\s(?=\p{Script=Han}(?:[^\p{L}]|$))/gu, '')
    .split(clauseEnd)
    .map((clause) => clause.replace(/\s+/g, ' '));

/** Null: the text says nothing of the kind. Wrong is the password only where the text names it and says so. */
export const judgeText = (text: string): TextMeaning | null => {
  const clauses = clausesOf(text);
  return rows.find(([, fits]) => clauses.some(fits))?.[0] ?? null;
};

const span = '(\\d{1,5}) ?(秒|分|小时|天|sec|min|hour|day)';
/** 账号已锁定 30 分钟; the span of 5 分钟内输错 is none of the lock. */
const lockedFor = new RegExp(`(?:锁定|冻结|lock(?:ed)?|frozen)\\D{0,12}${span}`);
const lockedUntil = new RegExp(`${span}[a-z钟]{0,4}(?:之?后| later)|\\b(?:in|after) ${span}`);
const secondsPer: Readonly<Record<string, number>> = { 秒: 1, sec: 1, 分: 60, min: 60, 小时: 3_600, hour: 3_600 };
const DAY_SECONDS = 86_400;
/** A longer one is none that a program would wait for. */
const longestLock = 7 * DAY_SECONDS;

/** For how long a text that means `locked` says that the account is; undefined: it does not. */
export const lockSecondsIn = (text: string): number | undefined => {
  const said = text.slice(0, longestText).normalize('NFKC').toLowerCase();
  const found = lockedFor.exec(said) ?? lockedUntil.exec(said);
  const [count = '', unit = ''] = found?.slice(1).filter((part) => part !== undefined) ?? [];
  const seconds = Number(count) * (secondsPer[unit] ?? DAY_SECONDS);
  return seconds > 0 && seconds <= longestLock ? seconds : undefined;
};

/** Of the answer to a code, which need not name it. */
export const judgeCodeText = (text: string): 'wrong' | 'expired' | null => {
  const clauses = clausesOf(text);
  if (clauses.some((clause) => wrong.test(clause))) return 'wrong';
  return clauses.some((clause) => expired.test(clause)) ? 'expired' : null;
};

/** The session of the sign-in has ended, no matter what was typed. */
export const saysSessionGone = (text: string): boolean =>
  /session (?:has |is )?(?:timed ?out|expired|invalid)|会话.{0,3}(?:超时|过期|失效|不存在)|登[录陆]超时/i.test(text);
