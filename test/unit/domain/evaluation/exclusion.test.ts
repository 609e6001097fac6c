import { describe, expect, it } from 'vitest';
import { courseKeyOf } from '../../../../src/domain/evaluation/task.ts';
import { currentView, taskView } from '../../../../src/domain/evaluation/view.ts';
import { course, key, type Lead, list, opened, publicKeys, ready, startEvent, submitted } from './support.ts';

const without = (lead: Lead, ...numbers: number[]): Lead =>
  lead.take({ ...startEvent, exclude: numbers.map((number) => lead.name(number)) });
const keys = (lead: Lead) => lead.held.run?.attempts.map((attempt) => attempt.key);
const view = (lead: Lead) => taskView(lead.held, lead.now);

describe('a run without some courses', () => {
  it('attempts the others only, and tells the campus their number', () => {
    const lead = without(ready(4), 2, 3);
    expect(keys(lead)).toEqual([key(1), key(4)]);
    expect(lead.held.run).toMatchObject({ count: 2, excluded: [key(2), key(3)] });
  });

  it('does not take in an excluded course that a later list names again, nor one that its student never saw', () => {
    const lead = without(ready(2), 2);
    submitted(opened(lead, 1), 1, 'accepted').take({ type: 'list-read', courses: list(3, [1]) });
    expect(keys(lead)).toEqual([key(1)]);
    expect(view(lead)).toMatchObject({ status: 'completed', total: 3, pending: 2, successCount: 1 });
    expect(view(lead).courses.map(({ excluded }) => excluded)).toEqual([false, true, true]);
  });

  it('counts in `current` what it will do, and in its state what the campus says', () => {
    const lead = without(ready(3), 3);
    expect(currentView(lead.held, lead.now)).toMatchObject({ status: 'running', pending: 2 });
    lead.take({ type: 'page-opening', key: key(1) });
    expect(currentView(lead.held, lead.now).course).toMatchObject({ index: 0, of: 2 });
    expect(view(lead).progress).toMatchObject({ kind: 'opening', position: 1, of: 2 });
    expect(view(lead).pending).toBe(3);
  });

  it('does not start with a course that is not in the list', () => {
    const lead = ready(2);
    expect(lead.apply({ ...startEvent, exclude: [lead.name(1), 'unknown'] })).toBe(false);
    expect(lead.apply({ ...startEvent, exclude: [key(1)] })).toBe(false);
    expect(lead.apply({ ...startEvent, only: [lead.name(1), 'unknown'] })).toBe(false);
    expect(lead.held.status).toBe('idle');
  });

  it('stays left alone in the run that follows a stop, unless its start says otherwise', () => {
    const stopped = () => without(ready(4), 2, 3).take({ type: 'terminate' }, { type: 'initialize', keep: true });
    const loaded = stopped().take({ type: 'list-loaded', courses: [...list(4, [3]), course(5)] });
    expect(view(loaded).courses.map(({ excluded }) => excluded)).toEqual([false, true, false, false, false]);
    expect(keys(loaded.take(startEvent))).toEqual([key(1), key(4), key(5)]);
    const said = () => stopped().take({ type: 'list-loaded', courses: list(4) });
    expect(keys(said().take({ ...startEvent, exclude: [] }))).toHaveLength(4);
    const other = said();
    expect(keys(other.take({ ...startEvent, exclude: [other.name(1)] }))).toEqual([key(2), key(3), key(4)]);
    // A stop keeps what was kept before it.
    const again = said().take(startEvent, { type: 'terminate' }, { type: 'initialize', keep: true });
    expect(keys(again.take({ type: 'list-loaded', courses: list(4) }, startEvent))).toEqual([key(1), key(4)]);
  });

  it.each(['completed', 'failed', 'idle'] as const)(
    'is forgotten after %s, even where the initialization wants to keep it',
    (end) => {
      const lead = without(ready(2), 1);
      if (end === 'failed') lead.take({ type: 'run-failed', fault: 'unexpected' });
      if (end === 'completed')
        submitted(opened(lead, 2), 2, 'accepted').take({ type: 'list-read', courses: list(2, [2]) });
      if (end === 'idle') {
        lead.take({ type: 'terminate' }, { type: 'initialize', keep: true }, { type: 'list-loaded', courses: list(2) });
      }
      expect(lead.held.status).toBe(end);
      lead.take({ type: 'initialize', keep: true }, { type: 'list-loaded', courses: list(2) });
      expect(view(lead).courses.map(({ excluded }) => excluded)).toEqual([false, false]);
      expect(keys(lead.take(startEvent))).toHaveLength(2);
    },
  );
});

describe('a run of some courses only', () => {
  it('attempts these and shows the rest as left alone, evaluated ones without a word', () => {
    const lead = ready(4, [1]);
    lead.take({ ...startEvent, only: [lead.name(1), lead.name(3)] });
    expect(keys(lead)).toEqual([key(3)]);
    expect(lead.held.run).toMatchObject({ count: 1, excluded: [key(2), key(4)] });
    expect(view(lead).courses.map(({ excluded }) => excluded)).toEqual([false, true, false, true]);
  });

  it('does not ask what was left alone before', () => {
    const lead = without(ready(3), 1, 2).take({ type: 'terminate' }, { type: 'initialize', keep: true });
    lead.take({ type: 'list-loaded', courses: list(3) });
    expect(keys(lead.take({ ...startEvent, only: [lead.name(2)] }))).toEqual([key(2)]);
  });
});

describe('the names of courses', () => {
  it('are short, differ, and stay when a course is evaluated or the list is another', () => {
    const names = publicKeys(list(30));
    expect(new Set(names).size).toBe(30);
    for (const name of names) expect(name).toMatch(/^[0-9a-f]{24}$/);
    expect(publicKeys(list(30, [3, 4]))).toEqual(names);
    expect(publicKeys([course(5)])).toEqual([names[4]]);
  });

  it('differ for one course of two teachers, and for two courses of which only the sequence is known', () => {
    const id = { staffNumber: 'S9', sequence: '01', contentNumber: 'C1', questionnaireCoding: 'Q1' };
    const twin = { ...course(1), id };
    const bare = [1, 2].map((number) => ({ ...course(number), id: { ...id, staffNumber: '', contentNumber: '' } }));
    expect(new Set([course(1), twin, ...bare].map(courseKeyOf)).size).toBe(4);
  });

  it('differ for two rows of one course, which are excluded together', () => {
    const lead = ready(0);
    lead.task = { ...lead.held, status: 'idle', courses: [course(1, '是'), course(1), course(2)] };
    const names = publicKeys(lead.held.courses);
    expect(new Set(publicKeys([...lead.held.courses, course(2)])).size).toBe(4);
    lead.take({ ...startEvent, exclude: [names[1] ?? ''] });
    expect(keys(lead)).toEqual([key(2)]);
    expect(view(lead).courses.map(({ excluded }) => excluded)).toEqual([true, true, false]);
  });
});
