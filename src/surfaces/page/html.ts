import type { Challenge } from '../../domain/accounts/challenges/ports.ts';
import { campusTimestamp } from '../../lib/campus-time.ts';
import { styleSource } from '../../platform/docs/text-page.ts';
import type { Language, Words } from '../../platform/languages.ts';
import type { ContentPolicy } from '../../platform/server/security.ts';
import { goodUntil, notBefore, pageWords as w } from './words.ts';

const style = `:root{color-scheme:light dark;--line:#767676;--warn:#b3261e;--good:#1b6e3c;--main:#0b57d0;--on:#fff}
@media (prefers-color-scheme:dark){:root{--line:#9a9a9a;--warn:#ffb4ab;--good:#8fd6a8;--main:#a8c7fa;--on:#062e6f}}
*{box-sizing:border-box}
body{margin:0;padding:1rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:32rem;margin:1rem auto}
h1{font-size:1.5rem;line-height:1.3}
h2{font-size:1.1rem;margin:1.5rem 0 .25rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;margin:.25rem 0}
dd{margin:0}
form{margin:1.25rem 0}
label,legend{display:block;font-weight:600;padding:0}
fieldset{border:0;margin:0;padding:0}
.choice{font-weight:400;min-height:2.75rem;display:flex;align-items:center;gap:.6rem}
input:not([type=radio]){display:block;width:100%;min-height:2.75rem;margin:.35rem 0;padding:.4rem .6rem;font:inherit;font-size:1.25rem;letter-spacing:.1em;border:1px solid var(--line);border-radius:.4rem}
input[type=radio]{width:1.25rem;height:1.25rem}
button,.button{display:inline-block;min-height:2.75rem;margin:.4rem .5rem 0 0;padding:.5rem 1.25rem;font:inherit;text-decoration:none;color:var(--main);background:transparent;border:1px solid var(--main);border-radius:.4rem;cursor:pointer}
button.main{color:var(--on);background:var(--main)}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
img{display:block;min-width:12rem;max-width:100%;margin:.35rem 0;background:#fff;border:1px solid var(--line)}
.notice,.warn{padding:.5rem .75rem;border-left:.3rem solid var(--good)}
.warn{border-color:var(--warn)}
.small{font-size:.9rem;margin:.25rem 0}`;

/** The order is that of the design, and nothing is taken over from other pages. */
export const pagePolicy: ContentPolicy = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  imgSrc: ['data:'],
  styleSrc: [styleSource(style)],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const plain = (text: string): string => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '');

/** Something that the reader should notice before anything else. */
export interface Notice {
  readonly words: Words;
  /** Left out: something is wrong, and the title says it first. */
  readonly tone?: 'good' | 'warning';
  /** What is wrong: it is described by the notice, and has the focus. */
  readonly about?: 'answer' | 'target';
}

/** What every page is made with. */
export interface Look {
  readonly language: Language;
  readonly timeZone: string;
  readonly now: number;
}

const languageTags: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

const page = ({ language }: Look, title: Words, notice: Notice | null, parts: readonly string[]): string => {
  const said = notice && plain(notice.words[language]);
  const head = plain(title[language]);
  const [look, role] = notice?.tone === 'good' ? ['notice', 'status'] : ['warn', 'alert'];
  const box = notice && `<p class="${look}" role="${role}" id="notice">${said}</p>`;
  return `<!doctype html>
<html lang="${languageTags[language]}">
<head>
<meta charset="utf-8">
<title>${notice && !notice.tone ? `${said} · ` : ''}${head} · Campus Gateway</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>${head}</h1>
${[...(box === null ? [] : [box]), ...parts].join('\n')}
</main>
</body>
</html>
`;
};

const paragraph = (text: string, kind = ''): string => `<p${kind === '' ? '' : ` class="${kind}"`}>${plain(text)}</p>`;

const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${plain(value)}">`;

/** Posts to the page itself. */
const form = (parts: readonly string[]): string => `<form method="post">\n${parts.join('\n')}\n</form>`;

const button = (text: string, action: 'answer' | 'send' | null, main: boolean): string =>
  `<button${main ? ' class="main"' : ''}${action === null ? '' : ` name="action" value="${action}"`}>${plain(text)}</button>`;

interface Field {
  readonly name: 'code' | 'answer';
  readonly label: string;
  readonly hint: string | null;
  /** Further attributes, none of which a client chose. */
  readonly attributes: string;
  readonly isWrong: boolean;
}

const field = ({ name, label, hint, attributes, isWrong }: Field): string => {
  const described = [...(hint === null ? [] : [`${name}-hint`]), ...(isWrong ? ['notice'] : [])].join(' ');
  return [
    `<label for="${name}">${plain(label)}</label>`,
    ...(hint === null ? [] : [`<p class="small" id="${name}-hint">${plain(hint)}</p>`]),
    `<input id="${name}" name="${name}" required spellcheck="false" ${attributes}${described === '' ? '' : ` aria-describedby="${described}"`}${isWrong ? ' aria-invalid="true" autofocus' : ''}>`,
  ].join('\n');
};

/** Where the code of the app is typed. */
export const codePage = (look: Look, notice: Notice | null): string => {
  const { language } = look;
  return page(look, w.codeTitle, notice, [
    paragraph(w.codeIntro[language]),
    form([
      field({
        name: 'code',
        label: w.code[language],
        hint: w.codeHint[language],
        attributes: `maxlength="32" autocomplete="off" autocapitalize="characters"${notice ? '' : ' autofocus'}`,
        isWrong: notice !== null,
      }),
      button(w.goOn[language], null, true),
    ]),
  ]);
};

/** Enough for the student to know it by, and not enough for a stranger. */
export const maskedId = (userid: string): string => {
  const [head, tail] = userid.length >= 8 ? [4, 2] : userid.length >= 4 ? [1, 1] : [0, 0];
  const end = userid.length - tail;
  return `${userid.slice(0, head)}${'*'.repeat(end - head)}${userid.slice(end)}`;
};

/** Who began the login: the only thing by which its owner can tell that it is another's. */
const askerPart = ({ userid, asker }: Challenge, { language, timeZone }: Look, warns: boolean): string => {
  const rows: ReadonlyArray<readonly [Words, string]> = [
    [w.student, maskedId(userid)],
    [w.time, campusTimestamp(asker.at, timeZone)],
    [w.client, asker.client ?? w.unknown[language]],
    [w.network, asker.network === '' ? w.unknown[language] : asker.network],
  ];
  return [
    `<h2>${plain(w.whose[language])}</h2>`,
    `<dl>\n${rows.map(([name, value]) => `<dt>${plain(name[language])}</dt><dd>${plain(value)}</dd>`).join('\n')}\n</dl>`,
    ...(warns ? [paragraph(w.fromElsewhere[language], 'warn')] : []),
    paragraph(w.ownOnly[language]),
  ].join('\n');
};

const clockTime = (at: number, timeZone: string): string => campusTimestamp(at, timeZone).slice(11);

const sentWords = { unknown: w.sentUnknown, perhaps: w.sentPerhaps, yes: w.sentYes } as const;

const answerLabels = { captcha: w.image, sms: w.smsCode, totp: w.totpCode } as const;
const answerAttributes = {
  captcha: 'maxlength="8" autocomplete="off" autocapitalize="off"',
  sms: 'maxlength="16" autocomplete="one-time-code" inputmode="numeric"',
  totp: 'maxlength="16" autocomplete="one-time-code" inputmode="numeric"',
} as const;

const imagePart = ({ image }: Challenge, language: Language): string[] =>
  image === null
    ? []
    : [
        `<img alt="${plain(w.imageAlt[language])}" src="data:${image.type};base64,${Buffer.from(image.bytes).toString('base64')}">`,
      ];

const targetsPart = ({ targets }: Challenge, language: Language, isWrong: boolean): string[] => {
  if (targets.length < 2) return [];
  const choices = targets.map(
    ({ index, label }, at) =>
      `<label class="choice"><input type="radio" name="target" value="${index}" required${isWrong && at === 0 ? ' autofocus' : ''}> ${plain(label)}</label>`,
  );
  const described = isWrong ? ' aria-describedby="notice"' : '';
  return [`<fieldset${described}>\n<legend>${plain(w.sendTo[language])}</legend>\n${choices.join('\n')}\n</fieldset>`];
};

/** A step, with everything that can be done about it. */
export const stepPage = (
  look: Look,
  challenge: Challenge,
  { pageCode, confirmed, notice }: { pageCode: string; confirmed: boolean; notice: Notice | null },
): string => {
  const { language, timeZone, now } = look;
  const { kind, sent, stillValid, sendsLeft, resendAfter, expiresAt } = challenge;
  const common = [hidden('code', pageCode), ...(confirmed ? [hidden('confirmed', 'yes')] : [])];
  // Some portals send nothing before a phone is chosen.
  const canSend = kind !== 'totp' && sendsLeft > 0;
  const chooses = canSend && challenge.targets.length > 1 && sent !== 'yes';
  const sentPart = chooses ? w.sentChoose : sentWords[sent];
  const said = kind === 'sms' ? [sentPart, ...(stillValid ? [w.stillValid] : [])] : [];
  const waits =
    resendAfter > 0 ? [paragraph(notBefore(clockTime(now + resendAfter * 1000, timeZone))[language], 'small')] : [];
  const answering = form([
    ...common,
    ...imagePart(challenge, language),
    field({
      name: 'answer',
      label: answerLabels[kind][language],
      hint: goodUntil(clockTime(expiresAt, timeZone))[language],
      attributes: answerAttributes[kind],
      isWrong: notice?.about === 'answer',
    }),
    button(w.submit[language], 'answer', !chooses),
  ]);
  const sending = form([
    ...common,
    ...targetsPart(challenge, language, notice?.about === 'target'),
    ...waits,
    button((kind === 'captcha' ? w.newImage : w.send)[language], 'send', chooses),
  ]);
  const forms = !canSend ? [answering] : chooses ? [sending, answering] : [answering, sending];
  return page(look, w.stepTitle, notice, [
    askerPart(challenge, look, !challenge.asker.isHere),
    ...said.map((words) => paragraph(words[language])),
    ...forms,
  ]);
};

/** Before an answer from another network than that of the login; it waits in the form, since nothing unsent is kept. */
export const confirmPage = (
  look: Look,
  challenge: Challenge,
  { pageCode, answer }: { pageCode: string; answer: string },
): string => {
  const { language } = look;
  return page(look, w.confirmTitle, { words: w.confirm, tone: 'warning' }, [
    askerPart(challenge, look, false),
    form([
      hidden('code', pageCode),
      hidden('answer', answer),
      hidden('confirmed', 'yes'),
      `<a class="button" href="challenge">${plain(w.stop[language])}</a>`,
      button(w.confirmYes[language], 'answer', false),
    ]),
  ]);
};

/** Nothing can be typed any more, or, with a code, not before one has looked again. */
export const endPage = (look: Look, title: Words, text: Words, pageCode: string | null = null): string =>
  page(look, title, null, [
    paragraph(text[look.language]),
    ...(pageCode === null ? [] : [form([hidden('code', pageCode), button(w.lookAgain[look.language], null, true)])]),
  ]);
