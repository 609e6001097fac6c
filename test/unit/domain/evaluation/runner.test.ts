import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/domain/context.ts';
import { failureOf, failures } from '../../../../src/domain/errors.ts';
import type { RunningEvaluation } from '../../../../src/domain/evaluation/evaluation.ts';
import { OwnTask, TaskRepository } from '../../../../src/domain/evaluation/repository.ts';
import { PROCESS_LIFE_MS } from '../../../../src/domain/evaluation/types.ts';
import { callContext } from '../../../support/campus-rig.ts';
import { MortalProcess } from '../../../support/mortal-process.ts';
import { course, key, list, startEvent } from './support.ts';
import { student, World } from './world.ts';

let world: World;
afterEach(() => world.close());
const processOf = (courses: number, ...how: Parameters<World['process']>): RunningEvaluation => {
  world = new World(courses);
  return world.process(...how);
};

const outage = (): never => {
  throw failures.storageFailed();
};
/** The answer to a call that needs time to pass. */
const passing = async <T>(call: Promise<T>): Promise<T> => {
  let isOpen = true;
  const answer = call.finally(() => {
    isOpen = false;
  });
  await world.until(() => !isOpen);
  return answer;
};

/** Storage that fails so many times where a task that says this is written. */
const failing = (text: string, times: number) => {
  let left = times;
  return ({ snapshot }: { readonly snapshot: string }): void => {
    if (snapshot.includes(text) && left-- > 0) outage();
  };
};

describe('a stored run', () => {
  it.each(['overlapped', 'sequential'] as const)(
    'is %s: written at every transition, and never while it waits',
    async (plan) => {
      const process = processOf(5, plan);
      await world.begin(process);
      expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 5 });
      // Opening, opened, sending, answered, listed; two initialized the task and one started it.
      expect(world.store.written).toHaveLength(5 * 5 + 3);
    },
  );

  it('is on the disk before a submission leaves', async () => {
    const process = processOf(2);
    const seen: boolean[] = [];
    world.campus.outcome = () => {
      seen.push(JSON.stringify(world.store.row).includes('submitting'));
      return 'accepted';
    };
    await world.begin(process);
    await world.finished(process);
    expect(seen).toEqual([true, true]);
  });

  it('tells that a second try is due', async () => {
    const process = processOf(2);
    const stored: unknown[] = [];
    world.campus.outcome = () => {
      world.campus.onList = () => stored.push(world.store.row?.snapshot.includes('"outcome":"not-yet"'));
      world.campus.outcome = () => 'accepted';
      return 'not-yet';
    };
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 2 });
    expect(stored[0]).toBe(true);
  });

  it('is what its student is shown', async () => {
    const process = processOf(1);
    await world.begin(process);
    const kinds: unknown[] = [];
    world.campus.onList = () => void process.status(student).then((view) => kinds.push(view?.progress.kind));
    await world.finished(process);
    expect(kinds).toEqual(['reading-list']);
  });
});

describe('the memory of a run at work', () => {
  /** A run at work whose first page does not open: nothing changes but by others. */
  const hanging = async (): Promise<RunningEvaluation> => {
    world = new World(2);
    world.campus.onOpen = () => new Promise(() => {});
    const process = world.process();
    await world.begin(process);
    await world.until(() => world.campus.asked.includes('open 课程1'));
    return process;
  };

  it('answers status and current without a look into storage, from the start to the end of the run', async () => {
    world = new World(2);
    const [process, other] = [world.process(), world.process()];
    await world.begin(process);
    const reads = world.store.reads;
    let looks = 0;
    await world.until(async () => {
      if (process.running === 0) return true;
      expect((await process.status(student))?.status).toBe('running');
      expect((await process.current(student))?.status).toBe('running');
      looks += 1;
      return false;
    });
    expect(looks).toBeGreaterThan(100);
    expect(world.store.reads).toBe(reads);
    // Everybody else asks storage, and so does this process once the run is over.
    await other.status(student);
    await process.status(student);
    expect(world.store.reads).toBe(reads + 2);
  });

  it('says what is stored: other replicas answer the same from the snapshot, at every moment', async () => {
    world = new World(3);
    const [process, other] = [world.process(), world.process()];
    await world.begin(process);
    await world.until(async () => {
      expect(await other.status(student)).toEqual(await process.status(student));
      expect(await other.current(student)).toEqual(await process.current(student));
      return process.running === 0;
    });
  });

  it('costs three statements a minute while the run waits and no other process is there', async () => {
    const process = await hanging();
    world.isAlone = true;
    const { reads, written } = world.store;
    const before = [reads, written.length, world.store.beats];
    const end = world.clock.monotonic() + 10 * 60_000;
    await world.until(() => world.clock.monotonic() > end);
    expect(await process.status(student)).toMatchObject({ status: 'running' });
    expect([world.store.reads, world.store.written.length]).toEqual(before.slice(0, 2));
    expect(world.store.beats - (before[2] ?? 0)).toBeLessThanOrEqual(31);
  });

  it('has ended when another replica that was told to stop it answers, within two seconds', async () => {
    const process = await hanging();
    const there = world.process();
    const asked = world.clock.monotonic();
    expect(await passing(there.terminate(student, callContext()))).toEqual({ accepted: true, status: 'terminated' });
    expect((await process.status(student))?.status).toBe('terminated');
    expect(world.clock.monotonic() - asked).toBeLessThanOrEqual(3_000);
    await world.until(() => process.running === 0);
    // A run that is begun there is seen here, too.
    world.campus.onOpen = async () => {};
    await world.begin(there);
    expect((await process.status(student))?.status).toBe('running');
  });

  it('is not waited for where its process stands still: the run has ended after five seconds', async () => {
    await hanging();
    const there = world.process();
    world.store.beforeBeat = outage;
    const asked = world.clock.monotonic();
    expect(await passing(there.terminate(student, callContext()))).toEqual({ accepted: true, status: 'terminated' });
    expect(world.clock.monotonic() - asked).toBeLessThanOrEqual(6_000);
  });

  it('drops what storage answers after a newer answer', async () => {
    world = new World(2);
    const { clock, store } = world;
    const tagOf = (userid: string): string => `tag of ${userid}`;
    const deps = { store, clock, log: silentLog, tagOf, owner: 'here' };
    const repository = new TaskRepository(deps);
    await repository.change(student.userid, { type: 'initialize' }, true);
    await repository.change(student.userid, { type: 'list-loaded', courses: list(2) });
    const { held } = await repository.change(student.userid, startEvent, true);
    if (held === null) throw new Error('no task');
    const own = new OwnTask(deps, repository, student.userid, held);
    expect(await own.apply({ type: 'page-opening', key: key(1) })).toBe(true);
    own.adopt(held);
    expect(own.task.run?.attempts[0]?.phase.kind).toBe('opening');
    expect(own.revision).toBe(held.revision + 1);
  });
});

it('a process that runs nothing asks storage nothing', async () => {
  const world = new World(1);
  world.process();
  const end = world.clock.now() + 60_000;
  await world.until(() => world.clock.now() >= end);
  expect([world.store.beats, world.store.reads]).toEqual([0, 0]);
  await world.close();
});

it('an initialization that takes minutes is left to the process that is at work on it', async () => {
  world = new World(1);
  const [process, other] = [world.process(), world.process()];
  const { season } = world.campus;
  const gate = Promise.withResolvers<void>();
  world.campus.season = () => gate.promise.then(() => season());
  const loading = process.initialize(student, callContext());
  const end = world.clock.now() + 3 * PROCESS_LIFE_MS;
  await world.until(() => world.clock.now() > end);
  expect(await other.status(student)).toMatchObject({ status: 'initializing' });
  gate.resolve();
  expect(await loading).toMatchObject({ kind: 'loaded' });
});

describe('the runs of a process', () => {
  const others = ['2023000002', '2023000003', '2023000004'].map((userid) => ({ userid }));

  it('of starts at once with room for one exactly one runs, and its room is free again afterwards', async () => {
    const process = processOf(1, 'overlapped', undefined, 2);
    await world.begin(process);
    for (const each of others) await process.initialize(each, callContext());
    const starts = await Promise.all(others.map((each) => process.start(each)));
    expect(starts.filter(({ accepted }) => accepted)).toEqual([{ accepted: true, status: 'running' }]);
    const refused = { accepted: false, status: 'idle', reason: 'too-many' };
    expect(starts.filter(({ accepted }) => !accepted)).toEqual([refused, refused]);
    expect(process.running).toBe(2);
    await world.until(() => process.running === 0);
    const [, second, third] = others;
    if (!second || !third) throw new Error('no students');
    expect(await process.start(second)).toMatchObject({ accepted: true });
    expect(await process.start(third)).toMatchObject({ accepted: true });
  });

  it('a start that is refused or fails takes no room', async () => {
    const process = processOf(1, 'overlapped', undefined, 1);
    const [other] = others;
    if (!other) throw new Error('no student');
    expect(await process.start(other)).toMatchObject({ accepted: false, reason: 'not-initialized' });
    await process.initialize(student, callContext());
    world.store.beforeWrite = outage;
    await expect(process.start(student)).rejects.toMatchObject({ kind: 'storage-failed' });
    world.store.beforeWrite = () => {};
    expect(await process.start(student)).toEqual({ accepted: true, status: 'running' });
  });
});

describe('a storage that fails', () => {
  it('when the list is loaded does not pass for a campus that sent none', async () => {
    const process = processOf(2);
    world.store.beforeWrite = failing('"status":"idle"', 1);
    await expect(process.initialize(student, callContext())).rejects.toMatchObject({ kind: 'storage-failed' });
    expect(await process.status(student)).toMatchObject({ status: 'failed', fault: 'unexpected' });
  });

  it('for some seconds before a submission delays it', async () => {
    const process = processOf(2);
    world.store.beforeWrite = failing('submitting', 3);
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 2 });
    expect(world.campus.submissions).toEqual([1, 1]);
  });

  it('after it has stored that a submission begins: the outcome is unknown, so that one is not sent', async () => {
    const process = processOf(2);
    world.store.afterWrite = failing('submitting', 1);
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1, failCount: 1 });
    expect(world.campus.submissions).toEqual([1]);
  });

  it('for minutes right after a submission: the run has failed, the list tells what came of it, and it is not sent again', async () => {
    const process = processOf(2);
    world.campus.outcome = () => {
      world.store.beforeWrite = outage;
      return 'accepted';
    };
    await world.begin(process);
    await world.until(() => world.campus.submissions.length === 1);
    await world.until(() => process.running === 0);
    expect(await process.status(student)).toMatchObject({ status: 'running', progress: { kind: 'submitting' } });
    world.store.beforeWrite = () => {};
    world.campus.outcome = () => 'accepted';
    const failed = await world.finished(process);
    expect(failed).toMatchObject({ status: 'failed', fault: 'interrupted', successCount: 0, failCount: 1 });
    expect(failed?.failed).toMatchObject([{ courseName: '课程1', fault: 'interrupted' }]);
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 1, failCount: 0 });
    expect(world.campus.submissions).toEqual([1, 1]);
  });

  it('with a task that cannot be read any more: it has failed, and is begun again', async () => {
    world = new World(2);
    const before = world.process();
    await world.begin(before);
    const { row } = world.store;
    if (row === null) throw new Error('no task');
    world.store.row = { ...row, snapshot: '{"status":"running","version":0}', revision: row.revision + 1 };
    const next = world.process();
    expect(await next.status(student)).toMatchObject({ status: 'failed', fault: 'interrupted' });
    await world.until(() => before.running === 0);
    await world.begin(next);
    expect(await world.finished(next)).toMatchObject({ status: 'completed', successCount: 2 });
  });
});

describe('a list that changes', () => {
  it('a course that it does not name any more is submitted with the page that is open, and no other page is lost', async () => {
    const process = processOf(3);
    world.campus.outcome = ({ courseName }) => {
      if (courseName === '课程1') world.campus.courseList = world.campus.courseList.filter((_, at) => at !== 1);
      return 'accepted';
    };
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 3, failCount: 0 });
    expect(world.campus.asked.filter((line) => line.startsWith('open'))).toHaveLength(3);
    expect(world.campus.submissions).toEqual([1, 1, 1]);
  });
});

describe('a run', () => {
  it('whose process is killed has failed a minute later for other processes, and is begun again with a new list', async () => {
    world = new World(3);
    const life = new MortalProcess();
    const before = world.process('overlapped', life);
    await world.begin(before);
    await world.until(() => world.campus.asked.includes('open 课程2'));
    life.die();
    const diedAt = world.clock.now();
    const next = world.process();
    expect(await next.start(student)).toMatchObject({ accepted: false, status: 'running' });
    expect(await world.finished(next)).toMatchObject({ status: 'failed', fault: 'interrupted', failCount: 0 });
    expect(world.clock.now() - diedAt).toBeLessThanOrEqual(PROCESS_LIFE_MS + 22_000);
    world.campus.evaluate(course(1));
    await world.begin(next);
    expect(await world.finished(next)).toMatchObject({ status: 'completed', successCount: 2, pending: 0 });
    expect(world.campus.submissions).toEqual([1, 1]);
    life.wake();
  });

  it.each([
    ['stored-credentials-refused', {}, 'sign-in-failed'],
    ['sign-in-guarded', {}, 'sign-in-failed'],
    ['upstream-unreadable', { part: 'evaluation-index' }, 'index-failed'],
  ] as const)('that meets %s %j when it opens a page fails, and asks nothing more', async (kind, details, fault) => {
    const process = processOf(3, 'sequential');
    world.campus.onOpen = async ({ courseName }) => {
      if (courseName === '课程2') throw failureOf(kind, details);
    };
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'failed', fault, successCount: 1, failCount: 0 });
    expect(world.campus.asked).toEqual(['list', 'open 课程1', 'submit 课程1', 'list', 'open 课程2']);
  });

  it('that meets a second step waits for its student, and fails with half an hour', async () => {
    const process = processOf(3, 'sequential');
    world.campus.onOpen = async ({ courseName }) => {
      if (courseName === '课程2') throw failures.personNeeded(undefined, undefined, { wanted: 'sms' });
    };
    await world.begin(process);
    const begun = world.clock.now();
    const ended = await world.finished(process);
    expect(ended).toMatchObject({ status: 'failed', fault: 'person-needed', successCount: 1, failCount: 0 });
    expect(world.clock.now() - begun).toBeGreaterThanOrEqual(30 * 60_000);
    expect(new Set(world.campus.asked.slice(4))).toEqual(new Set(['open 课程2']));
  });

  it('that is terminated while a page hangs ends at once, and another may begin at once', async () => {
    const process = processOf(2);
    world.campus.onOpen = () => new Promise(() => {});
    await world.begin(process);
    await world.until(() => world.campus.asked.includes('open 课程1'));
    expect(await process.terminate(student, callContext())).toEqual({ accepted: true, status: 'terminated' });
    world.campus.onOpen = async () => {};
    await world.begin(process);
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 2, failCount: 0 });
    expect(world.campus.submissions).toEqual([1, 1]);
  });

  it('that another process ends passes nothing on to the run that follows it here', async () => {
    world = new World(2);
    const [here, there] = [world.process(), world.process()];
    await world.begin(here);
    await world.until(() => world.campus.asked.includes('open 课程2'));
    expect(await passing(there.terminate(student, callContext()))).toEqual({ accepted: true, status: 'terminated' });
    const begun = world.clock.now();
    await world.begin(here);
    expect(await world.finished(here)).toMatchObject({ status: 'completed', successCount: 2 });
    expect(world.clock.now() - begun).toBeLessThan(160_000);
  });

  it('that another process ends while the list hangs keeps the answer that had come', async () => {
    world = new World(2);
    const [here, there] = [world.process(), world.process()];
    await world.begin(here);
    let listed = world.campus.asked.length;
    world.campus.courses = () => {
      listed += 1;
      return new Promise(() => {});
    };
    const before = listed;
    await world.until(() => listed > before);
    let ended: unknown = null;
    void there.terminate(student, callContext()).then((answer) => {
      ended = answer;
    });
    await world.until(() => ended !== null);
    expect(ended).toEqual({ accepted: true, status: 'terminated' });
    expect(await there.status(student)).toMatchObject({ successCount: 1, failCount: 0 });
  });

  it.each(['overlapped', 'sequential'] as const)(
    'whose pages end with their session opens them again: %s',
    async (plan) => {
      const process = processOf(3, plan);
      const lost = new Set<string>();
      world.campus.outcome = ({ courseName }) => {
        if (lost.has(courseName)) return 'accepted';
        lost.add(courseName);
        return 'page-lost';
      };
      await world.begin(process);
      const indexes: number[] = [];
      await world.until(async () => {
        const view = await process.status(student);
        indexes.push(view?.currentIndex ?? 0);
        return view?.status !== 'running';
      });
      expect(await process.status(student)).toMatchObject({ status: 'completed', successCount: 3, failCount: 0 });
      expect(indexes).toEqual([...indexes].sort());
      expect(world.store.row?.snapshot).toContain(`"plan":"${plan}"`);
    },
  );

  it('whose sessions never last as long as a wait ends all the same', async () => {
    const process = processOf(2);
    world.campus.outcome = () => 'page-lost';
    await world.begin(process);
    const failed = [{ fault: 'interrupted' }, { fault: 'interrupted' }];
    expect(await world.finished(process)).toMatchObject({ status: 'completed', successCount: 0, failed });
    expect(world.campus.asked.filter((line) => line.startsWith('open'))).toHaveLength(4);
  });

  it('that is terminated while the campus takes its time over a submission tells that its outcome is unknown', async () => {
    const process = processOf(2);
    const hangs = Promise.withResolvers<'accepted'>();
    world.campus.outcome = () => hangs.promise;
    await world.begin(process);
    await world.until(() => world.campus.submissions.length === 1);
    world.campus.courses = () => new Promise(() => {});
    expect(await passing(process.terminate(student, callContext()))).toEqual({ accepted: true, status: 'terminated' });
    const failed = [{ courseName: '课程1', fault: 'interrupted', isUnknown: true }];
    expect(await process.status(student)).toMatchObject({
      status: 'terminated',
      successCount: 0,
      failCount: 1,
      failed,
    });
    hangs.resolve('accepted');
  });

  it('that is terminated then reads the list once more, which may show what the campus did not answer', async () => {
    const process = processOf(2);
    world.campus.outcome = (course) => {
      world.campus.evaluate(course);
      return new Promise(() => {});
    };
    await world.begin(process);
    await world.until(() => world.campus.submissions.length === 1);
    const listed = world.campus.asked.filter((line) => line === 'list').length;
    expect(await passing(process.terminate(student, callContext()))).toEqual({ accepted: true, status: 'terminated' });
    expect(await process.status(student)).toMatchObject({ successCount: 1, failCount: 0, pending: 1 });
    expect(world.campus.asked.filter((line) => line === 'list')).toHaveLength(listed + 1);
  });

  it('whose process ends during a submission hears the answer, and counts it', async () => {
    world = new World(2);
    const before = world.process();
    const answer = Promise.withResolvers<'accepted'>();
    world.campus.outcome = () => answer.promise;
    await world.begin(before);
    await world.until(() => world.campus.submissions.length === 1);
    const closed = world.end(before);
    answer.resolve('accepted');
    await closed;
    const next = world.process();
    expect(await next.status(student)).toMatchObject({ status: 'failed', fault: 'interrupted', successCount: 1 });
    world.campus.outcome = () => 'accepted';
    await world.begin(next);
    expect(await world.finished(next)).toMatchObject({ status: 'completed', successCount: 1, failCount: 0 });
    expect(world.campus.submissions).toEqual([1, 1]);
  });

  it('is one, however many starts come at once on two processes', async () => {
    world = new World(2);
    const processes = [world.process(), world.process()];
    await processes[0]?.initialize(student, callContext());
    const starts = await Promise.all([...processes, ...processes].map((each) => each.start(student)));
    expect(starts.filter(({ accepted }) => accepted)).toHaveLength(1);
    expect(starts.map(({ status }) => status)).toEqual(Array(4).fill('running'));
    expect(processes.map(({ running }) => running).sort()).toEqual([0, 1]);
    expect(key(1)).not.toBe(key(2));
  });
});
