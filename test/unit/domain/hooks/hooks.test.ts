import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { HookRefused, verifyHook } from '../../../../clients/typescript/src/hooks.ts';
import type { JournalEntry } from '../../../../src/domain/events/ports.ts';
import { eventTypeNames } from '../../../../src/domain/events/records.ts';
import {
  formatNames,
  hookFormats,
  isAccepted,
  newHookSecret,
  signingHeaders,
} from '../../../../src/domain/hooks/formats.ts';
import { eventBody, eventLine, isWantedEvent } from '../../../../src/domain/hooks/message.ts';
import { askedPause, pauseAfter } from '../../../../src/domain/hooks/schedule.ts';
import { Targets } from '../../../../src/domain/hooks/targets.ts';
import { ownHostsOf } from '../../../../src/webhooks/sender.ts';

const HOUR = 3_600_000;
const ZONE = 'Asia/Shanghai';
const PUBLIC = '93.184.215.14';
const PUBLIC6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const CAMPUS = '202.112.0.5';

const targets = new Targets({
  allow: [
    { network: '10.20.0.0/28', port: 8443 },
    { network: '10.30.0.7', port: 443 },
    { network: 'fd00:20::/64', port: 8443 },
  ],
  deny: ['93.184.216.0/24', '10.20.0.9', 'example.net'],
  own: ownHostsOf([
    'https://vpn.campus.example:443/',
    'campus-vpn.example',
    'https://gateway.example/api',
    '202.112.0.9',
  ]),
});
const known = { own: [CAMPUS, '2001:da8:1::5'], here: ['93.184.215.77', '10.20.0.3', '10.40.0.1'] };

/** The outcome of a delivery: the address that is called, or why none is. */
const outcome = (of: Targets, url: string, resolved: readonly string[]): string => {
  const target = of.check(url, 'standard');
  if (typeof target === 'string') return target;
  const addresses = isIP(target.host) === 0 ? resolved : [target.host];
  return of.usable(target, addresses, known)[0] ?? 'private';
};

const at = (address: string): string => (address.includes(':') ? `https://[${address}]/h` : `https://${address}/h`);
/** Refused as a literal, and as what a name resolves to. */
const special = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.8.8.8'],
  ...['168.63.129.16', '169.254.169.254', '169.254.0.1', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1'],
  ...['192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.7', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::808:808', '64:ff9b:1::1', '100::1'],
  ...['2001::1', '2001:0:808:808::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:808:808::1'],
  ...['3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '4000::1'],
];
const rows: ReadonlyArray<readonly [why: string, url: string, resolved: readonly string[], outcome: string]> = [
  ['a public name', 'https://hooks.example.org/h?key=1', [PUBLIC], PUBLIC],
  ['a public name with its full dot', 'https://hooks.example.org./h', [PUBLIC], PUBLIC],
  ['a public name with more dots', 'https://hooks.example.org../h', [PUBLIC], PUBLIC],
  ['an empty label', 'https://hooks..example.org/h', [PUBLIC], 'malformed'],
  ['nothing but dots', 'https://.../h', [PUBLIC], 'malformed'],
  ['a host without a name', 'https:///x', [PUBLIC], 'malformed'],
  ['a host behind one slash', 'https:/hooks.example.org/h', [PUBLIC], 'malformed'],
  ['a denied domain with two dots', 'https://a.example.net../h', [PUBLIC], 'denied'],
  ['a host of the campus with two dots', 'https://vpn.campus.example../h', [PUBLIC], 'own'],
  ['a public IPv6 address', at(PUBLIC6), [], PUBLIC6],
  ['a public address among others', 'https://hooks.example.org/h', ['10.0.0.1', '::1', PUBLIC], PUBLIC],
  ['the edge before a private network', at('172.15.255.255'), [], '172.15.255.255'],
  ['the edge behind a private network', at('172.32.0.0'), [], '172.32.0.0'],
  ['http', 'http://hooks.example.org/h', [PUBLIC], 'not-https'],
  ['another scheme', 'file:///etc/passwd', [], 'not-https'],
  ['no address', 'hooks.example.org', [], 'malformed'],
  ['an address that is too long', `https://hooks.example.org/${'a'.repeat(1_000)}`, [PUBLIC], 'malformed'],
  ['a fragment', 'https://hooks.example.org/h#x', [PUBLIC], 'malformed'],
  ['a user', 'https://user@hooks.example.org/h', [PUBLIC], 'user-information'],
  ['a password', 'https://:secret@hooks.example.org/h', [PUBLIC], 'user-information'],
  ['a host hidden behind user information', 'https://hooks.example.org@127.0.0.1/h', [], 'user-information'],
  ['another port', 'https://hooks.example.org:8080/h', [PUBLIC], 'port'],
  ['a port that is allowed elsewhere', 'https://hooks.example.org:8443/h', [PUBLIC], 'private'],
  ['port 443 written out', 'https://hooks.example.org:443/h', [PUBLIC], PUBLIC],
  ['a decimal address', 'https://2130706433/h', [], 'private'],
  ['a hexadecimal address', 'https://0x7f.0x0.0x0.0x1/h', [], 'private'],
  ['an octal address', 'https://0177.0.0.1/h', [], 'private'],
  ['a short address', 'https://127.1/h', [], 'private'],
  ['full-width digits', 'https://１２７.０.０.１/h', [], 'private'],
  ['no address at all', 'https://nowhere.example.org/h', [], 'private'],
  ['an address with a zone', 'https://hooks.example.org/h', ['fe80::1%eth0'], 'private'],
  ['what is no address', 'https://hooks.example.org/h', ['localhost'], 'private'],
  ['an allowed network', 'https://ntfy.internal.example.org:8443/h', ['10.20.0.2'], '10.20.0.2'],
  ['an allowed IPv6 network', 'https://ntfy.internal.example.org:8443/h', ['fd00:20::9'], 'fd00:20::9'],
  ['an allowed network at another port', 'https://ntfy.internal.example.org/h', ['10.20.0.2'], 'private'],
  ['an allowed address', 'https://10.30.0.7/h', [], '10.30.0.7'],
  ['the neighbour of an allowed address', 'https://10.30.0.8/h', [], 'private'],
  ['an allowed address of this machine', 'https://10.20.0.3:8443/h', [], '10.20.0.3'],
  ['a public address of this machine', 'https://hooks.example.org/h', ['93.184.215.77'], 'private'],
  ['an allowed address that is denied', 'https://10.20.0.9:8443/h', [], 'denied'],
  ['a denied network by name', 'https://hooks.example.org/h', ['93.184.216.9'], 'private'],
  ['a denied domain', 'https://example.net/h', [PUBLIC], 'denied'],
  ['below a denied domain', 'https://a.b.example.net/h', [PUBLIC], 'denied'],
  ['beside a denied domain', 'https://anexample.net/h', [PUBLIC], PUBLIC],
  ['a host of the campus', 'https://vpn.campus.example/h', [PUBLIC], 'own'],
  ['a host of the campus in capitals', 'https://VPN.Campus.Example./h', [PUBLIC], 'own'],
  ['below the domain of the portal', 'https://jwc-8080.campus-vpn.example/h', [PUBLIC], 'own'],
  ['this service', 'https://gateway.example/calendar', [PUBLIC], 'own'],
  ['an address of the campus', 'https://202.112.0.9/h', [], 'own'],
  ['a name that resolves to the campus', 'https://hooks.example.org/h', [CAMPUS], 'private'],
  [
    'a name that resolves to the campus, in other words',
    'https://hooks.example.org/h',
    ['2001:0da8:1:0::5'],
    'private',
  ],
  ...special.map((address) => [`the literal ${address}`, at(address), [], 'private'] as const),
  ...special.map((address) => [`a name for ${address}`, 'https://hooks.example.org/h', [address], 'private'] as const),
];

describe('targets', () => {
  it.each(rows)('%s: %s', (_why, url, resolved, expected) => {
    expect(outcome(targets, url, resolved)).toBe(expected);
  });

  it('each format goes to its own hosts and nowhere else', () => {
    const hosts = {
      ntfy: 'https://ntfy.sh/topic',
      bark: 'https://api.day.app/key',
      serverchan: 'https://9.push.ft07.com/send/key.send',
      dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=key',
    };
    for (const [format, url] of Object.entries(hosts)) {
      for (const name of formatNames) {
        const found = targets.check(url, name);
        expect([format, name, typeof found]).toEqual([
          format,
          name,
          name === format || name === 'standard' ? 'object' : 'string',
        ]);
      }
    }
    expect(targets.check('https://push.ft07.com.example.org/send', 'serverchan')).toBe('format-host');
  });
});

const entry: JournalEntry = {
  ...{ userid: '2023000001', seq: 7, id: 'evt_ZXhhbXBsZS1ldmVudC1pZC1', type: 'score.published' },
  ...{ readAt: Date.UTC(2026, 2, 18, 2), occurredAt: Date.UTC(2026, 2, 18, 2, 0, 1), ask: '/jwc/score/x/list' },
  about: { term_code: '2025-2026-2-1', course_code: 'EX1001', course_name: '高等\n数学' },
  detail: { score: '95.5' },
};

describe('messages', () => {
  it('a thin event, and every line, tell names and never a mark', () => {
    for (const type of eventTypeNames) {
      const event = { ...entry, type };
      expect(eventBody(event, 'thin', ZONE)).not.toContain('95.5');
      for (const detail of ['thin', 'full'] as const) {
        const line = eventLine(eventBody(event, detail, ZONE));
        expect(line).toContain('高等 数学');
        expect(line).not.toContain('95.5');
      }
    }
    expect(JSON.parse(eventBody(entry, 'full', ZONE))).toEqual({
      type: 'score.published',
      timestamp: '2026-03-18T02:00:01.000Z',
      data: {
        ...{ id: entry.id, seq: 7, type: 'score.published', title: '成绩公布', ask: '/jwc/score/x/list' },
        ...{ read_at: '2026-03-18 10:00:00', occurred_at: '2026-03-18 10:00:01' },
        ...{ about: entry.about, detail: { score: '95.5' } },
      },
    });
  });

  it('a notification is one line of bounded length in every format, for any name of a course', () => {
    const event = { ...entry, about: { course_name: `<b>\r\n${'长'.repeat(5_000)}"` } };
    const line = eventLine(eventBody(event, 'full', ZONE));
    expect([[...line].length, /[\r\n]/.test(line)]).toEqual([200, false]);
    for (const format of formatNames) {
      const body = hookFormats[format].body({ event: eventBody(entry, 'thin', ZONE), line });
      if (format !== 'ntfy') expect(() => JSON.parse(body)).not.toThrow();
      expect(body.length).toBeLessThan(1_000);
    }
    const { title } = JSON.parse(hookFormats.serverchan.body({ event: '', line }));
    expect([...title]).toHaveLength(32);
    const bodies = formatNames.map((format) => hookFormats[format].body({ event: '{}', line: '成绩公布 · 甲' }));
    expect(bodies).toEqual([
      '{}',
      '成绩公布 · 甲',
      '{"title":"校园通知","body":"成绩公布 · 甲"}',
      '{"title":"成绩公布 · 甲","desp":"成绩公布 · 甲"}',
      // A robot takes only what holds its keyword.
      '{"msgtype":"text","text":{"content":"校园通知：成绩公布 · 甲"}}',
    ]);
  });

  it('a service that answers 200 and refuses in words has not accepted', () => {
    const replies = { bark: '{"code":200}', serverchan: '{"code":0}', dingtalk: '{"errcode":0}' } as const;
    const formats = ['bark', 'serverchan', 'dingtalk'] as const;
    for (const format of formats) {
      expect(isAccepted(format, replies[format])).toBe(true);
      for (const reply of ['', '<html>', '[]', 'null', '{"code":400}', '{"errcode":310000}']) {
        expect([format, reply, isAccepted(format, reply)]).toEqual([format, reply, false]);
      }
    }
    expect(isAccepted('standard', '<html>')).toBe(true);
  });

  it('a hook is told only of its types, its threshold and its tests', () => {
    const hook = {
      id: 'h1',
      types: ['score.published', 'electricity.low'] as const,
      lowKwh: 10,
      refresh: 'none' as const,
    };
    const hears = (type: JournalEntry['type'], about: JournalEntry['about'] = {}) =>
      isWantedEvent(hook, { type, about });
    expect([hears('score.published'), hears('exam.moved')]).toEqual([true, false]);
    const low = [10, 20].map((threshold) => hears('electricity.low', { threshold }));
    expect(low).toEqual([true, false]);
    expect([hears('test.ping', { hook_id: 'h1' }), hears('test.ping', { hook_id: 'h2' })]).toEqual([true, false]);
  });
});

describe('signatures', () => {
  const sign = (secret: string, body: string, seconds = Math.floor(Date.now() / 1000)) =>
    signingHeaders(secret, { id: entry.id, timestamp: seconds, body });

  const secret = newHookSecret();
  const body = eventBody(entry, 'full', ZONE);
  const headers = sign(secret, body);
  const altered: ReadonlyArray<readonly [string, Record<string, string>, string]> = [
    [`${body} `, headers, secret],
    [body, { ...headers, 'webhook-id': 'evt_other' }, secret],
    [body, sign(secret, body, 1_700_000_000), secret],
    [body, headers, newHookSecret()],
  ];

  it('the official library verifies them, and nothing that was altered', () => {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    for (const [text, said, as] of altered) expect(() => new Webhook(as).verify(text, said)).toThrow();
  });

  it('the client verifies them too, and refuses what the library refuses', async () => {
    expect(await verifyHook(secret, { body, headers })).toEqual({
      ...{ id: entry.id, type: 'score.published', event: JSON.parse(body).data },
    });
    expect(await verifyHook(secret, { body, headers: new Headers(headers) })).toMatchObject({ id: entry.id });
    const refused: typeof altered = [
      ...altered,
      [body, headers, 'whsec_'],
      [body, {}, secret],
      [body, { ...headers, 'webhook-signature': 'v1,!!! v1 v2,AA==' }, secret],
    ];
    for (const [text, said, as] of refused) {
      await expect(verifyHook(as, { body: text, headers: said })).rejects.toThrow(HookRefused);
    }
  });
});

describe('the schedule', () => {
  const seconds = (random: number, asked: number | null = null): Array<number | null> =>
    Array.from({ length: 10 }, (_, at) => {
      const pause = pauseAfter(at + 1, () => random, asked);
      return pause === null ? null : pause / 1000;
    });

  it('waits as designed, a fifth more or less, and gives up after three days', () => {
    const usual = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(seconds(0.5)).toEqual([...usual, null]);
    expect(seconds(0)).toEqual([...usual.map((one) => one * 0.8), null]);
    expect(seconds(1).at(8)).toBe(86_400 * 1.2);
    expect(usual.reduce((sum, one) => sum + one) / 3_600).toBeCloseTo(75.6, 1);
  });

  it('obeys Retry-After up to six hours, never shortens a pause for it, and reads nothing into nonsense', () => {
    const now = Date.UTC(2026, 2, 18);
    expect(seconds(0.5, 60_000).slice(0, 2)).toEqual([60, 300]);
    expect(seconds(0.5, 999 * HOUR)[0]).toBe(6 * 3_600);
    expect(askedPause('120', now)).toBe(120_000);
    expect(askedPause(new Date(now + HOUR).toUTCString(), now)).toBe(HOUR);
    expect(askedPause(new Date(now - HOUR).toUTCString(), now)).toBe(0);
    for (const said of [null, '', 'soon', '-5', '1e9', 'GMT', `${'9'.repeat(50)}`]) {
      expect([said, askedPause(said, now)]).toEqual([said, null]);
    }
  });
});
