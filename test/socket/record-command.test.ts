import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoCampus, wantChallenge } from '../../src/demo/demo-campus.ts';
import type { DemoCampus, DemoChallenge } from '../../src/demo/types.ts';
import { campusCommand } from '../support/campus-command.ts';
import { person } from '../support/person-at-terminal.ts';
import { cleanEnvironment } from '../support/service-process.ts';
import { wiringEnv } from '../support/wiring-env.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-command-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lakeside = { CAMPUS: 'demo-lakeside' };
const owner = { 'Student id': 'L2026001', Password: 'lakeside-password' };

const record = (to: string, answers: Parameters<typeof person>[0] = owner, agrees = true) =>
  campusCommand(['record', to], lakeside, person(answers, agrees).world);

describe('campus record', () => {
  it('asks for passwords unseen, and writes a folder in which nothing of the person and no time stands', async () => {
    const to = join(folder, 'lakeside');
    const { asked, world } = person(owner);
    const { code, out, err } = await campusCommand(['record', to], lakeside, world);
    expect([code, out]).toEqual([0, expect.stringContaining('Look at them before you send them.')]);
    expect(asked.find(({ question }) => question.startsWith('Password'))?.look).toBe('hidden');
    expect(err).toContain('academics.terms');
    const texts = readdirSync(to).map((name) => readFileSync(join(to, name), 'utf8'));
    for (const secret of ['L2026001', 'lakeside-password', '湖小舟'])
      expect([secret, [...texts, out, err].some((text) => text.includes(secret))]).toEqual([secret, false]);
    expect(new Set(readdirSync(to).map((name) => statSync(join(to, name)).mtimeMs))).toEqual(
      new Set([Date.UTC(2000, 0, 1)]),
    );
    expect(JSON.parse(readFileSync(join(to, 'recording.json'), 'utf8'))).toMatchObject({ format: 1, origin: 'demo' });
    expect(readdirSync(folder)).toEqual(['lakeside']);
  });

  it('writes nothing where the person does not agree, leaves, or is not there', async () => {
    const to = join(folder, 'lakeside');
    expect((await record(to, owner, false)).code).toBe(1);
    expect((await record(to, { ...owner, Password: null })).code).toBe(1);
    expect((await record(to, { ...owner, 'Leave out': null })).code).toBe(1);
    expect((await record(to, { ...owner, 'Anything else': null })).code).toBe(1);
    expect((await campusCommand(['record', to], lakeside)).err).toContain('needs a person at a terminal');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a folder that is there, and more than one folder', async () => {
    expect(await campusCommand(['record', folder], lakeside)).toMatchObject({
      code: 1,
      err: `${folder} is there already\n`,
    });
    const twice = await campusCommand(['record', join(folder, 'a'), '--check', folder], lakeside);
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('one folder')]);
  });

  it('leaves nothing where it is killed while the person looks', async () => {
    const program = join(import.meta.dirname, '../support/record-and-hang.ts');
    const env = cleanEnvironment({ TMPDIR: folder });
    const child = spawn(process.execPath, [program, join(folder, 'lakeside')], { cwd: folder, env });
    const ended = once(child, 'exit');
    const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
    child.kill('SIGKILL');
    await ended;
    expect(String(said)).toBe('looking\n');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes what an earlier one has left that was cut off while it wrote', async () => {
    const to = join(folder, 'lakeside');
    expect((await record(to)).code).toBe(0);
    const partial = join(folder, '.second.partial');
    writeFileSync(partial, 'left');
    expect((await record(join(folder, 'second'))).code).toBe(0);
    expect(existsSync(partial)).toBe(false);
  });
});

/** What a page may have made of a text, and what somebody may hide it in. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'percent, UTF-8': encodeURIComponent,
  'percent, GBK': () => '%BA%FE%D0%A1%D6%DB',
  'escaped for scripts': (text) => Array.from(text, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`).join(''),
  'escaped by percent-u': (text) => Array.from(text, (sign) => `%u${sign.charCodeAt(0).toString(16)}`).join(''),
  'as entities': (text) => Array.from(text, (sign) => `&#${sign.charCodeAt(0)};`).join(''),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64, one byte later': (text) => Buffer.from(`a${text}`).toString('base64'),
  'in Base64, two bytes later': (text) => Buffer.from(`ab${text}`).toString('base64'),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'as MD5': (text) => hash('md5', text),
  'as SHA-1': (text) => hash('sha1', text),
  'as SHA-256': (text) => hash('sha256', text),
  'escaped twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  reversed: (text) => [...text].toReversed().join(''),
};

describe('campus record --check', () => {
  it('names a page in which a text of somebody stands, however it is written, and a file that is no step', async () => {
    const to = join(folder, 'lakeside');
    await record(to);
    const check = () => campusCommand(['record', '--check', to], lakeside, person({}).world);
    const name = readdirSync(to).find((each) => each.endsWith('academics.studentFile.json')) ?? '';
    const text = readFileSync(join(to, name), 'utf8');
    const said = `${name} holds what this version would not write`;
    expect(await check()).toMatchObject({ code: 0, err: '' });
    for (const [how, write] of Object.entries(writings)) {
      writeFileSync(join(to, name), text.replace(/\}$/, `,"x9":${JSON.stringify(write('湖小舟'))}}`));
      const { code, err } = await check();
      expect([how, code, err.includes(said)]).toEqual([how, 1, true]);
    }
    writeFileSync(join(to, name), text);
    writeFileSync(join(to, 'note.txt'), '湖小舟');
    expect((await check()).err).toContain('note.txt belongs to no step');
  });
});

describe('campus record --compare', () => {
  it('records anew, writes nothing, and names what differs', async () => {
    const to = join(folder, 'lakeside');
    await record(to);
    const compare = () => campusCommand(['record', '--compare', to], lakeside, person(owner).world);
    const same = { code: 0, out: expect.stringContaining('all the same') };
    expect(await compare()).toMatchObject(same);
    const manifest = readFileSync(join(to, 'recording.json'), 'utf8');
    writeFileSync(join(to, 'recording.json'), manifest.replace(/"version":"[^"]*"/, '"version":"0.9.0"'));
    expect(await compare()).toMatchObject(same);
    writeFileSync(join(to, 'recording.json'), '{}');
    expect(await compare()).toMatchObject({ code: 1, out: 'differs  recording.json\n' });
  });
});

describe('signing in for a recording', () => {
  const student = { 'Student id': '2023000001', 'Password of the portal': 'demo-vpn', Password: 'demo-password' };
  const isPost = ({ system, method }: { readonly system: string; readonly method: string }): boolean =>
    method === 'POST' && ['vpn', 'cas'].includes(system);

  const atDemo = async (
    challenge: DemoChallenge,
    answersOf: (demo: DemoCampus, images: readonly string[]) => Parameters<typeof person>[0],
  ) => {
    const images: string[] = [];
    const onMessage = ({ text }: { readonly text: string }) => void images.push(text);
    const demo = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM, onMessage });
    wantChallenge(demo, challenge);
    try {
      const { asked, world } = person({ 'Anything else': null, ...answersOf(demo, images) });
      const ended = await campusCommand(['record', join(folder, 'demo')], { ...wiringEnv(demo.wiring) }, world);
      return { ...ended, asked, posts: demo.requests().filter(isPost), requests: demo.requests() };
    } finally {
      await demo.close();
    }
  };

  it('sends a password once, and none after a refusal', async () => {
    const wrong = await atDemo('off', () => ({ ...student, 'Password of the portal': 'wrong' }));
    expect([wrong.code, wrong.posts.length]).toEqual([1, 1]);
    expect(wrong.err).toContain('the portal refuses this id or password; it was sent once and is not sent again');
    const second = await atDemo('off', () => ({ ...student, Password: 'wrong' }));
    // One at each place, and nothing is read.
    expect(second.posts.map(({ system }) => system)).toEqual(['vpn', 'cas']);
    expect(second.err).toContain('the login refuses');
    expect(second.requests.filter(({ system }) => system === 'jwc')).toEqual([]);
  });

  it('shows an image in a file of the person alone, which is gone with the answer', async () => {
    let shown = '';
    const { err, posts } = await atDemo('captcha', (_, images) => ({
      ...student,
      'The characters of the image': () => {
        shown = lastImage() ?? '';
        expect(statSync(shown).mode & 0o777).toBe(0o600);
        return images.at(-1) ?? '';
      },
    }));
    expect(err).toContain('academics.terms');
    expect(existsSync(shown)).toBe(false);
    expect(posts.filter(({ system }) => system === 'vpn')).toHaveLength(1);
  });

  it('sends a code that the person types', async () => {
    const { err, asked } = await atDemo('totp', (demo) => ({
      ...student,
      'The code of the app': () => demo.totp('2023000001'),
    }));
    expect(err).toContain('academics.terms');
    expect(asked.filter(({ question }) => question.startsWith('The code'))).toHaveLength(1);
  });

  const lastImage = (): string | undefined =>
    readdirSync(tmpdir())
      .filter((name) => name.startsWith('campus-record-'))
      .map((name) => join(tmpdir(), name))
      .flatMap((place) => readdirSync(place).map((file) => join(place, file)))
      .at(-1);
});
