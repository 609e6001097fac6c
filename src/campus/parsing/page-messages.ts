import { isRecord } from '../../lib/text.ts';
import { ElementScope, isHidden, isVoidElement } from './hidden-elements.ts';
import { attributeOf, htmlTokens } from './html-tokens.ts';
import { judgeText, type TextMeaning } from './login-texts.ts';
import { messageIn } from './refusals.ts';
import { clean, extend, plainMessage } from './text.ts';

/** What a page of a login shows to a person; nothing of scripts, comments and hidden elements. */
interface VisibleText {
  /** Of the elements that are marked as messages, one per block. */
  readonly messages: readonly string[];
  readonly rest: readonly string[];
}

const longestShown = 20_000;

const messageMark = /err(?!ata)|tip|msg|message|alert|warn|danger|fail|notice|prompt|feedback|invalid/i;
/** Within a line. */
const inline: ReadonlySet<string> = new Set(['span', 'b', 'i', 'em', 'strong', 'font', 'a', 'u', 'small', 'code']);
const isMessage = (attributes: string): boolean => {
  if (!messageMark.test(attributes) && !/red|#f/i.test(attributes)) return false;
  const of = (name: string) => attributeOf(attributes, name) ?? '';
  if (messageMark.test(`${of('id')} ${of('class')} ${of('role')}`)) return true;
  return /color\s*:\s*(?:red|#f00|#ff0000)/i.test(of('style')) || /^red$/i.test(of('color'));
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(clean)
    .filter((line) => line !== '');

/** What a script would show of an answer that is no page: its message, and nothing besides. Null: it has none. */
const toldInJson = (text: string): VisibleText | null => {
  if (!text.startsWith('{')) return null;
  try {
    const body: unknown = JSON.parse(text);
    const bodies = isRecord(body) ? [body, body.data, body.meta].filter(isRecord) : [];
    const message = bodies.map(messageIn).find((each) => each !== '');
    return message === undefined ? null : { messages: [message], rest: [] };
  } catch {
    return null;
  }
};

export const readShown = (page: string): VisibleText => {
  const told = toldInJson(page.trimStart());
  if (told !== null) return told;
  const hidden = new ElementScope();
  const message = new ElementScope();
  const texts = { messages: '', rest: '' };
  const add = (text: string): void => {
    const place = message.isOpen ? 'messages' : 'rest';
    texts[place] = extend(texts[place], text, longestShown);
  };
  for (const token of htmlTokens(page)) {
    if (token.kind === 'raw') continue;
    if (token.kind === 'text') {
      if (!hidden.isOpen) add(token.text.replace(/\s+/g, ' '));
      continue;
    }
    const { name } = token;
    const isEmpty = isVoidElement(name);
    if (!inline.has(name)) add('\n');
    if (token.kind === 'close') {
      hidden.closes(name);
      message.closes(name);
      continue;
    }
    if (isEmpty) continue;
    hidden.opens(name);
    message.opens(name);
    if (!hidden.isOpen && isHidden(name, token.attributes)) hidden.begin(name);
    if (!message.isOpen && isMessage(token.attributes)) {
      add('\n');
      message.begin(name);
    }
  }
  return { messages: linesOf(texts.messages), rest: linesOf(texts.rest) };
};

const sliderWords =
  /向右滑动(?!.{0,4}(?:查看|浏览|切换|翻))|(?:滑动|拖动|移动(?!端|应用)|滑到|完成).{0,6}(?:滑块|拼图(?!大赛|比赛|竞赛|活动|游戏|作品))|(?:滑块|拼图).{0,4}验证/;

/** News tell of sliders too, and want nothing. */
const isNews = (line: string): boolean => /通知|公告|上线/.test(line) && !line.includes('请');

/** It wants something slid before it looks at a password. */
export const showsSlider = (page: string): boolean => {
  if (!/滑|拼图/.test(page)) return false;
  const { messages, rest } = readShown(page);
  return [...messages, ...rest].some((line) => sliderWords.test(line) && !isNews(line));
};

const mostStanding = 20;
const longestStanding = 200;

/** The texts that a page shows before anything was typed, where they look like an answer: they will be none. */
export const standingTexts = (page: string): string[] => {
  const { messages, rest } = readShown(page);
  return [...messages, ...rest.filter((line) => judgeText(line) !== null)]
    .filter((line) => line.length <= longestStanding)
    .slice(0, mostStanding);
};

interface ShownAnswer {
  /** Null: it says nothing that we know. */
  readonly meaning: TextMeaning | null;
  /** Plain text of at most 200 characters. */
  readonly words: string;
}

/** Reads the answer to a password. `standing`: texts of the page before it. */
export const judgeShown = (page: string, standing: readonly string[] = []): ShownAnswer => {
  const shown = readShown(page);
  const news = (lines: readonly string[]): string => lines.filter((line) => !standing.includes(line)).join('\n');
  const messages = news(shown.messages);
  const words = plainMessage(messages);
  const meaning = judgeText(messages);
  // A message that we cannot read is the answer all the same: the rest of its page is none.
  if (meaning !== null || words !== '') return { meaning, words };
  const rest = news(shown.rest);
  return { meaning: judgeText(rest), words: plainMessage(rest) };
};
