import { afterAll, beforeAll, expect, it } from 'vitest';
import { Seaside } from '../../src/demo/seaside/campus.ts';
import type { DocumentedOperation } from '../support/openapi-operations.ts';
import { nameOf } from './calls.ts';
import { runMatrix } from './matrix.ts';
import { FaultWorld } from './world.ts';

/** The reads are those of the first demo campus; what is new here is the unified login in front of them. */
let world: FaultWorld;

beforeAll(async () => {
  world = await FaultWorld.start({ CAMPUS: 'demo-seaside' });
  const model = world.gateway.services.simulated?.model;
  if (!(model instanceof Seaside)) throw new Error('no simulator');
  model.switches.datesMove = false;
});

afterAll(() => world.close());

const asked: readonly string[] = [
  'POST /auth/login/next',
  'POST /auth/register/next',
  'GET /jwc/academic/info',
  'POST /api/v1/user/login',
];

it.each([
  ['a', 1],
  ['b', 3],
] as const)(
  'the operations of surface %s answer as they must under every fault of its unified login',
  async (surface, count) => {
    const isWanted = (operation: DocumentedOperation) => asked.includes(nameOf(operation));
    const { operations, problems } = await runMatrix(world, surface, isWanted);
    expect(problems).toEqual([]);
    expect(operations).toHaveLength(count);
    const places = operations.flatMap(({ rows }) => rows.map(({ place }) => place));
    expect(new Set(places)).toEqual(new Set(['application', 'unified login']));
  },
  300_000,
);
