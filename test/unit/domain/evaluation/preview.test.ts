import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../../../src/domain/errors.ts';
import type { RunningEvaluation } from '../../../../src/domain/evaluation/evaluation.ts';
import type { Questionnaire } from '../../../../src/domain/evaluation/questionnaire.ts';
import type { PreviewResult } from '../../../../src/domain/evaluation/refusals.ts';
import { publicKeys, readSnapshot } from '../../../../src/domain/evaluation/task.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { list } from './support.ts';
import { student, World } from './world.ts';

const options = [
  { value: '5_1', weight: 1, label: '非常同意' },
  { value: '5_0.8', weight: 0.8, label: '同意' },
];
const questions: Pick<Questionnaire, 'ratings' | 'comments'> = {
  ratings: [
    { kind: 'rating', name: '180', question: '老师备课充分', options },
    { kind: 'rating', name: '181', question: '讲解清楚', options },
  ],
  comments: [
    { kind: 'comment', name: '200', question: '意见和建议', sort: 'suggestion', maxLength: 200 },
    { kind: 'comment', name: 'zgpj', question: '总体评价', sort: 'overall', maxLength: 500 },
  ],
};
const names = publicKeys(list(3));

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
const start = (process: RunningEvaluation, exclude: readonly string[] = []) =>
  process.start(student, callContext(), exclude);
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
        { name: '180', question: '老师备课充分', value: '5_1', choice: '非常同意' },
        { name: '181', question: '讲解清楚', value: '5_0.8', choice: '同意' },
      ],
      comments: [
        { name: '200', question: '意见和建议', text: expect.stringMatching(/../) },
        { name: 'zgpj', question: '总体评价', text: expect.stringMatching(/../) },
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

  it('is what a process sends that takes the run over', async () => {
    const process = await initialized(campusOf(1).process());
    const expected = asAnswers(await shown(process, 1));
    await start(process);
    await world.end(process);
    expect(await world.finished(world.process())).toMatchObject({ status: 'completed', successCount: 1 });
    expect(world.campus.sent).toEqual([expected]);
  });

  it.each<[string, (page: typeof questions) => typeof questions]>([
    [
      'a question more',
      (page) => ({ ...page, ratings: [...page.ratings, { ...page.ratings[0], name: '999' }] as never }),
    ],
    [
      'another text',
      (page) => ({ ...page, ratings: page.ratings.map((each) => ({ ...each, question: '老师不备课' })) }),
    ],
    [
      'another label',
      (page) => ({
        ...page,
        ratings: page.ratings.map((each) => ({
          ...each,
          options: options.map((own) => ({ ...own, label: '很不同意' })),
        })),
      }),
    ],
    [
      'an option less',
      (page) => ({ ...page, ratings: page.ratings.map((each) => ({ ...each, options: options.slice(1) })) }),
    ],
    [
      'a comment with less room',
      (page) => ({ ...page, comments: page.comments.map((each) => ({ ...each, maxLength: 5 })) }),
    ],
  ])('is not sent to a page with %s: the course fails, without a submission', async (_, change) => {
    const process = await initialized(campusOf(2).process());
    await shown(process, 1);
    world.campus.questions = change(questions);
    await start(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1, failCount: 1 });
    expect(world.campus.asked.filter((line) => line.startsWith('submit'))).toEqual(['submit 课程2']);
  });

  it('goes with the task: nothing of it is stored after the end, or after a new initialization', async () => {
    const process = await initialized(campusOf(1).process());
    await shown(process, 1);
    expect(storedTask().previews).toHaveLength(1);
    await start(process);
    await process.terminate(student, callContext());
    expect(storedTask()).toMatchObject({ status: 'terminated', previews: [] });
    await initialized(process);
    await shown(process, 1);
    await initialized(process);
    expect(storedTask().previews ?? []).toEqual([]);
  });
});

describe('a preview is refused', () => {
  const refusal = async (process: RunningEvaluation, number: number) => {
    const result = await preview(process, number);
    return result.kind === 'refused' ? [result.reason, result.status] : 'shown';
  };

  it('without a task, and after its end', async () => {
    const process = campusOf(1).process();
    expect(await refusal(process, 1)).toEqual(['not-initialized', 'idle']);
    await initialized(process);
    await start(process);
    await process.terminate(student, callContext());
    expect(await refusal(process, 1)).toEqual(['not-initialized', 'terminated']);
  });

  it('while the list is loaded', async () => {
    const process = campusOf(1).process();
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    world.campus.season = async () => {
      reached.resolve();
      await gate.promise;
      return { open: true, token: 't' };
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

  it('in a run that has not shown it before, even where the run has begun while the page was opened', async () => {
    const process = await initialized(campusOf(2).process());
    world.campus.onOpen = async () => {
      world.campus.onOpen = async () => {};
      await start(process);
    };
    expect(await refusal(process, 1)).toEqual(['not-now', 'running']);
    expect(await refusal(process, 1)).toEqual(['not-now', 'running']);
  });

  it('when the season has ended meanwhile; and a page that fails leaves the task as it was', async () => {
    const process = await initialized(campusOf(1).process());
    const { open } = world.campus;
    world.campus.open = async () => null as never;
    expect(await refusal(process, 1)).toEqual(['season-closed', 'idle']);
    world.campus.open = open;
    world.campus.onOpen = () => Promise.reject(new Failure('upstream-unreadable', { part: 'questionnaire' }));
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
