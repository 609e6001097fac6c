/** Signs that people read as one of ASCII: full-width ones, dashes, the ratio sign for a colon, signs without a width. */
const odd = /[\u200b-\u200f\u2010-\u2015\u2060\u2212\u2236\u223c\u301c\ufe63\ufeff\uff01-\uff5e]/;
const dash = /[\u2010-\u2015\u2212\ufe63]/g;

/** The text with those signs as plain ones. Each stays at its place, so that what is found in it can be cut from the text. */
export const plainSigns = (text: string): string =>
  odd.test(text)
    ? text
        .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
        .replace(dash, '-')
        .replace(/[\u223c\u301c]/g, '~')
        .replaceAll('\u2236', ':')
        .replace(/[\u200b-\u200f\u2060\ufeff]/g, ' ')
    : text;
