import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../lib/time.ts';
import { type Language, languageOf, type Words } from '../languages.ts';
import { limiting, type RequestLimits } from '../limits/limits.ts';
import { type Asset, sendAsset } from './assets.ts';
import type { Operator } from './openapi.ts';
import { htmlPage, type TextPage, textPagePolicy } from './text-page.ts';

/** The settings that a student should know. */
export interface PrivacyFacts {
  /** A token ends so long after its last use. */
  readonly tokenIdleDays: number;
  /** And so long after its login at the latest. */
  readonly tokenMostDays: number;
  /** 0: nothing that was read is kept. */
  readonly copyDays: number;
  readonly operator: Operator;
}

const copies = (days: number): Words =>
  days === 0
    ? {
        en: 'Nothing of what is read at the campus for you, beyond the answer to the call.',
        zh: '从校园系统读到的内容只用于当次响应，不保存。',
      }
    : {
        en: `What was last read for you (scores, timetable, exams, balances, activities), encrypted, for at most ${days} days. It goes earlier when your last login ends, except what a calendar feed is made of.`,
        zh: `最近一次为你读到的内容（成绩、课表、考试、余额、活动），加密保存，最多 ${days} 天；最后一个登录失效时提前删除，日历订阅用到的除外。`,
      };

const changes = (days: number): readonly Words[] =>
  days === 0
    ? []
    : [
        {
          en: 'What has changed in that, encrypted: the last 200 changes, for at most 30 days. And what was in each list, as hashes, encrypted, for at most 400 days, so that only what is new is told.',
          zh: '这些内容的变化（加密）：最近 200 条，最多 30 天。各列表里曾有过哪些内容（加密的哈希），最多 400 天，只用来判断什么是新的。',
        },
      ];

const contactItems = ({ contact }: Operator): readonly Words[] => {
  if (contact === null) return [];
  const link = `[${contact.replace('mailto:', '')}](${contact})`;
  return [
    {
      en: `Questions to the operator, or a weakness you have found: ${link}`,
      zh: `有疑问或发现安全问题，请联系运营者：${link}`,
    },
  ];
};

const keyHolder = ({ name }: Operator): Words => {
  const [en, zh] = name === null ? ['', ''] : [`, ${name},`, `（${name}）`];
  return {
    en: `The operator of this service${en} holds the encryption key, and could decrypt what is stored. Only log in to a service whose operator you trust.`,
    zh: `服务的运营者${zh}持有加密密钥，技术上能够解密所存的内容。请只登录你信任的运营者提供的服务。`,
  };
};

const sections = (
  facts: PrivacyFacts,
): ReadonlyArray<{ readonly heading: Words; readonly items: readonly Words[] }> => [
  {
    heading: { en: 'What is stored', zh: '存了什么' },
    items: [
      {
        en: 'Your student id, and when you registered and last logged in.',
        zh: '学号、注册时间和最近一次登录时间。',
      },
      {
        en: 'Your VPN password, your unified-login password and the campus sessions made with them, encrypted. The passwords cannot be hashed, because the service has to send them to the campus whenever a session expires.',
        zh: 'VPN 密码、统一身份认证密码，以及用它们登录得到的校园系统会话，均加密保存。会话过期后要用密码重新登录校园系统，所以密码只能加密，不能只存哈希。',
      },
      copies(facts.copyDays),
      ...changes(facts.copyDays),
      {
        en: 'Nickname, slogan, theme and the images you uploaded. Location and camera data are removed from images.',
        zh: '昵称、签名、主题和你上传的图片；图片里的拍摄地点和相机信息会被去掉。',
      },
      { en: 'The dormitory room you chose for electricity.', zh: '你为查询电费绑定的宿舍房间。' },
      {
        en: 'A course evaluation you started: its courses and progress, and its answers until it ends.',
        zh: '你启动的评教任务：课程和进度；填写的内容在任务结束时删除。',
      },
      {
        en: 'Calendar feeds: their name and parts, a hash of their address, and what they last showed, encrypted.',
        zh: '日历订阅：名称、包含的内容、地址的哈希，以及最近一次显示的内容（加密）。',
      },
      {
        en: 'Hooks: what they are told of, their address and secrets, encrypted, and their last deliveries for at most 30 days, with the event encrypted.',
        zh: '事件推送：推送哪些事件；地址和密钥（加密）；最近的推送记录，最多 30 天，事件内容加密。',
      },
      {
        en: 'Where a hook of yours has the service read without you: when it does so next.',
        zh: '如果你的事件推送要求自动读取：下次读取的时间。',
      },
      {
        en: `For each login: a hash of its token, when it was last used, and from which network, encrypted. A login ends ${facts.tokenIdleDays} days after its last use, and ${facts.tokenMostDays} days after it was made at the latest.`,
        zh: `每次登录：令牌的哈希、最近使用时间和所在网络（加密）。连续 ${facts.tokenIdleDays} 天不用，或登录后最多 ${facts.tokenMostDays} 天，登录即失效。`,
      },
      {
        en: 'For each personal token: a hash of it, its name, scopes and end, and the network of its last use, encrypted.',
        zh: '每个个人令牌：令牌的哈希、名称、权限、到期时间，以及最近使用的网络（加密）。',
      },
      {
        en: 'A login that waits for a code of yours: what it needs to go on, your passwords included, encrypted, for five minutes; and from which network and with which app it was begun.',
        zh: '等待你输入验证码的登录：继续登录所需的内容（包括密码，加密保存，五分钟），以及从哪个网络、用什么应用发起。',
      },
      {
        en: 'Against password guessing: counts of failed logins for up to 31 days, and the networks you log in from for up to 180 days; the passwords and networks in them only as keyed hashes.',
        zh: '为防止他人猜密码：登录失败的次数，最多 31 天；你登录过的网络，最多 180 天。其中的密码和网络只存带密钥的哈希。',
      },
    ],
  },
  {
    heading: { en: 'Who can see it', zh: '谁能看到' },
    items: [
      {
        en: 'You, and every app or person holding one of your tokens. No other student.',
        zh: '你自己，以及持有你令牌的应用或人。其他学生看不到。',
      },
      keyHolder(facts.operator),
      {
        en: 'The campus sees sign-ins and page views in your name, coming from the address of this service. Without you they happen only where a hook of yours asks for it, at most two readings a day, or while an evaluation that you started runs.',
        zh: '学校会看到以你的身份进行的登录和页面访问，来源是本服务的地址。只有你的事件推送要求时，才会在你不在时访问（每天最多读取两次）；你启动的评教任务除外。',
      },
      {
        en: 'Course offerings and the timetables of classes are read in the name of one of those who look them up, and kept once for everybody. Nothing of you is in them.',
        zh: '开课信息和班级课表以查询者中一人的身份读取，全校共用一份，其中不含你的任何信息。',
      },
      {
        en: 'The log has the route, result and duration of each call, with a tag in place of your student id; never passwords, tokens, scores or other contents.',
        zh: '日志记录每次调用的接口、结果和耗时，学号以标记代替；不记录密码、令牌、成绩等内容。',
      },
      {
        en: 'Where you make a hook: its receiver, which is told the names and ids of what has changed, and marks only where you asked for that.',
        zh: '如果你创建了事件推送：接收方会得到变动内容的名称和编号，只有你要求时才包含分数。',
      },
      {
        en: 'No one else. There is no advertising, no analytics, and this page loads nothing from elsewhere.',
        zh: '此外没有别人：没有广告，没有统计分析，本页面也不加载任何外部资源。',
      },
    ],
  },
  {
    heading: { en: 'How to remove it', zh: '如何删除' },
    items: [
      {
        en: 'Delete the account in your app (`DELETE /auth/account`, with both passwords). Everything above goes at once. For a day the service remembers how many wrong passwords were tried at the campus, and for 30 days from which networks your account was used, as keyed hashes without your name.',
        zh: '在应用里注销账号（`DELETE /auth/account`，需要两个密码），以上内容立即删除。此后一天内仍记得该学号在校园系统试错密码的次数，30 天内记得有人登录过的网络，都只有带密钥的哈希，不含姓名学号。',
      },
      {
        en: 'See it all: `GET /account/export` gives everything that is stored of you; `GET /auth/tokens` and `GET /auth/sessions` say when and where each token was used last.',
        zh: '查看全部：`GET /account/export` 导出所存的关于你的一切；`GET /auth/tokens` 和 `GET /auth/sessions` 列出每个令牌最后使用的时间和网络。',
      },
      {
        en: 'Logging out ends one login; `POST /auth/logout/all` ends all of them. Personal tokens and hooks end with the latter, calendar feeds go on until you delete them.',
        zh: '退出登录只结束当前登录，`POST /auth/logout/all` 结束全部登录、个人令牌和事件推送；日历订阅不受影响，需要单独删除。',
      },
      {
        en: 'Backups made by the operator keep what they hold until the operator deletes them.',
        zh: '运营者做过的备份会保留其中的内容，直到运营者删除备份。',
      },
      {
        en: 'If someone else may have your password, change it at the campus and log in here with the new one: that ends every other login.',
        zh: '怀疑密码泄露时，先在校园系统修改密码，再用新密码登录本服务，其他登录会全部失效。',
      },
      ...contactItems(facts.operator),
    ],
  },
];

/** Tells students what is stored, who can see it, and how it goes; docs/run/threat-model.md tells it to engineers. */
export const privacyPage = (language: Language, facts: PrivacyFacts): TextPage => {
  const title: Words = { en: 'Privacy', zh: '隐私说明' };
  const intro: Words = {
    en: 'Campus Gateway logs in to the campus systems for you, with the two passwords you give it, and returns what it reads there to you and your apps.',
    zh: '校园网关用你提供的两个密码代你登录校园系统，把读到的内容返回给你和你使用的应用。',
  };
  return {
    title: title[language],
    intro: intro[language],
    sections: sections(facts).map(({ heading, items }) => ({
      heading: heading[language],
      items: items.map((words) => words[language]),
    })),
  };
};

const DAY_MS = 86_400_000;

export const privacyFacts = (
  { tokenTtlMs, tokenMaxMs }: { readonly tokenTtlMs: number; readonly tokenMaxMs: number },
  { copyMaxMs }: { readonly copyMaxMs: number },
  operator: Operator,
): PrivacyFacts => ({
  tokenIdleDays: tokenTtlMs / DAY_MS,
  tokenMostDays: tokenMaxMs / DAY_MS,
  copyDays: copyMaxMs / DAY_MS,
  operator,
});

const askedLanguage = (query: unknown): unknown =>
  typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined;

/** `/privacy`, in the language of the address (`?lang=`) or of the reader. */
export const addPrivacy = (app: FastifyInstance, limits: RequestLimits, facts: PrivacyFacts): void => {
  const pages: Readonly<Record<Language, Asset>> = {
    en: htmlPage('en', privacyPage('en', facts), '[中文](/privacy?lang=zh)'),
    zh: htmlPage('zh', privacyPage('zh', facts), '[English](/privacy?lang=en)'),
  };
  const config = { contentPolicy: textPagePolicy };
  const options = { config, schema: { hide: true }, onRequest: limiting(limits.documents) };
  app.get('/privacy', options, async ({ query, headers }, reply) => {
    const asked = askedLanguage(query);
    const language = asked === 'en' || asked === 'zh' ? asked : languageOf(headers['accept-language']);
    reply.vary('Accept-Language');
    return sendAsset(reply, pages[language], 0);
  });
};

/** RFC 9116 wants less than a year: what is read from an old copy should not be believed forever. */
const SECURITY_TXT_DAYS = 180;

/** `/.well-known/security.txt`: where to report a weakness. Without an operator who can be reached there is none: 404. */
export const addSecurityTxt = (
  app: FastifyInstance,
  limits: RequestLimits,
  { operator, publicUrl }: { readonly operator: Operator; readonly publicUrl: string | null },
  clock: Clock,
): void => {
  const { contact } = operator;
  if (contact === null) return;
  const path = '/.well-known/security.txt';
  const options = { schema: { hide: true }, onRequest: limiting(limits.documents) };
  app.get(path, options, async (_request, reply) => {
    const today = Math.floor(clock.now() / DAY_MS);
    const expires = new Date((today + SECURITY_TXT_DAYS) * DAY_MS).toISOString().replace('.000', '');
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en, zh',
      ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${path}`]),
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
};
