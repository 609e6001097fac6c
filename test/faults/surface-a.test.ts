import { beforeAll, expect, it } from 'vitest';
import { documented, matrixSection } from './document.ts';
import { type MatrixResult, runMatrix } from './matrix.ts';
import { FaultWorld } from './world.ts';

let result: MatrixResult;

beforeAll(async () => {
  const world = await FaultWorld.start();
  try {
    result = await runMatrix(world, 'a');
  } finally {
    await world.close();
  }
}, 900_000);

it('every operation of surface A answers as it must under every fault, and works when the fault is gone', () => {
  expect(result.operations.length).toBeGreaterThan(15);
  expect(result.problems).toEqual([]);
});

it('the answers are those of the document', () => {
  const made = matrixSection(result.operations);
  expect(made).toBe(documented('Surface A', made));
});
