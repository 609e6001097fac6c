import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerSchemas } from '../support/answer-schemas.ts';
import { asksCampus, callAsCase, nameOf } from './calls.ts';
import { runMatrix } from './matrix.ts';
import { FaultWorld } from './world.ts';

/** A campus of one half: an academic system with a login of its own, held to the rules of the first one. */
let world: FaultWorld;

beforeAll(async () => {
  world = await FaultWorld.start({ CAMPUS: 'demo-zhengfang' });
});

afterAll(() => world.close());

it('the operations of surface b that ask it answer as they must under every fault', async () => {
  const { operations, problems } = await runMatrix(world, 'b', asksCampus);
  expect(problems).toEqual([]);
  expect(operations.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['GET /jwc/term/all', 'GET /jwc/score/all', 'GET /jwc/exam/info', 'GET /jwc/academic/info']),
  );
}, 300_000);

/** The requests that a student with a session costs the campus, below `/jwglxt`. */
const warm: Readonly<Record<string, readonly string[]>> = {
  'GET /jwc/term/all': ['/kbcx/xskbcx_cxXskbcxIndex.html'],
  'GET /jwc/term/current': ['/kbcx/xskbcx_cxXskbcxIndex.html'],
  'GET /jwc/score/{term_code}/list': ['/cjcx/cjcx_cxXsgrcj.html'],
  'GET /jwc/score/all': ['/cjcx/cjcx_cxXsgrcj.html'],
  'GET /jwc/schedule/{term_code}/table': ['/kbcx/xskbcx_cxXsgrkb.html'],
  'GET /jwc/exam/info': ['/kwgl/kscx_cxXsksxxIndex.html'],
  'GET /jwc/academic/info': ['/xsxy/xsxyqk_cxXsxyqkIndex.html'],
  'GET /profile/student': ['/xsxxxggl/xsgrxxwh_cxXsgrxx.html'],
};

it('is asked no more than it takes', async () => {
  const student = await world.registered();
  const operations = new Map(answerSchemas(world.gateway.app).operations.map((each) => [nameOf(each), each]));
  const found: Record<string, readonly string[]> = {};
  // What rests on the current term keeps it for an hour.
  for (const name of Object.keys(warm)) {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`no operation ${name}`);
    await callAsCase(world, operation, student);
    world.clock.advance(1_000);
    const { requests } = await callAsCase(world, operation, student);
    found[name] = requests.map(({ path }) => path.replace('/jwglxt', ''));
  }
  expect(found).toEqual(warm);
});
