import { expect, it, onTestFinished } from 'vitest';
import { appUnderTest, portOf } from '../support/app.ts';
import { exampleToken } from '../support/fake-services.ts';
import { RawConnection } from '../support/raw-connection.ts';

const listening = async () => {
  const { app, services } = await appUnderTest({ connections: { closeDelayMs: 50 } });
  onTestFinished(() => app.close());
  let parsed = 0;
  let worked = 0;
  app.server.on('request', () => {
    parsed += 1;
  });
  services.academics.terms.does(async () => {
    worked += 1;
    return [];
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const connection = await RawConnection.open(portOf(app));
  return { services, connection, parsed: () => parsed, worked: () => worked };
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${exampleToken}\r\n\r\n`;
const bodyOfA = JSON.stringify({ token: exampleToken });
const postA = `POST /api/v1/jwc/fetch_all_terms HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bodyOfA.length}\r\n\r\n${bodyOfA}`;

const statusesIn = (received: string) => received.match(/(?<=HTTP\/1\.1 )\d{3}/g);
/** Statuses, and the body of the last answer. */
const answersIn = (received: string) => ({
  statuses: statusesIn(received),
  last: JSON.parse(/\r\n\r\n([^\r\n]*)$/.exec(received)?.[1] ?? ''),
});

it('more than four unanswered requests of one connection are 429, then it ends: nothing that follows is worked on', async () => {
  const { connection, worked } = await listening();
  connection.send(get('/jwc/term/all').repeat(900));
  const { statuses, last } = answersIn(await connection.untilClosed());
  expect(statuses).toEqual(['200', '200', '200', '200', '429']);
  expect(last).toMatchObject({ success: false, error: { code: 'COOLDOWN', retryable: true } });
  expect(worked()).toBe(4);
});

it('on surface A the refusal has the envelope of that surface', async () => {
  const { connection, worked } = await listening();
  connection.send(postA.repeat(300));
  const { statuses, last } = answersIn(await connection.untilClosed());
  expect(statuses).toHaveLength(5);
  expect(last).toMatchObject({ code: 429 });
  expect(worked()).toBe(4);
});

it('paths that cannot be decoded count as any other', async () => {
  const { connection } = await listening();
  connection.send(get('/%ff').repeat(200));
  const { statuses } = answersIn(await connection.untilClosed());
  expect(statuses).toEqual(['404', '404', '404', '404', '429']);
});

it('while the four are worked on the rest is not even read', async () => {
  const { services, connection, parsed } = await listening();
  const work = Promise.withResolvers<[]>();
  services.academics.terms.does(() => work.promise);
  const one = get('/jwc/term/all');
  const packets = 64;
  const inPacket = Math.ceil(65_536 / one.length);
  for (let packet = 0; packet < packets; packet += 1) connection.send(one.repeat(inPacket));
  await expect.poll(parsed).toBeGreaterThan(4);
  work.resolve([]);
  expect(statusesIn(await connection.until('COOLDOWN'))).toEqual(['200', '200', '200', '200', '429']);
  connection.drop();
  // The packet that was refused, and at most one more for each answer.
  expect(parsed()).toBeLessThanOrEqual(6 * inPacket);
});

it('requests that wait for their answers go on as long as they like, also a few ahead', async () => {
  const { connection, worked } = await listening();
  for (let round = 1; round <= 20; round += 1) {
    connection.send(get('/jwc/term/all').repeat(2));
    const answers = (text: string) => text.split('HTTP/1.1 200').length - 1;
    while (answers(await connection.more()) < 2 * round);
    expect(worked()).toBe(2 * round);
  }
});
