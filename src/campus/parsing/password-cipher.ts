import { formsIn } from './forms.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';

// A page may want its password salted or encrypted by a script. A driver that does not know how would send it in clear,
// or as something that looks like a wrong password.

/** Fields that carry a salt or a public key. */
const keyField = /salt|croypto|public_?key|pub_?key|modulus|^exponent$|^rsa/i;
/** Fields that say whether the password is encrypted. */
const flagField = /encrypt/i;
const isOff = (value: string): boolean => /^(?:|0|false|no|off|none|null|undefined)$/i.test(value.trim());

/** Variables that hold a salt or a key. */
const keyVariable = /(\w{0,40}(?:salt|publickey|pubkey|modulus)\w{0,40})["']?\s{0,4}[=:]\s{0,4}["'][^"']/i;
/** Names of functions and libraries that encrypt. */
const library =
  /jsencrypt|rsa(?:key|utils|_|\.|pub)|encryptedstring|setmaxdigits|setpublickey|begin public key|cryptojs|crypto-js|sm[24](?:encrypt|\.|-)|strenc|hex_md5|\w{0,40}encrypt\w{0,40}|\w{0,40}salt\b/i;

const elementMark = /croypto/i;

/**
 * What a login page wants done to the password, by the name that the page gives it; null: nothing that is seen.
 * @param knows what the driver does already: `des` encrypts, and its pages may name the script that does
 */
export const passwordCipherIn = (page: string, knows: 'nothing' | 'des'): string | null => {
  for (const { name, id, value } of formsIn(page).flatMap(({ inputs }) => inputs)) {
    const named = [name, id].find((each) => keyField.test(each));
    if (named !== undefined) return named;
    const flag = [name, id].find((each) => flagField.test(each));
    if (flag !== undefined && !isOff(value)) return flag;
  }
  for (const token of htmlTokens(page)) {
    if (token.kind === 'open') {
      const id = attributeOf(token.attributes, 'id') ?? '';
      if (elementMark.test(id)) return id;
    }
    const isScript = token.kind !== 'text' && token.kind !== 'close' && token.name === 'script';
    if (!isScript) continue;
    const text = token.kind === 'raw' ? token.text : (attributeOf(token.attributes, 'src') ?? '');
    const variable = token.kind === 'raw' ? keyVariable.exec(text)?.[1] : undefined;
    const found = variable ?? (knows === 'nothing' ? library.exec(text)?.[0] : undefined);
    if (found !== undefined) return found.slice(0, 40);
  }
  return null;
};
