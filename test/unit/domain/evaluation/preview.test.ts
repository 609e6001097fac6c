import { afterEach, describe, expect, it } from 'vitest';
import { failures } from '../../../../src/domain/errors.ts';
import type { RunningEvaluation } from '../../../../src/domain/evaluation/evaluation.ts';
import type { OwnAnswers, PreviewResult } from '../../../../src/domain/evaluation/preview.ts';
import { readSnapshot } from '../../../../src/domain/evaluation/task.ts';
import type { Questionnaire } from '../../../../src/domain/evaluation/types.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { list, opened, previewEvent, publicKeys, ready, running, submitted } from './support.ts';
import { student, World } from './world.ts';

const options = [
  { value: '5_1', weight: 1, label: '非常同意' },
  { value: '5_0.8', weight: 0.8, label: '同意' },
];
const choices = options.map(({ value, label }) => ({ value, choice: label }));
const questions: Pick<Questionnaire, 'ratings' | 'comments'> = {
  ratings: [
    { name: '180', question: '老师备课充分', options },
    { name: '181', question: '讲解清楚', options },
  ],
  comments: [
    { name: '200', question: '意见和建议', sort: 'suggestion', maxLength: 200 },
    { name: 'zgpj', question: '总体评价', sort: 'overall', maxLength: 500 },
  ],
};
const names = publicKeys(list(4));

let world: World;
afterEach(() => world.close());

const campusOf = (courses: number): World => {
  world = new World(courses);
  world.campus.questions = questions;
  // No two drawings are alike.
  let drawn = 0;
  world.random = () => {
    drawn += 1;
    return (drawn * 0.618) % 1;
  };
  return world;
};
const preview = (process: RunningEvaluation, number: number): Promise<PreviewResult> =>
  process.preview(student, names[number - 1] ?? '', callContext());
const shown = async (process: RunningEvaluation, number: number) => {
  const result = await preview(process, number);
  if (result.kind !== 'shown') throw new Error(`refused: ${result.reason}`);
  return result.preview;
};
const asAnswers = ({ ratings, comments }: Awaited<ReturnType<typeof shown>>) => [
  ...ratings.map(({ name, value }) => [name, value]),
  ...comments.map(({ name, text }) => [name, text]),
];
const initialized = async (process: RunningEvaluation): Promise<RunningEvaluation> => {
  expect((await process.initialize(student, callContext())).kind).toBe('loaded');
  return process;
};
const start = (process: RunningEvaluation, exclude?: readonly string[]) => process.start(student, { exclude });
const storedTask = () => {
  const task = readSnapshot(world.store.row?.snapshot ?? '');
  if ('unreadable' in task) throw new Error('no task');
  return task;
};

describe('a preview', () => {
  it('answers every question of the page, with the words of the page, for one request', async () => {
    const process = await initialized(campusOf(3).process());
    expect(await shown(process, 2)).toEqual({
      courseKey: names[1],
      courseName: '课程2',
      teacher: '教师2',
      questionnaire: '理论课',
      ratings: [
        { name: '180', question: '老师备课充分', value: '5_1', choice: '非常同意', options: choices },
        { name: '181', question: '讲解清楚', value: '5_0.8', choice: '同意', options: choices },
      ],
      comments: [
        { name: '200', question: '意见和建议', text: expect.stringMatching(/../), maxLength: 200 },
        { name: 'zgpj', question: '总体评价', text: expect.stringMatching(/../), maxLength: 500 },
      ],
    });
    expect(world.campus.asked).toEqual(['list', 'open 课程2']);
  });

  it('is the same at every later call, which asks nothing, also on another process and in a run', async () => {
    const process = await initialized(campusOf(3).process());
    const first = await shown(process, 1);
    const other = world.process();
    expect(await shown(other, 1)).toEqual(first);
    await start(process);
    expect(await shown(process, 1)).toEqual(first);
    expect(await shown(other, 1)).toEqual(first);
    expect(world.campus.asked.filter((line) => line === 'open 课程1').length).toBeLessThanOrEqual(2);
  });

  it('is drawn once by calls at the same time, and with one page in one process', async () => {
    const process = await initialized(campusOf(3).process());
    const [a, b] = await Promise.all([shown(process, 1), shown(process, 1)]);
    expect(a).toEqual(b);
    expect(world.campus.asked).toEqual(['list', 'open 课程1']);
    const other = world.process();
    const [c, d] = await Promise.all([shown(process, 3), shown(other, 3)]);
    expect(c).toEqual(d);
    expect(storedTask().previews).toHaveLength(2);
  });

  it('is exactly what the run sends', async () => {
    const process = await initialized(campusOf(2).process());
    const expected = asAnswers(await shown(process, 2));
    await start(process, [names[0] ?? '']);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1 });
    expect(world.campus.sent).toEqual([expected]);
    expect(world.campus.asked).toEqual(['list', 'open 课程2', 'open 课程2', 'submit 课程2', 'list']);
  });

  it.each<[string, Partial<typeof questions>]>([
    ['another text', { ratings: questions.ratings.map((each) => ({ ...each, question: '老师不备课' })) }],
    [
      'another label',
      {
        ratings: questions.ratings.map((each) => ({
          ...each,
          options: options.map((own) => ({ ...own, label: '很不同意' })),
        })),
      },
    ],
    ['a comment with less room', { comments: questions.comments.map((each) => ({ ...each, maxLength: 5 })) }],
  ])('is not sent to a page with %s: the course fails, without a submission', async (_, change) => {
    const process = await initialized(campusOf(2).process());
    await shown(process, 1);
    world.campus.questions = { ...questions, ...change };
    await start(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1, failCount: 1 });
    expect(world.campus.asked.filter((line) => line.startsWith('submit'))).toEqual(['submit 课程2']);
  });

  it('goes with the task: nothing of it is stored after the end, or after a new initialization', async () => {
    const process = await initialized(campusOf(1).process());
    await shown(process, 1);
    expect(storedTask().previews).toHaveLength(1);
    await start(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed' });
    expect(storedTask()).toMatchObject({ previews: [] });
    world.campus.courseList = list(1);
    await initialized(process);
    await shown(process, 1);
    await initialized(process);
    expect(storedTask().previews ?? []).toEqual([]);
  });
});

describe('a preview of a run that was stopped', () => {
  const stopped = async (process: RunningEvaluation): Promise<void> => {
    await start(process);
    await process.terminate(student, callContext());
  };

  it('is what the next run sends, for courses that are still pending, where the initialization wants it', async () => {
    const process = await initialized(campusOf(3).process());
    const [, second] = [await shown(process, 1), await shown(process, 2)];
    await stopped(process);
    expect(await preview(process, 2)).toMatchObject({ reason: 'not-initialized', status: 'terminated' });
    world.campus.courseList = list(3, [1]);
    world.campus.asked.length = 0;
    expect((await process.initialize(student, callContext(), true)).kind).toBe('loaded');
    expect(storedTask().previews).toHaveLength(1);
    expect(await shown(process, 2)).toEqual(second);
    expect(world.campus.asked).toEqual(['list']);
    await start(process, [names[2] ?? '']);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1 });
    expect(world.campus.sent).toEqual([asAnswers(second)]);
    expect(storedTask().previews).toEqual([]);
  });

  it('is dropped by an initialization that does not want it, and after a day', async () => {
    const process = await initialized(campusOf(2).process());
    for (const hours of [0, 24]) {
      await shown(process, 2);
      await stopped(process);
      world.clock.advance(hours * 3_600_000);
      await process.initialize(student, callContext(), hours > 0);
      expect(storedTask().previews).toEqual([]);
    }
  });
});

describe('a preview that its student changes', () => {
  const edit = (process: RunningEvaluation, number: number, answers: OwnAnswers) =>
    process.editPreview(student, names[number - 1] ?? '', answers);
  const own = (mark = '5_0.8', text = '讲得 很清楚，\n谢谢老师'): OwnAnswers => ({
    ratings: [
      { key: '180', value: mark },
      { key: '181', value: '5_1' },
    ],
    comments: [
      { key: '200', text },
      { key: 'zgpj', text: '这门课收获很大' },
    ],
  });
  const sent = [
    ['180', '5_0.8'],
    ['181', '5_1'],
    ['200', '讲得很清楚，谢谢老师'],
    ['zgpj', '这门课收获很大'],
  ];
  const faultsOf = async (process: RunningEvaluation, answers: OwnAnswers) => {
    const result = await edit(process, 1, answers);
    return result.kind === 'invalid' ? result.faults.map(({ list, at, fault }) => [list, at, fault]) : result.kind;
  };
  const change = (list: 'ratings' | 'comments', at: number, to: object): OwnAnswers => {
    const answers = own();
    return { ...answers, [list]: answers[list].map((each, place) => (place === at ? { ...each, ...to } : each)) };
  };

  it('is shown and sent as it is stored, without blanks in comments', async () => {
    const process = await initialized(campusOf(1).process());
    await shown(process, 1);
    const stored = await edit(process, 1, own());
    if (stored.kind !== 'stored') throw new Error(stored.kind);
    expect(asAnswers(stored.preview)).toEqual(sent);
    expect(stored.preview.ratings[0]).toMatchObject({ choice: '同意', options: choices });
    expect(await shown(process, 1)).toEqual(stored.preview);
    expect(world.campus.asked).toEqual(['list', 'open 课程1']);
    await start(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1 });
    expect(world.campus.sent).toEqual([sent]);
  });

  it.each<[string, OwnAnswers, ReadonlyArray<readonly [string, number, string]>]>([
    ['a mark that is no option', change('ratings', 1, { value: '5_0.2' }), [['ratings', 1, 'option']]],
    ['another question', change('ratings', 0, { key: '999' }), [['ratings', 0, 'key']]],
    [
      'questions in another order',
      { ...own(), ratings: own().ratings.toReversed() },
      [
        ['ratings', 0, 'key'],
        ['ratings', 1, 'key'],
      ],
    ],
    ['a question less', { ...own(), comments: own().comments.slice(0, 1) }, [['comments', 1, 'missing']]],
    [
      'a question more',
      { ...own(), ratings: [...own().ratings, { key: '182', value: '5_1' }] },
      [['ratings', 2, 'key']],
    ],
    ['a text that is too long', change('comments', 0, { text: '很好'.repeat(101) }), [['comments', 0, 'too-long']]],
    [
      'a text that is too short without blanks',
      change('comments', 1, { text: '很 好 。' }),
      [['comments', 1, 'too-short']],
    ],
    ['a text that repeats itself', change('comments', 1, { text: '好好好老师' }), [['comments', 1, 'repeats']]],
    ['half a character', change('comments', 0, { text: '很好的老师\ud83d' }), [['comments', 0, 'malformed']]],
    [
      'several faults',
      { ...change('ratings', 0, { value: '' }), comments: change('comments', 0, { text: '' }).comments },
      [
        ['ratings', 0, 'option'],
        ['comments', 0, 'too-short'],
      ],
    ],
  ])('is refused for %s, with the position, and nothing is stored', async (_, answers, faults) => {
    const process = await initialized(campusOf(1).process());
    const before = await shown(process, 1);
    expect(await faultsOf(process, answers)).toEqual(faults);
    expect(await shown(process, 1)).toEqual(before);
  });

  it('takes a text of as many characters as the field holds, and one that is as it was drawn', async () => {
    const process = await initialized(campusOf(1).process());
    world.campus.questions = { ...questions, comments: [{ ...questions.comments[0], maxLength: 3 } as never] };
    const { ratings, comments } = await shown(process, 1);
    const answers = (text: string): OwnAnswers => ({
      ratings: ratings.map(({ name, value }) => ({ key: name, value })),
      comments: [{ key: '200', text }],
    });
    expect(comments[0]?.text).toHaveLength(3);
    expect((await edit(process, 1, answers(comments[0]?.text ?? ''))).kind).toBe('stored');
    expect(await faultsOf(process, answers('四个字的'))).toEqual([['comments', 0, 'too-long']]);
    await initialized(process);
    world.campus.questions = questions;
    await shown(process, 1);
    expect((await edit(process, 1, change('comments', 0, { text: '很好'.repeat(100) }))).kind).toBe('stored');
  });

  it('of 1.0, which did not store what may be chosen, keeps its marks and the length of its texts', async () => {
    const process = await initialized(campusOf(1).process());
    const drawn = await shown(process, 1);
    const task = storedTask();
    const previews = task.previews?.map(({ ratings, comments, ...preview }) => ({
      ...preview,
      ratings: ratings.map(({ options: _, ...rating }) => rating),
      comments: comments.map(({ maxLength: _, ...comment }) => comment),
    }));
    if (world.store.row !== null) {
      world.store.row = { ...world.store.row, snapshot: JSON.stringify({ ...task, previews }) };
    }
    expect(asAnswers(await shown(process, 1))).toEqual(asAnswers(drawn));
    expect((await shown(process, 1)).ratings[1]?.options).toEqual([{ value: '5_0.8', choice: '同意' }]);
    expect(await faultsOf(process, own('5_0.8', '很好'.repeat(50)))).toEqual([
      ['ratings', 0, 'option'],
      ['ratings', 1, 'option'],
      ['comments', 0, 'too-long'],
    ]);
  });

  it('is not changed before it was shown, once its page is open, or once it is evaluated', async () => {
    const process = campusOf(3).process();
    expect(await edit(process, 1, own())).toMatchObject({ reason: 'not-initialized', status: 'idle' });
    world.campus.courseList = list(3, [3]);
    await initialized(process);
    const refused = async (number: number, at = process) => {
      const result = await edit(at, number, own());
      return result.kind === 'refused' ? [result.reason, result.status] : result.kind;
    };
    expect(await refused(1)).toEqual(['not-shown', 'idle']);
    expect(await refused(3)).toEqual(['not-now', 'idle']);
    expect(await process.editPreview(student, 'unknown', own())).toMatchObject({
      reason: 'course-unknown',
    });
    await shown(process, 1);
    await shown(process, 2);
    await start(process);
    await world.until(() => world.campus.asked.filter((line) => line === 'open 课程1').length === 2);
    expect(await refused(1)).toEqual(['not-now', 'running']);
    // The next page is opened six seconds later.
    expect(await refused(2, world.process()), 'on another replica').toBe('stored');
    expect(await world.finished(process)).toMatchObject({ successCount: 2 });
    expect(world.campus.sent[1]).toEqual(sent);
    expect(await refused(2)).toEqual(['not-initialized', 'completed']);
  });

  it('is not put in place of answers to other questions, or of none', () => {
    const { preview } = previewEvent(1);
    const edited = { ...preview, title: 'changed' };
    const lead = ready(1);
    expect(lead.apply({ type: 'edited', preview: edited })).toBe(false);
    lead.take({ type: 'previewed', preview });
    expect(lead.apply({ type: 'edited', preview: { ...edited, questions: 'another digest' } })).toBe(false);
    expect(lead.take({ type: 'edited', preview: edited }).held.previews).toEqual([edited]);
  });
});

describe('a preview in a run that opens pages side by side', () => {
  it('is drawn for a course that is not open yet, and sent; that of an open or excluded one is not', async () => {
    const process = await initialized(campusOf(4).process());
    await start(process, [names[3] ?? '']);
    await world.until(() => world.campus.asked.includes('open 课程1'));
    expect(await preview(process, 1)).toMatchObject({ reason: 'not-now', status: 'running' });
    expect(await preview(process, 4)).toMatchObject({ reason: 'not-now', status: 'running' });
    const [third, second] = [await shown(process, 3), await shown(world.process(), 2)];
    const { length } = world.campus.asked;
    expect(await shown(process, 3)).toEqual(third);
    expect(world.campus.asked).toHaveLength(length);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 3 });
    expect(world.campus.sent.slice(1)).toEqual([second, third].map(asAnswers));
  });

  it('is not drawn once the run is to stop, or continues one course at a time', async () => {
    const lead = running(2);
    expect(lead.take(previewEvent(2)).held.previews).toHaveLength(1);
    const stopping = submitted(opened(running(2), 1), 1, 'accepted').take({ type: 'terminate' });
    expect([stopping.held.status, stopping.apply(previewEvent(2))]).toEqual(['running', false]);
    const fallen = submitted(opened(running(3), 1), 1, 'not-yet').take({ type: 'list-read', courses: list(3) });
    expect([fallen.held.run?.plan, fallen.phase(2), fallen.apply(previewEvent(2))]).toEqual([
      'sequential',
      'waiting',
      false,
    ]);
  });
});

describe('a preview is refused', () => {
  const refusal = async (process: RunningEvaluation, number: number) => {
    const result = await preview(process, number);
    return result.kind === 'refused' ? [result.reason, result.status] : 'shown';
  };

  it('while the list is loaded', async () => {
    const process = campusOf(1).process();
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    world.campus.season = async () => {
      reached.resolve();
      await gate.promise;
      return true;
    };
    const loading = process.initialize(student, callContext());
    await reached.promise;
    expect(await refusal(process, 1)).toEqual(['initializing', 'initializing']);
    gate.resolve();
    await loading;
  });

  it('for a course that is not in the list, and for one that is evaluated', async () => {
    const process = campusOf(3).process();
    world.campus.courseList = list(2, [2]);
    await initialized(process);
    expect(await refusal(process, 3)).toEqual(['course-unknown', 'idle']);
    expect(await refusal(process, 2)).toEqual(['not-now', 'idle']);
    expect(world.campus.asked).toEqual(['list']);
  });

  it('in a run of one course at a time that has not shown it before, even if it began while the page was opened', async () => {
    const process = await initialized(campusOf(2).process('sequential'));
    world.campus.onOpen = async () => {
      world.campus.onOpen = async () => {};
      await start(process);
    };
    expect(await refusal(process, 1)).toEqual(['not-now', 'running']);
    expect(await refusal(process, 1)).toEqual(['not-now', 'running']);
  });

  it('when the season has ended; and a page that fails leaves the task as it was', async () => {
    const process = await initialized(campusOf(1).process());
    const { open } = world.campus;
    world.campus.open = async () => null as never;
    expect(await refusal(process, 1)).toEqual(['season-closed', 'idle']);
    world.campus.open = open;
    world.campus.onOpen = () =>
      Promise.reject(failures.upstreamUnreadable(undefined, undefined, { part: 'questionnaire' }));
    await expect(preview(process, 1)).rejects.toMatchObject({ kind: 'upstream-unreadable', part: 'questionnaire' });
    world.campus.onOpen = async () => {};
    expect(await refusal(process, 1)).toBe('shown');
  });
});

describe('a start with exclusions', () => {
  it('refuses an unknown course before it looks for room, and starts nothing', async () => {
    const process = await initialized(campusOf(2).process('overlapped', undefined, 0));
    expect(await start(process, ['unknown'])).toEqual({ accepted: false, status: 'idle', reason: 'course-unknown' });
    expect(await start(process, names.slice(0, 1))).toEqual({ accepted: false, status: 'idle', reason: 'too-many' });
    expect(process.running).toBe(0);
  });
});
