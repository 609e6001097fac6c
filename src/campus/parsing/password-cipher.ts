import { formsIn } from './forms.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';

// A page may want its password salted or encrypted by a script. A driver that does not know how would send it in clear,
// or as something that looks like a wrong password.

/** Fields that carry a salt or a public key. */
const keyField = /salt|croypto|public[_-]?key|pub[_-]?key|modulus|^exponent$|^rsa/i;
/** Fields that say whether the password is encrypted. */
const flagField = /encrypt/i;
const isOff = (value: string): boolean => /^(?:|0|false|no|off|none|null|undefined)$/i.test(value.trim());

/** Variables that hold a salt or a key. */
const keyVariable = /(\w{0,40}(?:salt|publickey|pubkey|modulus)\w{0,40})["']?\s{0,4}[=:]\s{0,4}["'`][^"'`]/i;
/** Attributes that hand one to a script. */
const keyAttribute =
  /(?:^|\s)(data-[\w-]{0,40}(?:salt|public-?key|pub-?key|modulus|rsa)[\w-]{0,40})\s{0,4}=\s{0,4}["']?[^"'\s>]/i;
/** Files that encrypt, by their usual names. */
const file =
  /(?:^|[/._-])(?:des|3des|tripledes|aes|md5|sha\d{0,3}|rsa|sm[234]|crypto|cryptico|encrypt|security)(?:[._-][\w.-]{0,40})?\.js\b/i;
/** Names of functions and libraries that encrypt. */
const library =
  /\b(?:md5|sha(?:1|256|512)|sm3|aes|des|b64_?\w{0,10})\s?\(|(?:btoa|encode64|base64\w{0,10}(?:\.\w{1,20})?)\s?\([^()]{0,40}(?:pass|pwd|psw)|jsencrypt|rsa(?:key|utils|_|\.|pub)|encryptedstring|setmaxdigits|setpublickey|begin public key|cryptojs|crypto-js|sm[24](?:encrypt|\.|-)|strenc|hex_md5|\w{0,40}encrypt\w{0,40}|\w{0,40}salt\b/i;

const elementMark = /croypto/i;

const handlers = ['onsubmit', 'onclick', 'action'] as const;

/** What an element says by its id, its data or what it calls. */
const markIn = (tag: string, attributes: string, knows: 'nothing' | 'des'): string | null => {
  const of = (name: string): string => attributeOf(attributes, name) ?? '';
  if (elementMark.test(of('id'))) return of('id');
  const key = keyAttribute.exec(attributes)?.[1];
  if (key !== undefined) return key;
  if (tag === 'meta' && keyField.test(of('name')) && of('content') !== '') return of('name');
  if (knows === 'des' || !/on(?:submit|click)|javascript/i.test(attributes)) return null;
  const found = handlers.map((name) => library.exec(of(name))?.[0]).find(Boolean);
  return found === undefined ? null : found.slice(0, 40);
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
  for (const { name, id, value } of inputs) {
    const key = [name, id].find((each) => keyField.test(each));
    if (key !== undefined) return key;
    const flag = [name, id].find((each) => flagField.test(each));
    if (flag !== undefined && !isOff(value)) return flag;
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
    const variable = token.kind === 'raw' ? keyVariable.exec(text)?.[1] : undefined;
    const found = variable ?? (knows === 'nothing' ? library.exec(text)?.[0] : undefined);
    if (found !== undefined) return found.slice(0, 40);
    if (token.kind === 'open') script ??= file.exec(text)?.[0];
  }
  // The name of a file says least.
  return (knows === 'nothing' ? script : null) ?? null;
};
