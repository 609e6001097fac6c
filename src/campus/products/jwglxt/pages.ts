import { failures, isFailure } from '../../../domain/errors.ts';
import type { Fields } from '../../contract/sign-in.ts';
import { int, type JsonObject, str } from '../../parsing/cells.ts';
import { elementsIn } from '../../parsing/elements.ts';
import { formsIn, type PageForm } from '../../parsing/forms.ts';
import { attributeOf, hasCssClasses, htmlTokens } from '../../parsing/html-tokens.ts';
import { readShown } from '../../parsing/page-messages.ts';
import { passwordCipherIn } from '../../parsing/password-cipher.ts';
import { type PageReader, readersOf, readJson } from '../../parsing/reading.ts';
import { messageIn, refusesRows } from '../../parsing/refusals.ts';
import { plainMessage } from '../../parsing/text.ts';

const reader = readersOf(import.meta.url);
const system = 'academics';

/** The pages whose reads are made, and the function that most schools file them under. */
const functions = {
  timetable: [/\/xskbcx_cxXskbcxIndex\.html/, 'N2151'],
  scores: [/\/cjcx_cx(?:DgXscj|Xsgrcj)\.html/, 'N305005'],
  exams: [/\/kscx_cxXsksxxIndex\.html/, 'N358105'],
  summary: [/\/xsxyqk_cxXsxyqkIndex\.html/, 'N105515'],
  file: [/\/xsgrxxwh_cxXsgrxx\.html/, 'N100801'],
} as const;
export type MenuFunction = keyof typeof functions;

export const usualFunction = (name: MenuFunction): string => functions[name][1];

export interface JwglxtLoginPage {
  /** Of its form, in its order, but for the text of an image. */
  readonly fields: Fields;
  /** It can end the session that the student has elsewhere; null: it cannot. */
  readonly logoutToken: string | null;
  /** The password goes as it is typed. */
  readonly isPlain: boolean;
  /** How often the login has failed is asked before a password goes out. */
  readonly countsFailures: boolean;
  /** So many failures lock for so many minutes; -1: never. */
  readonly lockAfter: number;
  readonly lockMinutes: number;
  readonly wants: 'image' | 'slider' | 'sms' | 'unknown-cipher' | null;
}

const hides = (attributes: string): boolean => /display\s*:\s*none/i.test(attributeOf(attributes, 'style') ?? '');

/** An image is wanted where its field and the box around it are shown; a slider where its script stands on the page. */
const marksOn = (page: string): { image: boolean; slider: boolean } => {
  let [hasImage, isHidden, slider] = [false, false, false];
  for (const token of htmlTokens(page)) {
    if (token.kind !== 'open') continue;
    const of = (name: string) => attributeOf(token.attributes, name) ?? '';
    if (token.name === 'script') slider ||= /zfdun|zfcaptcha/i.test(of('src'));
    else if (
      token.attributes.includes('yzm') &&
      (of('id') === 'yzmDiv' || (token.name === 'input' && of('id') === 'yzm'))
    ) {
      hasImage = true;
      isHidden ||= hides(token.attributes);
    }
  }
  return { image: hasImage && !isHidden, slider };
};

const fieldOf = (form: PageForm, name: string): string | null =>
  form.inputs.find((input) => input.name === name)?.value ?? null;

const isLoginForm = (form: PageForm): boolean =>
  (fieldOf(form, 'csrftoken') ?? '') !== '' && ['yhm', 'mm'].every((name) => fieldOf(form, name) !== null);

/** Null: it is not the product's own page. */
export const parseLoginPage = (page: string): JwglxtLoginPage | null => {
  const forms = formsIn(page);
  const form = forms.find(isLoginForm);
  if (form === undefined) return null;
  const inputs = forms.flatMap((each) => each.inputs);
  const flag = (name: string): string =>
    inputs.find((each) => each.name === name || each.id === name)?.value.trim() ?? '';
  const { image, slider } = marksOn(page);
  const isPlain = flag('mmsfjm') === '0';
  const isUnknown = isPlain && passwordCipherIn(page, 'des') !== null;
  return {
    fields: form.inputs
      .filter(({ name, type }) => ['text', 'hidden', 'password'].includes(type) && name !== '' && name !== 'yzm')
      .map(({ name, value }) => [name, value] as const),
    logoutToken: inputs.find(({ name, id }) => name === 'csrfTokenLogout' || id === 'csrfTokenLogout')?.value ?? null,
    isPlain,
    countsFailures: flag('mmsrddcshkzfs') === '1',
    lockAfter: int(flag('yzcskz'), -1),
    lockMinutes: int(flag('dlsbsdsj')),
    wants: slider
      ? 'slider'
      : flag('dxsyrz') === '1'
        ? 'sms'
        : isUnknown
          ? 'unknown-cipher'
          : image || flag('dlsfbxyzm') === '1'
            ? 'image'
            : null,
  };
};

/** What a campus that is closed says; null: it does not say so. */
export const closedWords = (status: number, page: string): string | null => {
  if (status !== 403 && !/系统维护|开放时间/.test(page)) return null;
  const { messages, rest } = readShown(page);
  return plainMessage([...messages, ...rest].join(' '));
};

/** It has sent a code, or wants one. */
export const wantsSms = (page: string): boolean => {
  const inputs = formsIn(page).flatMap((form) => form.inputs);
  return inputs.some(({ name }) => name === 'dxyz') || readShown(page).rest.some((line) => line.includes('短信'));
};

export const refreshTarget = (page: string): string | null => {
  for (const token of htmlTokens(page)) {
    if (token.kind !== 'open' || token.name !== 'meta') continue;
    if (attributeOf(token.attributes, 'http-equiv')?.toLowerCase() !== 'refresh') continue;
    return /url\s{0,4}=\s{0,4}['"]?([^'"\s]+)/i.exec(attributeOf(token.attributes, 'content') ?? '')?.[1] ?? null;
  }
  return null;
};

export const isMenuPath = (location: string | undefined): boolean =>
  /\/index_initMenu\.html(?:[?#]|$)/.test(location ?? '');

export interface Menu {
  /** The number of the student; null: the page does not say. */
  readonly owner: string | null;
  /** By the names of our reads, where the menu has their pages. */
  readonly functions: Readonly<Partial<Record<MenuFunction, string>>>;
}

/** Null: it is no menu, or only the beginning of one that names no student. */
export const parseMenu = (page: string): Menu | null => {
  let owner: string | null = null;
  let isMenu = false;
  const found: Partial<Record<MenuFunction, string>> = {};
  for (const token of htmlTokens(page)) {
    if (token.kind !== 'open') continue;
    if (
      token.name === 'input' &&
      [attributeOf(token.attributes, 'id'), attributeOf(token.attributes, 'name')].includes('sessionUserKey')
    ) {
      owner ??= (attributeOf(token.attributes, 'value') ?? '').replace(/\s/g, '') || null;
      isMenu = true;
    }
    if (!token.attributes.includes('clickMenu')) continue;
    isMenu = true;
    const [, code = '', path = ''] =
      /clickMenu\(\s?'([A-Za-z0-9]{1,20})'\s?,\s?'([^']{1,300})'/.exec(
        attributeOf(token.attributes, 'onclick') ?? '',
      ) ?? [];
    for (const name of Object.keys(functions) as MenuFunction[])
      if (found[name] === undefined && functions[name][0].test(path)) found[name] = code;
  }
  return isMenu ? { owner, functions: found } : null;
};

/** Whether a number that a page states is the student's. One that is not stated says nothing. */
export const isOwnNumber = (stated: unknown, userid: string): boolean => {
  const number = str(stated).replace(/\s/g, '');
  return number === '' || number === userid.replace(/\s/g, '');
};

export const showsLogin = (text: string): boolean =>
  text.includes('<h5>用户登录</h5>') || (text.includes('csrftoken') && text.includes('yhm'));

export const saysDead = (text: string): boolean => /请先登录|登录超时/.test(text);
/** A notice in place of an answer is no longer. */
const longestNotice = 500;

const NO_PERMISSION = 'no permission';

/** The words of a page that stands where data were due; null: it is no refusal. */
const refusalIn = (text: string): { readonly reason: string; readonly words: string } | null => {
  const page = text.trimStart();
  if (!page.startsWith('<') || showsLogin(page)) return null;
  if (page.includes('错误提示') && page.includes('无功能权限')) {
    const { messages, rest } = readShown(page);
    const lines = [...messages, ...rest].filter((line) => line !== '错误提示');
    return { reason: NO_PERMISSION, words: plainMessage(lines.join(' ')) };
  }
  if (!page.includes('alert-')) return null;
  const alerts = elementsIn(page, (tag, attributes) =>
    tag === 'div' &&
    (hasCssClasses(attributes, 'alert-danger') || hasCssClasses(attributes, 'alert-warning')) &&
    !hides(attributes)
      ? 'alert'
      : null,
  );
  const words = plainMessage(alerts.map(({ text: words }) => words).join(' '));
  return words === '' ? null : { reason: 'refused', words };
};

const throwToldRefusal = (text: string): void => {
  const refusal = refusalIn(text);
  if (refusal === null) return;
  throw failures.upstreamRefused(system, refusal.reason, { upstreamMessage: refusal.words });
};

/** The function, or this name of it, is not there for the account. */
export const isMissing = (error: unknown): boolean =>
  (isFailure(error, 'upstream-refused') && error.reason === NO_PERMISSION) ||
  (isFailure(error, 'upstream-unavailable') && error.upstreamStatus === 404);

/** JSON, or a page with the words of a refusal. */
export const dataAlive = reader('dataAlive', (text: string): boolean => {
  const body = text.trim();
  if (/^[{[]/.test(body)) return body.length > longestNotice || !saysDead(body);
  return refusalIn(body) !== null;
});

/** @throws Failure `upstream-refused` with the words of the campus, `upstream-unreadable` */
export const readData = (text: string): unknown => {
  throwToldRefusal(text);
  return readJson(text, system);
};

/** @throws Failure `upstream-refused` for an answer without rows that says why: it would look like an empty list */
export const refuseWithoutRows = (body: JsonObject): void => {
  if (refusesRows(body)) throw failures.upstreamRefused(system, 'refused', { upstreamMessage: messageIn(body) });
};

/** Readers of a page that shows `mark`: whether it is alive, and what is on it. Without its mark it may be a refusal. */
export const pageReaders = <T>(
  names: readonly [alive: string, parse: string],
  mark: string,
  make: typeof reader,
  read: (page: string) => T,
): readonly [PageReader<boolean>, PageReader<T>] => [
  make(names[0], (page: string): boolean => !showsLogin(page) && (page.includes(mark) || refusalIn(page) !== null)),
  make(names[1], (page: string): T => {
    if (!page.includes(mark)) throwToldRefusal(page);
    return read(page);
  }),
];
