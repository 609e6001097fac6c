import { expect, it, vi } from 'vitest';
import { runMatrix } from './matrix.ts';
import { FaultWorld } from './world.ts';

const mine = ['/jwc/academic/info', '/jwc/offerings/terms', '/jwc/offerings', '/jwc/classes/filters', '/jwc/classes/majors', '/jwc/classes', '/jwc/classes/{class_code}/schedule'];
vi.mock('../support/answer-schemas.ts', async (original) => {
  const module = (await original()) as any;
  return {
    ...module,
    answerSchemas: (app: any) => {
      const all = module.answerSchemas(app);
      return Object.assign(Object.create(Object.getPrototypeOf(all)), all, { findings: (...a: any[]) => all.findings(...a), operations: all.operations.filter((o: any) => mine.includes(o.path)) });
    },
  };
});
it('matrix', async () => {
  const world = await FaultWorld.start();
  const result = await runMatrix(world, 'b');
  await world.close();
  for (const { operation, rows } of result.operations) console.log(operation, rows.filter((r) => r.place === 'application').map((r) => `${r.fault}: ${r.outcome}`).join(' | '));
  expect(result.problems).toEqual([]);
}, 900_000);
