import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { AnswerFault, PreviewView } from '../../../domain/evaluation/preview.ts';
import { object, orNull, text } from '../../../domain/record.ts';
import {
  missing,
  notListed,
  type RequestFinding,
  RequestInvalid,
  type Wrong,
  wrongValue,
} from '../../../http/requests/findings.ts';
import { SHORTEST_COMMENT } from '../../../lib/text.ts';
import type { SurfaceBDeps } from '../described.ts';
import { RequestRefused } from '../error-handler.ts';
import { type Operation, operation } from '../operation.ts';
import {
  courseKey,
  courseKeySent,
  evaluationDefaults,
  evaluationRefusal,
  exampleKey,
  notReady,
  refusals,
} from './evaluation.ts';

const option = {
  value: text('What is sent.', '5_1'),
  choice: text('What the page calls it; may be empty.', '非常同意'),
};

const exampleRating = { key: '0000000180', value: '5_1' };
const exampleComment = { key: 'zgpj', text: '老师备课充分，讲解有条理，课后答疑及时，这门课收获很大' };

const Rating = object('PreviewedRating', 'A question with its chosen option.', {
  key: text('Name of the question in the form.', exampleRating.key),
  question: text('The question; empty where the page has no text for it.', '老师备课充分，按时上下课，教学投入'),
  ...option,
  options: Type.Array(object('RatingOption', 'An option of a question.', option), {
    description: 'What may be chosen, in the order of the page.',
    examples: [
      [
        { value: '5_1', choice: '非常同意' },
        { value: '5_0.8', choice: '同意' },
      ],
    ],
  }),
});

const Comment = object('PreviewedComment', 'A question with its text.', {
  key: text('Name of the question in the form.', exampleComment.key),
  question: text('The question; empty where the page has no text for it.', '总体评价'),
  text: text('What is sent.', exampleComment.text),
  max_length: orNull(
    Type.Integer(),
    'Most characters the field takes, as UTF-16 units; null: the page states no limit.',
    500,
  ),
});

const EvaluationPreview = object('EvaluationPreview', 'The answers that the run will send for a course.', {
  course_key: courseKey,
  course_name: text('Course.', '程序设计'),
  teacher_name: text('Teacher.', '李四'),
  questionnaire_name: text('Questionnaire.', '理论课评价'),
  ratings: Type.Array(Rating, { description: 'In the order of the page.' }),
  comments: Type.Array(Comment, { description: 'In the order of the page.' }),
});

const listedKey = {
  ...courseKeySent,
  examples: [exampleKey],
  description: '`course_key` of a course in `course_list`.',
};

/** The limit is far more than any page asks of one field. */
const answerText = (description: string, example: string) => text(description, example, { maxLength: 2_000 });

const answersOf = <T extends TSchema>(item: T) =>
  Type.Array(item, { maxItems: 500, description: 'One for each question, in the order of the preview.' });

const presentPreview = (preview: PreviewView): Static<typeof EvaluationPreview> => ({
  course_key: preview.courseKey,
  course_name: preview.courseName,
  teacher_name: preview.teacher,
  questionnaire_name: preview.questionnaire,
  ratings: preview.ratings.map(({ name, options, ...rating }) => ({ key: name, ...rating, options: [...options] })),
  comments: preview.comments.map(({ name, maxLength, ...comment }) => ({
    key: name,
    ...comment,
    max_length: maxLength,
  })),
});

const wrongAnswer = ({ fault, limit, offered = [] }: AnswerFault): readonly [Wrong, ...(readonly string[])] => {
  const text = (en: string, zh: string) => [wrongValue({ en, zh }), 'text'] as const;
  switch (fault) {
    case 'missing':
      return [missing];
    case 'key':
      return [wrongValue({ en: 'not the question that was shown here', zh: '与预览中该位置的题目不符' }), 'key'];
    case 'option':
      return [notListed(offered), 'value'];
    case 'too-long':
      return text(`more than ${limit} characters`, `最多 ${limit} 个字符`);
    case 'too-short':
      return text(
        `less than ${SHORTEST_COMMENT} characters without blanks`,
        `不计空白至少需要 ${SHORTEST_COMMENT} 个字符`,
      );
    case 'repeats':
      return text('one character three times in a row', '同一个字符不能连续出现三次');
    case 'malformed':
      return text('not a well-formed text', '不是有效的文本');
  }
};

const presentAnswerFault = (fault: AnswerFault): RequestFinding => {
  const [wrong, ...member] = wrongAnswer(fault);
  return { ...wrong, loc: ['body', 'answers', fault.list, fault.at, ...member] };
};

export const previewOperations = ({ services: { evaluation } }: SurfaceBDeps): Operation[] => [
  operation('GET /jwc/evaluation/preview', 'previewEvaluation', {
    ...evaluationDefaults,
    level: 'TU',
    ageless: true,
    scope: 'evaluation:read',
    summary: { en: 'The answers for one course, before they are sent', zh: '提交前预览一门课的答案' },
    description:
      'The first call for a course opens its questionnaire and draws the answers; later ones repeat them, also while the task runs. ' +
      'Exactly these answers are sent, or none: a course whose questionnaire has changed since then fails. ' +
      'A run that opens pages side by side still draws answers for the courses that it has not opened.',
    query: Type.Object({ course_key: listedKey }),
    data: EvaluationPreview,
    message: '评教预览获取成功',
    failures: ['COURSE_NOT_FOUND'],
    parts: ['questionnaire'],
    refusals: refusals(...notReady, ['not now', 'not-now', 'running'], ['season closed', 'season-closed', 'idle']),
    run: async (call) => {
      const result = await evaluation.preview(call.student, call.query.course_key, call);
      if (result.kind === 'refused') throw new RequestRefused(evaluationRefusal(result.reason, result.status));
      return presentPreview(result.preview);
    },
  }),
  operation('PUT /jwc/evaluation/preview', 'editEvaluationPreview', {
    ...evaluationDefaults,
    summary: { en: 'Other answers for one course, before they are sent', zh: '提交前修改一门课的答案' },
    description:
      'Puts answers in place of those that the preview has shown: one for each of its questions, in its order, marks from ' +
      '`options`, comments of 4 characters up to `max_length` without one character three times in a row. Blanks are taken ' +
      'out of comments, as the campus wants it; the answer shows what is stored, which is what is sent. Possible until the ' +
      'run opens the course.',
    body: object('EvaluationEditRequest', "Answers of a student's own for one course.", {
      course_key: listedKey,
      answers: object(
        'EvaluationAnswers',
        'Those of the preview with other values; its other members mean nothing here.',
        {
          ratings: answersOf(
            object('RatingAnswer', 'A mark.', {
              key: answerText('`key` of the question.', exampleRating.key),
              value: answerText('`value` of one of its `options`.', exampleRating.value),
            }),
          ),
          comments: answersOf(
            object('CommentAnswer', 'A comment.', {
              key: answerText('`key` of the question.', exampleComment.key),
              text: answerText('What is to be sent; blanks are taken out of it.', exampleComment.text),
            }),
          ),
        },
      ),
    }),
    data: EvaluationPreview,
    message: '评教预览修改成功',
    failures: ['COURSE_NOT_FOUND'],
    refusals: refusals(...notReady, ['not now', 'not-now', 'running'], ['not shown', 'not-shown', 'idle']),
    run: async (call) => {
      const { course_key, answers } = call.body;
      const result = await evaluation.editPreview(call.student, course_key, answers);
      if (result.kind === 'invalid') throw new RequestInvalid(result.faults.map(presentAnswerFault));
      if (result.kind === 'refused') throw new RequestRefused(evaluationRefusal(result.reason, result.status));
      return presentPreview(result.preview);
    },
  }),
];
