import { commentFault, withoutBlanks } from '../../lib/text.ts';
import type {
  AnswerPools,
  CommentQuestion,
  CommentSort,
  Questionnaire,
  QuestionnaireAnswers,
  RandomSource,
  RatingQuestion,
} from './types.ts';

export const builtInPools: AnswerPools = {
  fullMarkShare: 0.8,
  overall: [
    '老师备课充分，讲解有条理，课后答疑及时，这门课收获很大',
    '课程内容充实，重点突出，节奏合适，学习体验很好',
    '老师授课认真负责，案例贴近实际，课堂气氛轻松',
    '讲解清楚易懂，作业布置合理，对理解知识很有帮助',
    '老师耐心细致，注重与同学交流，整体教学效果很好',
    '教学安排清晰，资料准备齐全，课堂效率高',
  ],
  inspiration: [
    '课堂案例让我学会把理论放到实际问题里去检验',
    '学会了先理清思路再动手，遇到难题可以分步解决',
    '明白了基础概念的重要性，也更愿意主动查阅资料',
    '通过小组讨论学到了从不同角度看待同一个问题',
    '体会到持续积累比临时突击更有效，养成了复习的习惯',
  ],
  suggestion: [
    '目前的教学安排很合适，希望以后能多一些课堂讨论',
    '建议适当增加一些实践环节，帮助大家巩固所学内容',
    '希望能多分享一些拓展阅读材料，方便课后继续学习',
    '整体很满意，建议保持现在的授课节奏和答疑方式',
    '可以考虑增加几次阶段小结，便于及时查漏补缺',
  ],
};

export const completePools = (
  own: { readonly [K in keyof AnswerPools]: AnswerPools[K] | null } | null,
): AnswerPools => ({
  overall: own?.overall ?? builtInPools.overall,
  inspiration: own?.inspiration ?? builtInPools.inspiration,
  suggestion: own?.suggestion ?? builtInPools.suggestion,
  fullMarkShare: own?.fullMarkShare ?? builtInPools.fullMarkShare,
});

const FULL_MARK = 1;
const DRAWS = 3;

const drawOne = <T>(items: readonly T[], random: RandomSource): T | undefined =>
  items[Math.min(items.length - 1, Math.floor(random() * items.length))];

/** `请选择“较好”`, `本题请选 C`, `please select "Agree"`: the question names the option to take. */
const demand =
  /(?:请|务必|必须|应)\s?(?:直接|统一)?(?:选择?|勾选|点选|点击)\s?(?:选项)?\s?(?:为|：|:)?\s?(.{1,60})|(?:select|choose|tick|mark)\s+(?:the\s+)?(?:option|answer)?\s*(.{1,60})/i;

const plainLabel = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s"'“”‘’「」『』【】[\]()]+|[\s"'“”‘’「」『』【】[\]()。.!！,，;；]+$/g, '');

/**
 * The option that such a question names, by its label or by its letter or number in the order of the page; undefined where
 * it names none or several.
 */
const demandedOption = ({ question, options }: RatingQuestion) => {
  const found = demand.exec(question);
  const said = plainLabel(found?.[1] ?? found?.[2] ?? '');
  if (said === '') return undefined;
  const labelled = options
    .map((option) => ({ option, name: plainLabel(option.label) }))
    .filter(({ name }) => name !== '');
  const begun = labelled.filter(({ name }) => said.startsWith(name)).toSorted((a, b) => b.name.length - a.name.length);
  const [longest, next] = begun;
  if (longest !== undefined) return longest.name.length > (next?.name.length ?? 0) ? longest.option : undefined;
  const [, letter, number] = /^(?:([a-z])|第?\s?(\d{1,2}))(?:\s?(?:项|个|选项))?(?![a-z\d])/.exec(said) ?? [];
  const at = letter === undefined ? Number(number ?? 0) - 1 : letter.charCodeAt(0) - 97;
  return at >= 0 ? options[at] : undefined;
};

const rate = (rating: RatingQuestion, fullMarkShare: number, random: RandomSource): string => {
  const { options } = rating;
  const demanded = demandedOption(rating);
  if (demanded !== undefined) return demanded.value;
  const weights = [...new Set(options.map(({ weight }) => weight))].sort((a, b) => b - a);
  const [highest = 0] = weights;
  // Without weights nothing says which option is the friendly one; pages put it first.
  if (highest === 0 && weights.length === 1) return options[0]?.value ?? '';
  const full = weights.includes(FULL_MARK) ? FULL_MARK : highest;
  const next = weights.find((weight) => weight < full);
  const weight = full !== FULL_MARK || next === undefined || random() < fullMarkShare ? full : next;
  const friendly = options.filter((option) => option.weight === weight);
  return drawOne(friendly, random)?.value ?? '';
};

const poolOf = (pools: AnswerPools, sort: CommentSort): readonly string[] =>
  sort === 'general' ? pools.overall : pools[sort];

/** Cuts between characters, never inside one. */
const cut = (text: string, length: number): string => {
  const kept = text.slice(0, length);
  return kept.isWellFormed() ? kept : kept.slice(0, -1);
};

const comment = ({ sort, maxLength }: CommentQuestion, pools: AnswerPools, random: RandomSource): string => {
  const limit = maxLength ?? Number.POSITIVE_INFINITY;
  const all = poolOf(pools, sort).map(withoutBlanks);
  const fitting = all.filter((text) => text.length <= limit);
  const cuttings = all.map((text) => cut(text, limit)).filter((text) => text !== '');
  // A field for one code unit cannot take a character of two; the built-in texts have none of these.
  const short = cuttings.length > 0 ? cuttings : poolOf(builtInPools, sort).map((text) => cut(text, limit));
  const candidates = fitting.length > 0 ? fitting : short;
  let drawn = '';
  for (let draw = 0; draw < DRAWS && commentFault(drawn) !== null; draw += 1) drawn = drawOne(candidates, random) ?? '';
  return drawn;
};

/** An answer to every question of the page: ratings first, then comments, each in page order. */
export const drawAnswers = (page: Questionnaire, pools: AnswerPools, random: RandomSource): QuestionnaireAnswers => [
  ...page.ratings.map((question) => [question.name, rate(question, pools.fullMarkShare, random)] as const),
  ...page.comments.map((question) => [question.name, comment(question, pools, random)] as const),
];
