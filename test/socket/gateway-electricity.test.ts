import { describe, expect, it, onTestFinished } from 'vitest';
import { FIXED_MOMENT } from '../../src/demo/records/calendar.ts';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import { recordsOf } from '../../src/demo/records/meters.ts';
import { first, second } from '../support/campus-rig.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway-rig.ts';

let gateway: Gateway;
const open = async (options: GatewayOptions = {}): Promise<void> => {
  gateway = await startGateway(options);
  onTestFinished(() => gateway.close());
};

const meter = (token: string) => gateway.b('GET', '/isim/elec/info', { token });
const bind = async (token: string, room_id: string): Promise<void> => {
  const answer = await gateway.b('POST', '/isim/room/bind', { token, body: { room_id } });
  expect(answer.status, answer.text).toBe(200);
};
const reading = async (token: string) => {
  const answer = await meter(token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
/** Numbers from 0 to below `limit`, the same ones in every run. */
const seeded = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

describe('students in different rooms', () => {
  // Every room has its own balance, so a reading says whose it is.
  const codes = DORMITORIES.flatMap(({ floors }) => floors.flatMap(({ rooms }) => rooms.map(({ code }) => code)));
  const purchased = (code: string): number =>
    Number.parseFloat(recordsOf(code, FIXED_MOMENT)?.purchased.replaceAll(',', '') ?? 'none');

  it('never see each other’s meter in 120 calls at once and in turn, with rebindings and dying sessions between', async () => {
    await open();
    const students = await Promise.all(
      [first, second].map(async ({ userid, ...passwords }, i) => {
        const student = { userid, ...passwords };
        const token = await gateway.register(student);
        return { userid, token, rooms: codes.filter((_, at) => at % 2 === i).slice(0, 20), room: '' };
      }),
    );
    const random = seeded(20_260_318);
    for (const student of students) {
      student.room = student.rooms[0] ?? '';
      await bind(student.token, student.room);
    }
    let readings = 0;
    for (let round = 0; readings < 120; round += 1) {
      for (const student of students) {
        const chance = random(10);
        if (chance < 3) {
          student.room = student.rooms[random(student.rooms.length)] ?? '';
          await bind(student.token, student.room);
        }
        if (chance === 4) gateway.demo.student(student.userid).expireService('isim');
        if (chance === 5) gateway.demo.student(student.userid).expirePortal();
        gateway.demo.switches.electricityExpiry = random(2) ? 'page' : 'redirect';
      }
      const calls = Array.from({ length: 1 + random(10) }, () => students[random(2)]).filter(
        (one) => one !== undefined,
      );
      const answers = await Promise.all(calls.map(async ({ token, room }) => ({ room, data: await reading(token) })));
      for (const { room, data } of answers) {
        expect([data.room_code, data.balance.remaining_purchased], `round ${round}`).toEqual([room, purchased(room)]);
      }
      readings += answers.length;
    }
  });

  it('and one student whose room changes under way reads one room or the other, whole', async () => {
    await open();
    const token = await gateway.register();
    const [one = '', two = ''] = codes.slice(4, 6);
    await bind(token, one);
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(
        [one, two].flatMap((room) => [bind(token, room).then(() => null), reading(token), reading(token)]),
      );
      for (const data of answers) {
        if (data === null) continue;
        expect([one, two]).toContain(data.room_code);
        expect(data.balance.remaining_purchased).toBe(purchased(data.room_code));
      }
    }
  });
});
