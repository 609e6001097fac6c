import { describe, expect, it } from 'vitest';
import { nextTaskStep, transition } from '../../../../src/domain/evaluation/machine.ts';
import { type EvaluationTask, STOP_GRACE_MS, type TaskStatus } from '../../../../src/domain/evaluation/task.ts';
import type { TaskEvent } from '../../../../src/domain/evaluation/types.ts';
import { currentView, taskView } from '../../../../src/domain/evaluation/view.ts';
import {
  course,
  key,
  Lead,
  list,
  opened,
  publicKeys,
  ready,
  running,
  start,
  startEvent,
  submitted,
} from './support.ts';

const fresh = {
  status: 'initializing',
  courses: [],
  startedAt: null,
  endedAt: null,
  fault: null,
  successCount: 0,
  failCount: 0,
  previews: [],
  excluded: [],
  run: null,
};

const completed = () =>
  submitted(opened(running(1), 1), 1, 'accepted').take({ type: 'list-read', courses: list(1, [1]) });
const failed = () => running(1).take({ type: 'run-failed', fault: 'unexpected' });
const terminated = () => running(1).take({ type: 'terminate' });
const paused = () => {
  const lead = running(1);
  lead.task = { ...lead.held, status: 'paused' };
  return lead;
};
const leads: Readonly<Record<TaskStatus, () => Lead>> = {
  idle: () => ready(2),
  initializing: () => new Lead().take({ type: 'initialize' }),
  running: () => running(2),
  paused,
  completed,
  failed,
  terminated,
};

const failedOf = (lead: Lead) =>
  taskView(lead.held, lead.now).failed.map(({ courseKey, courseName, fault }) => ({ courseKey, courseName, fault }));

const expectUnchanged = (lead: Lead, event: TaskEvent): void => {
  const before: EvaluationTask | null = lead.task;
  expect(lead.apply(event)).toBe(false);
  expect(lead.task).toBe(before);
};

it.each<[TaskEvent, readonly TaskStatus[]]>([
  [{ type: 'initialize' }, ['initializing', 'running', 'paused']],
  [startEvent, ['initializing', 'running', 'paused', 'completed', 'failed', 'terminated']],
  [{ type: 'terminate' }, ['initializing', 'idle', 'paused', 'completed', 'failed', 'terminated']],
  [{ type: 'interrupted' }, ['idle', 'completed', 'failed', 'terminated']],
])('%j changes no task that is %j, and makes none but an initialization', (event, states) => {
  for (const status of states) expectUnchanged(leads[status](), event);
  expect(transition(null, event, start) !== null).toBe(event.type === 'initialize');
});

describe('initialize', () => {
  it.each(['idle', 'completed', 'failed', 'terminated'] as const)(
    'in %s begins afresh, nothing of before is left',
    (status) => {
      expect(leads[status]().take({ type: 'initialize' }).held).toEqual(fresh);
    },
  );

  it('leads to idle with the list, evaluated courses included', () => {
    const lead = ready(3, [2]);
    expect(lead.held).toEqual({ ...fresh, status: 'idle', courses: list(3, [2]), previews: [], excluded: [] });
  });

  it('leads to failed without a list, and with an empty one', () => {
    const lead = leads.initializing().after(700).take({ type: 'initialization-failed', fault: 'season-closed' });
    expect(lead.held).toMatchObject({
      status: 'failed',
      fault: 'season-closed',
      endedAt: start + 700,
      startedAt: null,
    });
    const empty = leads.initializing().take({ type: 'list-loaded', courses: [] });
    expect(empty.held).toMatchObject({ status: 'failed', fault: 'list-empty', endedAt: start });
  });
});

describe('start', () => {
  it('with pending courses is running at once', () => {
    const lead = ready(3, [2]).after(5_000);
    lead.take(startEvent);
    expect(lead.held).toMatchObject({
      status: 'running',
      startedAt: start + 5_000,
      endedAt: null,
      fault: null,
      successCount: 0,
      failCount: 0,
    });
    expect(lead.held.run?.attempts).toEqual(
      [1, 3].map((number) => ({ key: key(number), phase: { kind: 'waiting' }, resent: false })),
    );
    expect(lead.held.run?.count).toBe(2);
  });

  it('without pending courses is completed at once, even without room', () => {
    for (const hasRoom of [true, false]) {
      const lead = ready(2, [1, 2]).after(5_000);
      lead.take({ ...startEvent, hasRoom });
      expect(lead.held).toMatchObject({ status: 'completed', startedAt: start + 5_000, endedAt: start + 5_000 });
    }
  });

  it('counts a course without `是` as pending, also an empty mark', () => {
    const lead = new Lead().take(
      { type: 'initialize' },
      { type: 'list-loaded', courses: [course(1, ''), course(2, '是')] },
    );
    expect(lead.take(startEvent).held.run?.attempts).toHaveLength(1);
  });
});

describe('a run', () => {
  it('submits when the countdown is over and not before', () => {
    const lead = opened(running(1), 1).after(-1);
    expectUnchanged(lead, { type: 'submission-begun', key: key(1) });
    lead.after(1).take({ type: 'submission-begun', key: key(1) });
    expect(lead.phase(1)).toBe('submitting');
  });

  it('never has two submissions on their way', () => {
    const lead = running(2).take({ type: 'page-opening', key: key(1) }, { type: 'page-opened', key: key(1) });
    opened(lead, 2).take({ type: 'submission-begun', key: key(1) });
    expectUnchanged(lead, { type: 'submission-begun', key: key(2) });
  });

  it.each([
    ['accepted', [1], null],
    ['accepted', [], 'unconfirmed'],
    ['refused', [], 'refused'],
    ['not-sent', [], 'interrupted'],
    ['unknown', [1], null],
    ['unknown', [], 'interrupted'],
  ] as const)('counts a submission %s with %j evaluated as failed: %s', (outcome, done, fault) => {
    const lead = submitted(opened(running(2), 1), 1, outcome).take({ type: 'list-read', courses: list(2, done) });
    const failCount = fault === null ? 0 : 1;
    expect(lead.held).toMatchObject({ status: 'running', successCount: 1 - failCount, failCount });
    expect(failedOf(lead)).toEqual(fault === null ? [] : [{ courseKey: lead.name(1), courseName: '课程1', fault }]);
  });

  it.each([null, []])(
    'an accepted submission counts when the list %j says nothing of it, and the old list stays',
    (courses) => {
      const lead = submitted(opened(running(2), 1), 1, 'accepted').take({ type: 'list-read', courses });
      expect(lead.held).toMatchObject({ successCount: 1, failCount: 0, courses: list(2) });
    },
  );

  it('looks an unknown submission up three times, five seconds apart, and then counts it as failed', () => {
    const lead = submitted(opened(running(1), 1), 1, 'unknown');
    for (const reads of [1, 2]) {
      lead.take({ type: 'list-read', courses: null });
      expect(lead.held.run?.attempts[0]?.phase).toMatchObject({
        kind: 'verifying',
        reads,
        nextReadAt: lead.now + 5_000,
      });
    }
    expect(lead.take({ type: 'list-read', courses: null }).held).toMatchObject({ status: 'completed', failCount: 1 });
  });

  it('sends once more to a page that was spent, after the list says that nothing was stored, and then no more', () => {
    const lead = submitted(opened(running(1, 'sequential'), 1), 1, 'spent').take({
      type: 'list-read',
      courses: list(1),
    });
    expect(lead.held.run?.attempts[0]).toMatchObject({ phase: { kind: 'waiting' }, resent: true });
    submitted(opened(lead.after(60_000), 1), 1, 'spent').take({ type: 'list-read', courses: list(1) });
    expect(lead.held).toMatchObject({ status: 'completed', failCount: 1 });
    expect(failedOf(lead)).toMatchObject([{ fault: 'refused' }]);
  });

  it('sends nothing more where the list shows a spent submission as stored', () => {
    const lead = submitted(opened(running(1), 1), 1, 'spent').take({ type: 'list-read', courses: [course(1, '是')] });
    expect(lead.held).toMatchObject({ status: 'completed', successCount: 1 });
  });

  it('tells of each course that failed why, in order, also after its end and where the list names it no more', () => {
    const lead = running(4, 'sequential');
    submitted(opened(lead, 1), 1, 'not-yet').take({ type: 'list-read', courses: list(4) });
    for (const [number, fault] of [
      [2, 'page_failed'],
      [3, 'preview_outdated'],
    ] as const) {
      lead.take({ type: 'page-opening', key: key(number) }, { type: 'page-failed', key: key(number), fault });
    }
    submitted(opened(lead, 4), 4, 'unknown').take({ type: 'list-read', courses: null });
    for (const courses of [null, [course(2)]]) lead.after(5_000).take({ type: 'list-read', courses });
    expect(lead.held).toMatchObject({ status: 'completed', failCount: 4 });
    const names = publicKeys(list(4));
    expect(failedOf(lead)).toEqual([
      { courseKey: names[0], courseName: '课程1', fault: 'refused' },
      { courseKey: names[1], courseName: '课程2', fault: 'page_failed' },
      { courseKey: names[2], courseName: '课程3', fault: 'preview_outdated' },
      { courseKey: names[3], courseName: '课程4', fault: 'interrupted' },
    ]);
  });

  it('takes for interrupted what an earlier version has counted without a reason', () => {
    const lead = running(2).take({ type: 'page-opening', key: key(1) });
    lead.take({ type: 'page-failed', key: key(1), fault: 'page_failed' });
    const { run } = lead.held;
    const attempts = run?.attempts.map((each) =>
      each.phase.kind === 'done' ? { ...each, phase: { kind: 'done', result: 'failure' } as const } : each,
    );
    lead.task = { ...lead.held, run: run && { ...run, attempts: attempts ?? [] } };
    expect(failedOf(lead)).toEqual([{ courseKey: lead.name(1), courseName: '课程1', fault: 'interrupted' }]);
  });

  it('leaves out what was evaluated elsewhere and what is new, and keeps what the list does not name', () => {
    const lead = submitted(opened(running(4), 1), 1, 'accepted');
    lead.take({ type: 'list-read', courses: [course(1, '是'), course(2, '是'), course(4), course(5)] });
    expect([1, 2, 3, 4, 5].map((number) => lead.phase(number))).toEqual([
      'done',
      'done',
      'waiting',
      'waiting',
      undefined,
    ]);
    expect(lead.held).toMatchObject({ successCount: 1, failCount: 0 });
  });

  it('keeps name and position of a course that vanishes from the list', () => {
    const lead = submitted(opened(running(2), 1), 1, 'accepted').take({
      type: 'list-read',
      courses: [course(1, '是')],
    });
    lead.take({ type: 'page-opening', key: key(2) });
    expect(currentView(lead.held, lead.now).course).toMatchObject({ name: '课程2', index: 1, of: 2 });
    lead.take({ type: 'page-failed', key: key(2), fault: 'page_failed' });
    const view = taskView(lead.held, lead.now);
    expect(view).toMatchObject({ status: 'running', total: 2, currentIndex: 2, failed: [{ courseName: '课程2' }] });
  });

  it('shows a course that was accepted and is no longer listed as done, with the name that it had', () => {
    const lead = submitted(opened(running(2), 1), 1, 'accepted').take({ type: 'list-read', courses: [course(2)] });
    expect(taskView(lead.held, lead.now)).toMatchObject({ total: 2, pending: 1, successCount: 1 });
    expect(lead.held.run?.lastResult).toEqual({ courseName: '课程1', success: true });
  });

  it('takes rows of one course for one, however the list names its questionnaire', () => {
    const twice = [course(1), { ...course(1), questionnaire: null }];
    const lead = new Lead().take({ type: 'initialize' }, { type: 'list-loaded', courses: twice }, startEvent);
    expect(lead.held.run?.attempts).toHaveLength(1);
  });

  it('pauses between two courses in the sequential plan only', () => {
    const paused = submitted(opened(running(2, 'sequential'), 1), 1, 'accepted').take({
      type: 'list-read',
      courses: list(2, [1]),
    });
    expect(paused.held.run?.pauseUntil).toBe(paused.now + 3_000);
    const not = submitted(opened(running(2), 1), 1, 'accepted').take({ type: 'list-read', courses: list(2, [1]) });
    expect(not.held.run?.pauseUntil).toBeNull();
  });
});

describe('a refusal for time or token', () => {
  const refused = (courses: readonly ReturnType<typeof course>[] | null) => {
    const lead = running(3);
    for (const number of [1, 2])
      lead.take({ type: 'page-opening', key: key(number) }, { type: 'page-opened', key: key(number) });
    return submitted(lead.after(140_000), 1, 'not-yet').take({ type: 'list-read', courses });
  };

  it('makes the run sequential and tries that course once more', () => {
    const lead = refused(list(3));
    expect(lead.held.run).toMatchObject({ plan: 'sequential', fellBack: true });
    expect([1, 2, 3].map((number) => lead.phase(number))).toEqual(['waiting', 'waiting', 'waiting']);
    expect(lead.held).toMatchObject({ successCount: 0, failCount: 0 });
    submitted(opened(lead, 1), 1, 'not-yet').take({ type: 'list-read', courses: list(3) });
    expect(lead.held).toMatchObject({ successCount: 0, failCount: 1 });
    expect(lead.phase(1)).toBe('done');
  });

  it.each([
    ['cannot be looked up', null],
    ['is not on the list', [course(2), course(3)]],
  ])('does not repeat a submission that %s', (_, courses) => {
    const lead = refused(courses);
    expect(lead.held.run).toMatchObject({ plan: 'sequential', fellBack: true });
    expect([lead.phase(1), lead.held.failCount]).toEqual(['done', 1]);
  });

  it('of a course that the list shows as evaluated is no failure, and not repeated', () => {
    const lead = refused(list(3, [1]));
    expect(lead.held.run).toMatchObject({ plan: 'sequential', fellBack: true });
    expect([lead.phase(1), lead.held.successCount, lead.held.failCount]).toEqual(['done', 0, 0]);
  });
});

describe('a course that was evaluated by hand after the list was loaded', () => {
  const pageFailed = (lead: Lead, number: number, fault: 'page_failed' | 'preview_outdated' = 'page_failed') =>
    lead.take({ type: 'page-opening', key: key(number) }, { type: 'page-failed', key: key(number), fault });

  it('and whose page then fails is neither failed nor pending: the list is read once before the end', () => {
    const lead = pageFailed(pageFailed(running(2), 1), 2, 'preview_outdated');
    expect(nextTaskStep(lead.held, lead.now)).toEqual({ kind: 'read-list' });
    lead.take({ type: 'list-read', courses: list(2, [1, 2]) });
    expect(taskView(lead.held, lead.now)).toMatchObject({
      status: 'completed',
      successCount: 0,
      failCount: 0,
      failed: [],
      pending: 0,
      progress: { kind: 'completed', nothingToDo: true },
    });
  });

  it('is settled by the reading that a later submission costs anyway, in both plans', () => {
    for (const plan of ['overlapped', 'sequential'] as const) {
      const lead = submitted(opened(pageFailed(running(2, plan), 1), 2), 2, 'accepted');
      lead.take({ type: 'list-read', courses: list(2, [1, 2]) });
      expect(lead.held).toMatchObject({ status: 'completed', successCount: 1, failCount: 0 });
    }
  });

  it('after its page was opened, so that the campus refuses the answers, is no failure', () => {
    const lead = submitted(opened(running(1), 1), 1, 'refused').take({ type: 'list-read', courses: list(1, [1]) });
    expect(lead.held).toMatchObject({ status: 'completed', successCount: 0, failCount: 0 });
  });

  it.each([
    ['says that it is pending', list(1)],
    ['cannot be read', null],
  ])('is not supposed where the list %s: the page has failed', (_, courses) => {
    const lead = pageFailed(running(1), 1).take({ type: 'list-read', courses });
    expect(lead.held).toMatchObject({ status: 'completed', failCount: 1 });
  });

  it('asks nobody for a second step', () => {
    const lead = pageFailed(running(1), 1).take({ type: 'person-needed', key: null });
    expect(lead.held).toMatchObject({ status: 'completed', failCount: 1 });
  });
});

describe('terminate', () => {
  it('in a countdown ends at once; the interrupted course is neither success nor failure', () => {
    const lead = opened(running(2), 1).after(-1_000);
    lead.take({ type: 'terminate' });
    expect(lead.held).toMatchObject({ status: 'terminated', endedAt: lead.now, successCount: 0, failCount: 0 });
    expect(lead.held.run?.attempts.map(({ phase }) => phase)).toEqual(
      Array(2).fill({ kind: 'done', result: 'interrupted' }),
    );
  });

  it('in a submission waits for its result', () => {
    const lead = opened(running(2), 1).take({ type: 'submission-begun', key: key(1) }, { type: 'terminate' });
    expect(lead.held.status).toBe('running');
    lead.take({ type: 'submission-answered', key: key(1), outcome: 'accepted' });
    expect(lead.held.status).toBe('running');
    expect(lead.take({ type: 'list-read', courses: list(2, [1]) }).held).toMatchObject({
      status: 'terminated',
      successCount: 1,
    });
  });

  it.each([
    ['nothing', [], 0, ['interrupted']],
    ['an acceptance', ['accepted'], 1, []],
    ['a refusal', ['refused'], 0, ['refused']],
    ['a submission that did not leave', ['not-sent'], 0, ['interrupted']],
    ['no readable answer', ['unknown'], 0, ['interrupted']],
  ] as const)('ends after five seconds with %s counted as it is', (_, outcomes, success, faults) => {
    const lead = opened(running(2), 1).take({ type: 'submission-begun', key: key(1) }, { type: 'terminate' });
    for (const outcome of outcomes) lead.take({ type: 'submission-answered', key: key(1), outcome });
    expectUnchanged(lead.after(STOP_GRACE_MS - 1), { type: 'stop-overdue' });
    lead.after(1).take({ type: 'stop-overdue' });
    expect(lead.held).toMatchObject({ status: 'terminated', successCount: success, failCount: faults.length });
    expect(failedOf(lead).map(({ fault }) => fault)).toEqual(faults);
  });

  it('from a process that is not at work on the run is a request, which the one at work grants', () => {
    const lead = running(1).take({ type: 'stop-asked' });
    expect(lead.held).toMatchObject({ status: 'running', run: { stopRequestedAt: lead.now } });
    expect(lead.take({ type: 'terminate' }).held.status).toBe('terminated');
    expect(
      running(1).take({ type: 'stop-asked' }).after(STOP_GRACE_MS).take({ type: 'stop-overdue' }).held.status,
    ).toBe('terminated');
  });

  it('twice does not prolong the grace', () => {
    const lead = opened(running(1), 1).take({ type: 'submission-begun', key: key(1) }, { type: 'terminate' });
    lead.after(3_000).take({ type: 'terminate' }).after(2_000).take({ type: 'stop-overdue' });
    expect(lead.held.status).toBe('terminated');
  });
});

it.each([{ type: 'page-opened', key: key(1) } as const, { type: 'list-read', courses: list(1) } as const])(
  'a run that waits for its student continues after %j',
  (answer) => {
    const opening = { type: 'page-opening', key: key(1) } as const;
    const lead = running(1).take(opening, { type: 'person-needed', key: key(1) }, opening);
    expect(lead.held.run?.person).toMatchObject({ since: start });
    expect(lead.take(answer).held.run?.person).toBeNull();
  },
);

describe('the end of its process', () => {
  it.each(['initializing', 'running'] as const)('has a task fail that was %s', (status) => {
    expect(leads[status]().take({ type: 'interrupted' }).held).toMatchObject({
      status: 'failed',
      fault: 'interrupted',
    });
  });

  it('counts what the campus had accepted as a success, and a submission without an answer as unknown', () => {
    const accepted = submitted(opened(running(2), 1), 1, 'accepted').take({ type: 'interrupted' });
    expect(accepted.held).toMatchObject({ status: 'failed', successCount: 1, failCount: 0 });
    const unknown = opened(running(2), 1)
      .take({ type: 'submission-begun', key: key(1) })
      .take({ type: 'interrupted' });
    expect(unknown.held).toMatchObject({ status: 'failed', successCount: 0, failCount: 1 });
    expect(unknown.held.run?.attempts.map(({ phase }) => phase)).toMatchObject([
      { kind: 'done', result: 'failure', fault: 'interrupted' },
      { kind: 'done', result: 'interrupted' },
    ]);
  });
});
