import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { DORMITORIES } from '../../src/demo/records/dormitories.ts';
import type { DemoCampus } from '../../src/demo/types.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { Browser } from './demo-browser.ts';

let clock: ManualClock;
let campus: DemoCampus;
let browser: Browser;

beforeEach(async () => {
  clock = new ManualClock();
  campus = await startDemoCampus({ clock });
  browser = await new Browser(campus.wiring).signIn();
  await browser.ask(at('/go?openid=2023000001&sn=sn'));
});
afterEach(() => campus.close());

const at = (path: string) => `${campus.wiring.isimUrl}${path}`;
const read = async (path: string) => (await browser.ask(at(path))).text;
const bind = async (roomdm: string, more: Record<string, string> = {}) =>
  (await browser.ask(at('/about/rebinding'), { form: { sn: 'sn', openid: '1', roomdm, room: '', mode: 'u', ...more } }))
    .text;

describe('the room pickers', () => {
  it('offer eight buildings out of order, one whose code begins another one', () => {
    const codes = DORMITORIES.map(({ code }) => code);
    expect(codes).toHaveLength(8);
    expect(codes).not.toEqual(codes.toSorted());
    expect(codes.some((code) => codes.some((other) => other !== code && other.startsWith(code)))).toBe(true);
    expect(DORMITORIES.some(({ floors }) => floors.length === 0)).toBe(true);
    expect(DORMITORIES.flatMap(({ floors }) => floors).some(({ rooms }) => rooms.length === 0)).toBe(true);
  });

  it('begin with a placeholder and keep their keys bare, or are strict JSON by switch', async () => {
    expect(await read('/about')).toContain('values: ["", "11", "01"');
    expect(await read('/about/floors/1')).toBe('[{floordm:["","110","101"],floorname:["请选择","十层:北","一层"]}]');
    expect(await read('/about/rooms/101')).toBe('[{roomdm:["","10101"],roomname:["请选择","101"]}]');
    campus.switches.electricityLiterals = 'json';
    expect(JSON.parse(await read('/about/rooms/101'))).toEqual([
      { roomdm: ['', '10101'], roomname: ['请选择', '101'] },
    ]);
  });

  it('offer the placeholder alone where there is nothing, and nothing at all for an unknown code', async () => {
    expect(await read('/about/floors/20')).toBe('[{floordm:[""],floorname:["请选择"]}]');
    expect(await read('/about/rooms/1206')).toBe('[{roomdm:[""],roomname:["请选择"]}]');
    expect(await read('/about/floors/99')).toBe('[]');
    expect(await read('/about/rooms/9999')).toBe('[]');
  });
});

describe('the record pages', () => {
  it('show neither balance nor rows before a room is bound', async () => {
    for (const path of ['/use/record', '/pay/record']) {
      const page = await read(path);
      expect(page).toContain('id="divRecord"');
      expect(page).not.toMatch(/item-content|item-title/);
    }
  });

  it('show the room that this session was bound to last', async () => {
    expect(await bind('010101', { room: '松园1号学生公寓/1-1层/1-101' })).toBe(
      '[{bindinginfo:"松园1号学生公寓/1-1层/1-101"}]',
    );
    const other = await new Browser(campus.wiring).signIn('2023000002', 'demo-password-2', 'demo-vpn-2');
    await other.ask(at('/go?openid=2023000002&sn=sn'));
    expect((await other.ask(at('/use/record'))).text).not.toContain('剩余购电');
    expect(await read('/use/record')).toContain('1,234.56度');
    expect(await read('/pay/record')).toContain('-1,250.50元');
    await bind('010102');
    expect(await read('/use/record')).toContain('-3.20度');
  });

  it('hold a month of readings, two meters at the same times where a room has two', async () => {
    await bind('010101');
    const rows = [...(await read('/use/record')).matchAll(/item-title">(2026-[\d: -]+)<[\s\S]*?电表: ([^<]+)</g)];
    expect(rows).toHaveLength(62);
    expect(new Set(rows.map(([, time]) => time)).size).toBe(31);
    expect(new Set(rows.map(([, , meter]) => meter))).toEqual(new Set(['1-101', '1-101空调']));
  });

  it('stay where they were when the room is unknown or the form is not whole', async () => {
    await bind('010102');
    expect(await bind('999999')).toBe('[{bindinginfo:""}]');
    for (const name of ['sn', 'openid', 'mode']) {
      expect(await bind('010101', { [name]: '' })).toBe('[{bindinginfo:""}]');
    }
    expect(await read('/use/record')).toContain('-3.20度');
  });
});

it('a dead session is sent to the error page, or shown it with status 200 by switch', async () => {
  campus.student('2023000001').expireService('isim');
  expect((await browser.ask(at('/use/record'))).location).toBe(at('/error'));
  campus.switches.electricityExpiry = 'page';
  const answer = await browser.ask(at('/use/record'));
  expect([answer.status, answer.text.includes('会话已过期')]).toEqual([200, true]);
});
