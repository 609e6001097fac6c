import { campusMomentIn, moments, times } from './moments.ts';

// What a text can say of a person, and what it cannot.

/**
 * What may be of a person: letters, digits of any script, characters of one's own, under which rare names are kept, and
 * everything beyond the first plane, as pictures in a nickname.
 */
export const signs = String.raw`\p{L}\p{M}\p{N}\p{Co}\u{10000}-\u{10FFFF}`;
export const tellingSign = new RegExp(`[${signs}]`, 'u');
export const wordPattern = new RegExp(`[${signs}]+`, 'gu');
export const joinedWords = new RegExp(`[${signs}_-]+`, 'gu');

/** Says nothing: blank, none, zero, a dash, stars, and what stands for a text that nobody reads. */
export const saysNothing = (text: string): boolean =>
  !tellingSign.test(text.replace(/[某0]/g, '')) || text.trim() === '无';

/** The words of terms, weeks and sessions. */
const publicWords =
  /^(?:第|周|节|单|双|学年|学期|年|月|日|季|春|夏|秋|冬|上|下|星期|礼拜|当前|全部|至|天|一|二|三|四|五|六|七|八|九|十)+$/;
/** Those of them that can be no name, as 周春 is one. */
const noName =
  /第|学年|学期|星期|礼拜|^(?:.|[一二三四五六七八九十]{2,3}|周[一二三四五六日天]|周?[单双]周|年?[春夏秋冬]季?|当前|全部)$/;
/** A week, session, day or kind of row: of lists that every campus has, and hardly a mark. */
export const isShortCode = (text: string): boolean => /^[0-3]?\d$/.test(text);
/** A mask of weeks, or a year. */
const publicNumber = /^(?:[01]{16,64}|(?:19|20)\d\d)$/;

/** Digits, Latin letters, Han, each by itself. */
export const runs = new RegExp(
  String.raw`\p{Script=Han}[\p{Script=Han}·・]*|[\p{L}\p{M}_$]+|\d+|[\p{N}\p{Co}\u{10000}-\u{10FFFF}]+|[^${signs}_$]+`,
  'gu',
);

/** A term, a time of day, weeks: kept, whatever else stands with them. */
export const isPublicText = (text: string): boolean =>
  (text.replace(times, '').match(runs) ?? []).every(
    (run) =>
      !(tellingSign.test(run) || /[_$]/.test(run)) ||
      isShortCode(run) ||
      publicNumber.test(run) ||
      (/^\d{8}$/.test(run) && campusMomentIn(run) !== null) ||
      (publicWords.test(run) && noName.test(run)),
  );

/** A text about a term, a mask of weeks or an hour, as a whole, also where nothing says that it is one. */
export const namesTerm = (text: string): boolean =>
  /^(?:[01]{16,64}|[0-2]?\d:[0-5]\d)$/.test(text) ||
  (/(?:19|20)\d\d\s?[-—~至]\s?(?:20)?\d\d/.test(text) && text.match(moments) === null && isPublicText(text));

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const isUuid = (text: string): boolean => uuid.test(text);
