import type {
  CommentQuestion,
  CommentSort,
  Questionnaire,
  RatingOption,
  RatingQuestion,
} from '../../domain/evaluation/questionnaire.ts';
import { attributeOf, htmlTokens } from '../parsing/html-tokens.ts';
import { int, num } from '../parsing/scalars.ts';
import { clean, detached } from '../parsing/text.ts';
import { unreadable } from '../parsing/unreadable.ts';
import { evaluationTokenIn } from './parse-evaluation-index.ts';

const mostQuestions = 500;
const mostOptions = 50;
const longestCell = 2_000;

/** A page of the questionnaire of a live session. */
export const questionnaireAlive = (page: string): boolean =>
  page.includes('tokenValue') && /type\s*=\s*["']?radio|<textarea/i.test(page);

/** `5_0.8` is the score 5 with the weight 0.8. */
const weightOf = (value: string): number => num(value.split('_')[1] ?? '');

const sortOf = (name: string, label: string): CommentSort => {
  if (name.includes('zgpj')) return 'overall';
  if (/启发|启示/.test(label)) return 'inspiration';
  if (/建议|意见|改进/.test(label)) return 'suggestion';
  return 'general';
};

interface FoundComment {
  readonly name: string;
  readonly maxLength: number | null;
  /** Row and cell of the text area. */
  readonly row: number;
  readonly cell: number;
}

/** What stands on the page, read in one pass: hidden numbers, radio groups, text areas, and the texts of the cells. */
const readPage = (page: string) => {
  const hidden = new Map<string, string>();
  const groups = new Map<string, RatingOption[]>();
  const comments = new Map<string, FoundComment>();
  const rows: string[][] = [[]];
  let inCell = false;
  const field = (attributes: string): void => {
    const name = detached(attributeOf(attributes, 'name') ?? '');
    if (name === '' || attributeOf(attributes, 'disabled') !== null) return;
    const value = detached(attributeOf(attributes, 'value') ?? '');
    const type = (attributeOf(attributes, 'type') ?? '').toLowerCase();
    if (type === 'hidden') hidden.set(name, value.trim());
    if (type !== 'radio' || value === '') return;
    const options = groups.get(name) ?? [];
    if (options.length < mostOptions) options.push({ value, weight: weightOf(value) });
    groups.set(name, options);
  };
  for (const token of htmlTokens(page)) {
    const row = rows.at(-1) ?? [];
    if (token.kind === 'open') {
      const { name, attributes } = token;
      if (name === 'tr') rows.push([]);
      else if (name === 'td' || name === 'th') {
        row.push('');
        inCell = true;
      } else if (name === 'input') field(attributes);
      else if (name === 'textarea') {
        const fieldName = detached(attributeOf(attributes, 'name') ?? '');
        if (fieldName === '' || comments.has(fieldName)) continue;
        if (attributeOf(attributes, 'disabled') !== null) continue;
        const limit = int(attributeOf(attributes, 'maxlength'), -1);
        comments.set(fieldName, {
          name: fieldName,
          maxLength: limit > 0 ? limit : null,
          row: rows.length - 1,
          cell: row.length - 1,
        });
      }
    } else if (token.kind === 'close') {
      if (token.name === 'td' || token.name === 'th' || token.name === 'tr') inCell = false;
    } else if (token.kind === 'text' && inCell && row.length > 0) {
      const before = row.pop() ?? '';
      row.push(before + token.text.slice(0, Math.max(longestCell - before.length, 0)));
    }
  }
  return { hidden, groups, comments: [...comments.values()], rows };
};

/** The cell before the text area, else its own, else the last one of the row before that says anything. */
const labelsOf = (rows: readonly (readonly string[])[]) => {
  /** Each row is read once, however many text areas stand behind it. */
  const lastOfRow = new Map<number, string>();
  const lastTextOf = (row: number): string => {
    const known = lastOfRow.get(row);
    if (known !== undefined) return known;
    const cell = rows[row]?.findLast((text) => clean(text) !== '');
    const last = clean(cell);
    lastOfRow.set(row, last);
    return last;
  };
  return ({ row, cell }: FoundComment): string => {
    const own = rows[row] ?? [];
    return clean(own[cell - 1]) || clean(own[cell]) || lastTextOf(row - 1);
  };
};

/**
 * The questions of any questionnaire: field names, options and limits are those of the page.
 * @throws Failure `upstream-unreadable` for a page without token or without a single question
 */
export const parseQuestionnaire = (page: string): Omit<Questionnaire, 'session'> => {
  const token = evaluationTokenIn(page, 'name');
  if (token === null) throw unreadable('academics', 'questionnaire without token');
  const { hidden, groups, comments, rows } = readPage(page);
  if (groups.size + comments.length === 0) throw unreadable('academics', 'questionnaire without questions');
  if (groups.size + comments.length > mostQuestions) throw unreadable('academics', 'questionnaire too long');
  const labelOf = labelsOf(rows);
  return {
    token,
    questionnaireNumber: hidden.get('wjdm') ?? '',
    staffNumber: hidden.get('bprdm') ?? '',
    contentNumber: hidden.get('pgnr') ?? '',
    ratings: [...groups].map(([name, options]): RatingQuestion => ({ kind: 'rating', name, options })),
    comments: comments.map(
      (found): CommentQuestion => ({
        kind: 'comment',
        name: found.name,
        sort: sortOf(found.name, labelOf(found)),
        maxLength: found.maxLength,
      }),
    ),
  };
};
