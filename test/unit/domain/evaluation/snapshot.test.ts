import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../../../src/domain/evaluation/task.ts';
import { key, list, opened, previewEvent, ready, startEvent, submitted, timing } from './support.ts';

/** A run with an attempt in every phase that carries data. */
const previewed = ready(6).take(previewEvent(3));
const begun = previewed.take({ ...startEvent, exclude: [previewed.name(5)] });
const lead = submitted(opened(begun, 1), 1, 'accepted').take({ type: 'list-read', courses: list(6, [1]) });
lead.take({ type: 'page-opening', key: key(6) }, { type: 'page-failed', key: key(6), fault: 'page_failed' });
for (const number of [2, 3]) {
  lead.take({ type: 'page-opening', key: key(number) }, { type: 'page-opened', key: key(number) });
}
const task = submitted(lead.after(timing.waitMs), 2, 'not-sent').take({ type: 'terminate' }).held;
const snapshot = JSON.stringify(task);

type Path = ReadonlyArray<string | number>;

const pathsOf = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...inner.flatMap((name) => pathsOf(Reflect.get(value, name), [...path, name]))];
};

/** The snapshot with one value changed; `undefined` leaves it out. */
const changed = (path: Path, to: unknown): string => {
  const [root, parents, last] = [
    { task: JSON.parse(snapshot) },
    ['task', ...path].slice(0, -1),
    ['task', ...path].at(-1),
  ];
  const parent = parents.reduce<object>((value, name) => Reflect.get(value, name), root);
  Reflect.set(parent, last ?? '', to);
  return JSON.stringify(root.task) ?? '';
};

const isTask = (text: string): boolean => !('unreadable' in readSnapshot(text));

/** Earlier versions may not have written them: they have a default, or may be null or missing. */
const newMembers = [
  ...['pagesLost', 'resent', 'excluded', 'previews', 'options', 'maxLength', 'person', 'listDue', 'refreshDue'],
  ...['id', 'questionnaire', 'startedAt', 'endedAt', 'fault', 'run'],
  ...['lastOpenedAt', 'pauseUntil', 'stopRequestedAt', 'lastResult'],
];
const newOfPhases = ['fault', 'courseName', 'unsent'];

describe('a snapshot', () => {
  it('is read as it was written', () => {
    expect(readSnapshot(snapshot)).toEqual(task);
    const phases = task.run?.attempts.map(({ phase }) => phase.kind);
    expect(phases).toEqual(['done', 'verifying', 'counting', 'waiting', 'done']);
  });

  it('with any member of another type is no task', () => {
    const paths = pathsOf(JSON.parse(snapshot));
    expect(paths.length).toBeGreaterThan(80);
    for (const path of paths) {
      for (const wrong of [[[]], 'x'.repeat(3)]) {
        const isText =
          typeof path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), task) === 'string';
        const isFree =
          isText &&
          typeof wrong === 'string' &&
          !['status', 'plan', 'kind', 'outcome', 'result', 'fault'].includes(`${path.at(-1)}`);
        if (!isFree) expect(isTask(changed(path, wrong)), `${path.join('.')} = ${JSON.stringify(wrong)}`).toBe(false);
      }
    }
  });

  it('with any member missing is no task, but for those that earlier versions may not have had', () => {
    const members = pathsOf(JSON.parse(snapshot)).filter((path) => typeof path.at(-1) === 'string');
    for (const path of members) {
      const isNew = (path.at(-2) === 'phase' ? newOfPhases : newMembers).includes(`${path.at(-1)}`);
      expect(isTask(changed(path, undefined)), path.join('.')).toBe(isNew);
    }
  });

  it('of a version that did not know a member that may be null has null there, and keeps what a later one has added', () => {
    const lacking = { ...JSON.parse(changed(['run', 'pauseUntil'], undefined)), later: { kept: 1 } };
    expect(lacking.run).not.toHaveProperty('pauseUntil');
    expect(task.run?.pauseUntil).toBeNull();
    expect(readSnapshot(JSON.stringify(lacking))).toEqual({ ...task, later: { kept: 1 } });
  });

  it.each(['', 'null', '[]', '"running"', '{', '{"status":"running","version":0}'])('%j is no task', (text) => {
    expect(isTask(text)).toBe(false);
  });

  it('that is inconsistent names the member, without its content', () => {
    const text = changed(['run', 'attempts', 1, 'phase', 'reads'], 'secret');
    expect(readSnapshot(text)).toEqual({ unreadable: expect.stringContaining('/run') });
    expect(JSON.stringify(readSnapshot(text))).not.toContain('secret');
  });
});
