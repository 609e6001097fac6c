import { formsIn, signInForm } from './forms.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';
import { decodeEntities } from './text.ts';

// A page may want its password salted or encrypted by a script. A driver that does not know how would send it in clear,
// or as something that looks like a wrong password.

/** Fields and other elements that carry a salt or a key, or what is encrypted with it. */
const keyField =
  /salt|croypto|public[_-]?key|pub[_-]?key|modulus|^exponent$|^rsa|[_-]rsa$|(?:aes|des|sm[234]|rsa|secret|crypt|cipher)[_-]?key(?![a-z])|^encoded$/i;
const mayBeKeyField = /salt|croypto|key|modulus|exponent|rsa|encoded/i;
/** Fields that say whether the password is encrypted. */
const flagField = /encrypt|cipher|^(?:is|need|pwd|password)?_?encode[dr]?(?:type)?$/i;
const isOff = (value: string): boolean => /^(?:|0|false|no|off|none|null|undefined|plain)$/i.test(value.trim());
const charset = /^(?:utf-?8|gbk|gb2312|gb18030|iso-8859-1)$/i;
const cipherName = /^(?:md5|sha-?\d{1,3}|aes|3?des|rsa|sm[234]|base64)$/i;

/** Variables that hold a salt or a key. */
const keyVariable =
  /(?:salt|publickey|pubkey|modulus|(?:aes|des|sm[234]|rsa|secret|crypt|cipher)_?key)\w{0,40}(?=["']?\s{0,4}[=:]\s{0,4}["'`][^"'`])/i;
/** The whole name of the variable: looked for from its key on, a page of such names would take long. */
const keyVariableIn = (script: string): string | undefined => {
  const found = keyVariable.exec(script);
  return found === null ? undefined : `${/\w{0,40}$/.exec(script.slice(0, found.index).slice(-40))?.[0]}${found[0]}`;
};
/** Attributes that hand one to a script. */
const keyAttribute =
  /(?:^|\s)(data-(?:[\w-]{0,40}-)?(?:\w{0,20}salt|public[-_]?key|pub[-_]?key|modulus|rsa|(?:aes|des|sm[234]|rsa|secret|crypt|cipher)[-_]?key|(?:en)?crypt\w{0,10}|cipher|iv)(?:-[\w-]{0,40})?)\s{0,4}=\s{0,4}["']?([^"'\s>]{1,40})/i;
const ofPassword = /pass|pwd|psw|mima/i;
/** One that names a text or a place of the page is none. */
const passwordKey =
  /(?:^|\s)(data-(?![\w-]{0,20}(?:i18n|lang|locale|label|message|msg|placeholder|text|title|tab))[\w-]{0,20}key)\s{0,4}=/i;
/** Files that encrypt, by their usual names. */
const file =
  /(?:^|[/._-])(?:des|3des|tripledes|aes|md5|sha\d{0,3}|rsa|sm[234]|crypto|cryptico|security|base64|jsbn|barrett|(?:pwd|password|login)?[_-]?(?:encrypt|encode))(?:[._-][\w.-]{0,40})?\.js\b|\/rsa\//i;
/** Names of functions and libraries that encrypt. */
const library =
  /\b(?:md5|sha(?:1|256|512)|sm3|aes|des|b64_?\w{0,10})\s?\(|\b(?:md5|sha\d{1,3})_\w{1,20}\s?\(|(?:btoa|encode64|base64\w{0,10}(?:\.\w{1,20})?)\s?\([^()]{0,40}(?:pass|pwd|psw)|jsencrypt|rsa(?:key|utils|_|\.|pub)|encryptedstring|setmaxdigits|setpublickey|(?:get|fetch|load|request)_?(?:rsa|sm2)?_?pub(?:lic)?_?key|begin public key|cryptojs|crypto-js|sm[24](?:encrypt|\.|-)|strenc|hex_(?:md5|sha)|\w{0,40}encrypt\w{0,40}|\w{0,40}salt\b|\bbtoa\s?\((?!\s{0,4}(?:window\.|document\.)?(?:location|url|href|service|redirect|state)\b)/i;
/** The same in longer names, where signs of both cases tell them from words: calcMD5, loginByRsa, login_rsa. */
const inName =
  /[a-z\d_$](?:MD5|Md5|RSA|Rsa|AES|Aes|DES3?|SM[234]|SHA\d{1,3}|Sha\d{1,3})(?![a-z])\w{0,20}\s?\(|_(?:md5|rsa|aes|des3?|sm[234]|sha\d{1,3})(?![a-z])\w{0,20}\s?\(|\b(?:3?DES3?|AES|RSA|MD5|SM[234])\.\w{1,20}\s?\(/;

/** Functions that fill in a password that was kept, or leave it what it is. */
const harmless =
  '(?!\\$?\\(|jquery\\(|[\\w$.]{0,60}(?:cookie|storage|get|trim|replace|math\\.|query|find|decode|decrypt|atob|escape|encodeuri|urlencod|string)\\w{0,40}\\s?\\()';
const called = `(?:(?:await|new)\\s{1,4})?(?!typeof\\b)${harmless}([a-z_$][\\w$.]{0,60})\\s?\\(`;
const passwordWord = `(?:${ofPassword.source})`;
/** Whatever a function is called, a page that writes its result into the password wants that instead. */
const written = new RegExp(
  `${passwordWord}[\\w$-]{0,20}["'\\])\\s]{0,6}\\.(?:val\\s?\\(|value\\s{0,4}=(?!=))\\s{0,4}${called}`,
  'i',
);
const rewritten = new RegExp(
  `(?<![\\w$.])(?!user|name|account|login_?(?:id|name)|captcha|verif|valid|v?code|yzm)([\\w$]{1,40})\\.value\\s{0,4}=(?!=)\\s{0,4}${called}\\s{0,4}\\1\\.value`,
  'i',
);
/** A function that makes another text by its name, and is given the password. */
const given = new RegExp(
  `(?<![\\w$.])${harmless}([\\w$.]{0,30}(?:encod|crypt|cipher|hash|digest|jiami|b64|base64)[\\w$]{0,30})\\s?\\(\\s{0,4}(?:(?:\\$|jquery|document\\.\\w{1,30})\\()?[^();]{0,40}${passwordWord}`,
  'i',
);

/** What a script does to the password; null: nothing that is seen. */
const deedIn = (script: string): string | null =>
  library.exec(script)?.[0] ??
  inName.exec(script)?.[0] ??
  written.exec(script)?.[1] ??
  rewritten.exec(script)?.[2] ??
  given.exec(script)?.[1] ??
  null;

/** Attributes that hold script text, also of frameworks. */
const handler =
  /(?:^|[\s"'])(?:on[a-z]{3,12}|(?:data-)?ng-[a-z]{3,12}|@[\w.:-]{3,40}|v-on:[\w.:-]{3,40}|(?:action|href)(?=\s{0,4}=\s{0,4}["']?\s{0,4}javascript:))\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** What an element says by its id, its data or what it calls. */
const markIn = (tag: string, attributes: string, knows: 'nothing' | 'des'): string | null => {
  const of = (name: string): string => attributeOf(attributes, name) ?? '';
  if (mayBeKeyField.test(attributes)) {
    // A meta element without content, or a link that is only called so, holds none.
    const isHolder = tag === 'meta' ? of('content') !== '' : tag !== 'a' && tag !== 'link';
    const named = isHolder ? ['id', 'name'].map(of).find((name) => keyField.test(name)) : undefined;
    if (named !== undefined) return named;
  }
  const [, key, value = ''] = keyAttribute.exec(attributes) ?? [];
  if (key !== undefined && !isOff(value)) return key;
  const isPassword = tag === 'input' && of('type').toLowerCase() === 'password';
  const own = isPassword ? passwordKey.exec(attributes)?.[1] : undefined;
  if (own !== undefined) return own;
  if (knows === 'des' || !/on[a-z]{3}|ng-|@|javascript/i.test(attributes)) return null;
  for (const [, double, single, bare] of attributes.matchAll(handler)) {
    const script = decodeEntities(double ?? single ?? bare ?? '');
    // The value of another field may be changed.
    const found = deedIn(tag === 'input' && !isPassword ? script.replaceAll('this.value', '') : script);
    if (found !== null) return found.slice(0, 40);
  }
  return null;
};

/**
 * What a login page wants done to the password, by the name that the page gives it; null: nothing that is seen.
 * @param knows what the driver does already: `des` encrypts, and its pages may name the script that does
 */
export const passwordCipherIn = (page: string, knows: 'nothing' | 'des'): string | null => {
  const inputs = formsIn(page).flatMap((form) => form.inputs);
  const named = new Set(inputs.map(({ name }) => name));
  // Lengths of name and password, behind which both go out encrypted.
  if (named.has('ul') && named.has('pl')) return 'ul';
  for (const { name, id, type, value } of inputs) {
    const key = [name, id].find((each) => keyField.test(each));
    if (key !== undefined) return key;
    const flag = [name, id].find((each) => flagField.test(each));
    if (flag !== undefined && !isOff(value) && !charset.test(value.trim())) return flag;
    // A script puts the encrypted password there.
    if (flag !== undefined && type === 'hidden' && value === '' && ofPassword.test(flag)) return flag;
    if (type === 'hidden' && cipherName.test(value.trim())) return name || id || value;
  }
  let script: string | undefined;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'open') {
      const mark = markIn(token.name, token.attributes, knows);
      if (mark !== null) return mark;
    }
    const isScript = token.kind !== 'text' && token.kind !== 'close' && token.name === 'script';
    if (!isScript) continue;
    const text = token.kind === 'raw' ? token.text : (attributeOf(token.attributes, 'src') ?? '');
    const variable = token.kind === 'raw' ? keyVariableIn(text) : undefined;
    const found = variable ?? (knows === 'nothing' ? deedIn(text) : null);
    if (found !== null) return found.slice(0, 40);
    if (token.kind === 'open') script ??= file.exec(text)?.[0];
  }
  // The name of a file says least.
  return (knows === 'nothing' ? script : null) ?? null;
};

/** The field for the password has another name, and a hidden one has its: a script fills that in, and with what is not known. */
export const hiddenPasswordIn = (page: string): string | null => {
  const named = signInForm(formsIn(page))?.inputs.filter(({ name }) => name === 'password') ?? [];
  return named.length > 0 && named.every(({ type }) => type === 'hidden') ? 'hidden password' : null;
};
