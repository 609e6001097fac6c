import { beforeAll, expect, it } from 'vitest';
import type { ApplicationDriver, Drivers } from '../../src/campus/contract/driver.ts';
import { drivers } from '../../src/campus/drivers.ts';
import type { Supplies } from '../../src/domain/capabilities.ts';
import { homeParts } from '../../src/surfaces/b/routes/home-parts.ts';
import { answerSchemas } from '../support/answer-schemas.ts';
import type { Answer } from '../support/gateway-rig.ts';
import { type DocumentedOperation, withToken } from '../support/openapi-operations.ts';
import { callAsCase, caseOf, nameOf } from './calls.ts';
import { FaultWorld } from './world.ts';

const called = new Set<string>();

/** The methods of an application without some of them; every call is noted. */
const watched = (supplies: Supplies, without: ReadonlySet<string>): Supplies =>
  Object.fromEntries(
    Object.entries(supplies).map(([area, methods]) => {
      const left = Object.entries<unknown>(Object(methods)).filter(([method]) => !without.has(`${area}.${method}`));
      const noting = left.map(([method, run]) => {
        const note = (...given: unknown[]) => {
          called.add(`${area}.${method}`);
          return typeof run === 'function' ? Reflect.apply(run, methods, given) : undefined;
        };
        return [method, note];
      });
      return [area, Object.fromEntries(noting)];
    }),
  );

const driversWithout = (without: ReadonlySet<string>): Drivers => {
  const one = (driver: ApplicationDriver): ApplicationDriver => ({
    ...driver,
    supplies: (access) => watched(driver.supplies(access), without),
  });
  return Object.fromEntries(
    Object.entries(drivers).map(([name, driver]) => [name, driver.kind === 'application' ? one(driver) : driver]),
  );
};

const inWorld = async <T>(without: readonly string[], work: (world: FaultWorld) => Promise<T>): Promise<T> => {
  const world = await FaultWorld.start({}, { drivers: driversWithout(new Set(without)) });
  try {
    return await work(world);
  } finally {
    await world.close();
  }
};

const operationsOf = (world: FaultWorld) => answerSchemas(world.gateway.app).operations;
/** A feed needs any one of its parts. */
const isOfOne = ({ path }: DocumentedOperation): boolean => path === '/calendar/feeds';
const isNotOffered = ({ status, body }: Answer): boolean => status === 501 || body?.code === 501;

/** Capabilities that an operation uses where they exist: elsewhere the answer does without. */
const usedBeside: Readonly<Record<string, readonly string[]>> = {
  'POST /api/v1/jwc/fetch_education_plan_info': ['academics.summary'],
  // It says `exam_left_out` without them.
  '/home next': ['academics.exams', 'academics.summary', 'academics.terms'],
  // The summary names the term of exams, where there is one; else it is the current term.
  'GET /jwc/exam/info': ['academics.summary'],
  'POST /api/v1/jwc/fetch_exam_info': ['academics.summary'],
  '/home exams': ['academics.summary'],
  // The list of terms decides the code of the current one, where there is a list.
  'GET /jwc/term/current': ['academics.terms'],
  '/home term': ['academics.terms'],
  '/home today': ['academics.terms'],
};

interface Asking {
  readonly name: string;
  readonly needs: readonly string[];
  readonly asked: readonly string[];
  readonly isOffered: boolean;
}

let operations: readonly DocumentedOperation[];
let asking: readonly Asking[];

beforeAll(async () => {
  asking = await inWorld([], async (world) => {
    operations = operationsOf(world);
    const found: Asking[] = [];
    const one = await world.registered();
    for (const operation of operations) {
      // Students who left or who sign in again and again are others.
      const { ends, signsIn } = caseOf(operation);
      const student = ends || signsIn ? await world.registered() : one;
      world.allOver();
      let asked: readonly string[] = [];
      const watch = {
        begin: () => called.clear(),
        end: () => {
          asked = [...called];
        },
      };
      const { answer } = await callAsCase(world, operation, student, { watch });
      const [name, needs] = [nameOf(operation), operation.capabilities];
      found.push({ name, needs, asked, isOffered: !isNotOffered(answer) });
    }
    const { token } = await world.registered();
    await world.drive(world.gateway.b('POST', '/isim/room/bind', { token, body: { room_id: '010101' } }));
    const parts = homeParts(world.gateway.services);
    for (const [part, { needs }] of Object.entries(parts)) {
      called.clear();
      const { body } = await world.drive(world.gateway.b('GET', `/home?include=${part}`, { token }));
      const isOffered = body.data.parts[part].error === null;
      found.push({ name: `/home ${part}`, needs, asked: [...called], isOffered });
    }
    return found;
  });
}, 300_000);

it('an operation, and a part of the start of an app, asks the campus for nothing but what it names', () => {
  expect(asking.length).toBeGreaterThan(100);
  const unnamed = asking.flatMap(({ name, needs, asked }) =>
    asked
      .filter((each) => !needs.includes(each) && !usedBeside[name]?.includes(each))
      .map((each) => `${name}: ${each}`),
  );
  expect(unnamed).toEqual([]);
  expect(asking.filter(({ isOffered }) => !isOffered)).toEqual([]);
});

/** Everything that is named, in groups of which no operation names two. */
const groups = (): string[][] => {
  const found: string[][] = [];
  for (const one of new Set(operations.flatMap(({ capabilities }) => capabilities))) {
    const besides = operations.filter(({ capabilities }) => capabilities.includes(one));
    const isFree = (group: readonly string[]) =>
      besides.every(({ capabilities }) => !group.some((other) => capabilities.includes(other)));
    const group = found.find(isFree);
    if (group) group.push(one);
    else found.push([one]);
  }
  return found;
};

it('an operation that lacks any one of them is 501 and not described, and the others are', async () => {
  const made = groups();
  expect(made.flat().length).toBeGreaterThan(40);
  for (const group of made) {
    await inWorld(group, async (world) => {
      const lacks = ({ capabilities }: DocumentedOperation) => capabilities.some((each) => group.includes(each));
      const left = operations.filter((each) => !lacks(each) && !isOfOne(each));
      expect(
        operationsOf(world)
          .filter((each) => !isOfOne(each))
          .map(nameOf),
      ).toEqual(left.map(nameOf));
      const { token } = await world.registered();
      world.campus.resetRequests();
      for (const operation of operations.filter(lacks)) {
        const { method, path, bodyExample } = operation;
        const body = bodyExample === null ? undefined : withToken(bodyExample, token);
        const answer = await world.drive(world.call(method, path.replaceAll(/\{\w+\}/g, '1'), { token, body }));
        expect([nameOf(operation), isNotOffered(answer)]).toEqual([nameOf(operation), true]);
      }
      expect(world.campus.requests()).toEqual([]);
    });
  }
}, 120_000);

it('an estimate lacks the scores before anybody is asked for the plan; a plan goes without a summary', async () => {
  await inWorld(['academics.allScores', 'academics.summary'], async (world) => {
    const { token } = await world.registered();
    world.campus.resetRequests();
    const estimate = await world.drive(world.gateway.b('GET', '/jwc/plan/current?estimate=true', { token }));
    expect([estimate.status, world.campus.requests()]).toEqual([501, []]);
    expect((await world.drive(world.gateway.b('GET', '/jwc/plan/current', { token }))).status).toBe(200);
    expect((await world.drive(world.gateway.a('/jwc/fetch_education_plan_info', { token }))).body.code).toBe(200);
  });
});
