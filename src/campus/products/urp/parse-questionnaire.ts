import type { CommentSort, Questionnaire } from '../../../domain/evaluation/types.ts';
import { int, num } from '../../parsing/cells.ts';
import { attributeOf, hasCssClasses, htmlTokens } from '../../parsing/html-tokens.ts';
import { readersOf, unreadable } from '../../parsing/reading.ts';
import { clean, detach, extend } from '../../parsing/text.ts';
import { evaluationTokenIn } from './parse-evaluation.ts';

const reader = readersOf(import.meta.url);

const mostQuestions = 500;
const mostOptions = 50;
const mostCells = 20_000;
const longestCell = 2_000;
const longestLabel = 100;
const longestQuestion = 500;
/** Shorter texts beside radio buttons are numbers and categories more often than questions. */
const shortestQuestion = 6;

export const questionnaireAlive = reader(
  'questionnaireAlive',
  (page: string): boolean => page.includes('tokenValue') && /type\s*=\s*["']?radio|<textarea/i.test(page),
);

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

/** A radio button and the texts that may be its label, each as far as it has been read. */
interface FoundOption {
  readonly value: string;
  /** From the button to the next one, or to the end of its label or cell. */
  text: string;
  readonly row: number;
  readonly cell: number;
}

interface QuestionnaireCell {
  text: string;
  /** It spans several rows: a category, not a question. */
  readonly spans: boolean;
  radios: number;
}

type QuestionnaireRows = ReadonlyArray<readonly QuestionnaireCell[]>;

/** Reads title, hidden numbers, radio groups, text areas and cells in one pass over the page. */
class QuestionnaireReader {
  readonly hidden = new Map<string, string>();
  readonly groups = new Map<string, FoundOption[]>();
  readonly comments = new Map<string, FoundComment>();
  readonly rows: QuestionnaireCell[][] = [[]];
  #cells = 0;
  #title = '';
  #titleTag: string | null = null;
  #inCell = false;
  /** Inside a form that has not ended yet, or whose end was cut off. */
  #inForm = false;
  /** The open label: its text before any button. */
  #label: string | null = null;
  #option: FoundOption | null = null;

  /** @throws Failure `upstream-unreadable` for too many cells */
  constructor(page: string) {
    for (const token of htmlTokens(page)) {
      if (token.kind === 'open') this.#begin(token.name, token.attributes);
      else if (token.kind === 'close') this.#end(token.name);
      else if (token.kind === 'text') this.#text(token.text);
    }
  }

  get title(): string {
    return detach(clean(this.#title));
  }

  /** The page ended inside its form: half a questionnaire must neither be shown nor be sent. */
  get isCut(): boolean {
    return this.#inForm;
  }

  get #row(): QuestionnaireCell[] {
    return this.rows.at(-1) ?? [];
  }

  #begin(name: string, attributes: string): void {
    if (name === 'form') this.#inForm = true;
    else if (name === 'tr') this.rows.push([]);
    else if (name === 'td' || name === 'th') this.#beginCell(attributes);
    else if (name === 'label') this.#label = '';
    else if (name === 'h1' || name === 'h2' || (name === 'div' && hasCssClasses(attributes, 'title'))) {
      if (clean(this.#title) === '') this.#titleTag = name;
    } else if (name === 'input') this.#input(attributes);
    else if (name === 'textarea') this.#area(attributes);
  }

  #beginCell(attributes: string): void {
    this.#cells += 1;
    if (this.#cells > mostCells) throw unreadable('academics', 'questionnaire too long');
    this.#row.push({ text: '', spans: int(attributeOf(attributes, 'rowspan'), 1) > 1, radios: 0 });
    this.#inCell = true;
    this.#option = null;
  }

  #input(attributes: string): void {
    const name = detach(attributeOf(attributes, 'name') ?? '');
    if (name === '' || attributeOf(attributes, 'disabled') !== null) return;
    const value = detach(attributeOf(attributes, 'value') ?? '');
    const type = (attributeOf(attributes, 'type') ?? '').toLowerCase();
    if (type === 'hidden') this.hidden.set(name, value.trim());
    if (type === 'radio' && value !== '') this.#radio(name, value);
  }

  #radio(name: string, value: string): void {
    const options = this.groups.get(name) ?? [];
    const row = this.#row;
    const option = { value, text: this.#label ?? '', row: this.rows.length - 1, cell: row.length - 1 };
    if (options.length < mostOptions) options.push(option);
    this.groups.set(name, options);
    const cell = row.at(-1);
    if (cell !== undefined) cell.radios += 1;
    this.#option = option;
  }

  #area(attributes: string): void {
    const name = detach(attributeOf(attributes, 'name') ?? '');
    if (name === '' || this.comments.has(name) || attributeOf(attributes, 'disabled') !== null) return;
    const limit = int(attributeOf(attributes, 'maxlength'), -1);
    const place = { row: this.rows.length - 1, cell: this.#row.length - 1 };
    this.comments.set(name, { name, maxLength: limit > 0 ? limit : null, ...place });
  }

  #end(name: string): void {
    if (name === 'form' || name === 'body' || name === 'html') this.#inForm = false;
    if (name === 'td' || name === 'th' || name === 'tr') this.#inCell = false;
    if (name === this.#titleTag) this.#titleTag = null;
    if (name === 'label') this.#label = null;
    if (!this.#inCell || name === 'label') this.#option = null;
  }

  #text(text: string): void {
    if (this.#titleTag !== null) this.#title = extend(this.#title, text, longestQuestion);
    const cell = this.#row.at(-1);
    if (this.#inCell && cell !== undefined) cell.text = extend(cell.text, text, longestCell);
    if (this.#option !== null) this.#option.text = extend(this.#option.text, text, longestLabel);
    else if (this.#label !== null) this.#label = extend(this.#label, text, longestLabel);
  }
}

/** The text that belongs to a button, else that of a cell which holds no other button. */
const labelOfOption = ({ text, row, cell }: FoundOption, rows: QuestionnaireRows): string => {
  const holder = rows[row]?.[cell];
  const label = clean(text) || (holder?.radios === 1 ? clean(holder.text) : '');
  return detach(label.slice(0, longestLabel));
};

/** Finds the question that each row's radio buttons answer: its own, else that of the nearest row before it. */
const questionsOf = (rows: QuestionnaireRows): readonly string[] => {
  let last = '';
  return rows.map((row) => {
    const texts = row.flatMap(({ text, spans, radios }) => (spans || radios > 0 ? [] : clean(text)));
    const own = texts.find((text) => text.length >= shortestQuestion) ?? texts.findLast((text) => /\p{L}/u.test(text));
    last = own?.slice(0, longestQuestion) ?? last;
    return last;
  });
};

/** The cell before the text area, else its own, else the last one of the row before that says anything. */
const labelsOf = (rows: QuestionnaireRows) => {
  const lastTexts = rows.map((row) => clean(row.findLast(({ text }) => clean(text) !== '')?.text));
  return ({ row, cell }: FoundComment): string =>
    clean(rows[row]?.[cell - 1]?.text) || clean(rows[row]?.[cell]?.text) || lastTexts[row - 1] || '';
};

/**
 * The questions of any questionnaire: field names, options and limits are those of the page.
 * @throws Failure `upstream-unreadable` for a page without token, without a single question or without its end
 */
export const parseQuestionnaire = reader('parseQuestionnaire', (page: string): Omit<Questionnaire, 'session'> => {
  const token = evaluationTokenIn(page, 'name');
  if (token === null) throw unreadable('academics', 'questionnaire without token');
  const read = new QuestionnaireReader(page);
  const { title, hidden, groups, rows } = read;
  const comments = [...read.comments.values()];
  if (read.isCut) throw unreadable('academics', 'questionnaire without its end');
  if (groups.size + comments.length === 0) throw unreadable('academics', 'questionnaire without questions');
  if (groups.size + comments.length > mostQuestions) throw unreadable('academics', 'questionnaire too long');
  const labelOf = labelsOf(rows);
  const questions = questionsOf(rows);
  return {
    token,
    title,
    questionnaireNumber: hidden.get('wjdm') ?? '',
    staffNumber: hidden.get('bprdm') ?? '',
    contentNumber: hidden.get('pgnr') ?? '',
    ratings: [...groups].map(([name, options]) => ({
      name,
      question: detach(questions[options[0]?.row ?? 0] ?? ''),
      options: options.map((found) => ({
        value: found.value,
        weight: weightOf(found.value),
        label: labelOfOption(found, rows),
      })),
    })),
    comments: comments.map((found) => {
      const question = labelOf(found);
      return {
        name: found.name,
        question: detach(question.slice(0, longestQuestion)),
        sort: sortOf(found.name, question),
        maxLength: found.maxLength,
      };
    }),
  };
});
