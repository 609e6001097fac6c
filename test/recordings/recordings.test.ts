import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishScrub } from '../../src/campus/recordings/make.ts';
import { prepareScrub } from '../../src/campus/recordings/work.ts';
import { differences, readRecording, replay, replayOf } from '../../src/composition/recordings.ts';
import { malform, truncate } from '../../src/demo/fault-distortions.ts';
import { isRecord } from '../../src/lib/text.ts';
import { campusCommand } from '../support/campus-command.ts';
import { lookAtImage, person } from '../support/person-at-terminal.ts';
import { demoStudents } from '../support/recorded-demos.ts';

/** Whoever adds a folder here adds a test: nothing below names a campus. */
const here = import.meta.dirname;

const filesIn = (folder: string): Map<string, Uint8Array> =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));

/** A demo campus is recorded, whether its folder is there yet or not. */
const recordings = [
  ...new Set([
    ...Object.keys(demoStudents),
    ...readdirSync(here, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  ]),
];

const recordingOf = (name: string) => {
  const recorded = readRecording(filesIn(join(here, name)));
  if (typeof recorded === 'string') throw new Error(`${name}: ${recorded}`);
  return recorded;
};

type Reply = Parameters<typeof malform>[0];

const distortions = {
  malformed: malform,
  truncated: truncate,
  empty: (reply: Reply) => ({ ...reply, body: '' }),
  'another page': (reply: Reply) => ({ ...reply, body: '<html><title>维护</title><body>系统维护中</body></html>' }),
};

/** Nothing stands in `now` that does not stand in `was`; a part that failed says so, and nothing else. */
const isHonest = (was: unknown, now: unknown): boolean => {
  if (JSON.stringify(now) === JSON.stringify(was)) return true;
  if (!isRecord(was) || !isRecord(now)) return false;
  if (Object.keys(now).join() === 'failure') return true;
  return [...Object.keys(was), ...Object.keys(now)].every((part) => isHonest(was[part], now[part]));
};

const isWriting = process.env.GOLDEN === 'write';

/** Before the tests of what is kept: `npm run recordings` writes those that differ, and those that are missing. */
describe.each(Object.entries(demoStudents))('the command at %s', (campus, [student]) => {
  it('makes the recording that is kept here', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
    const fresh = join(folder, campus);
    const answers = {
      'Student id': student.userid,
      'Password of the portal': student.vpnPassword,
      Password: student.password,
      'The characters of the image': lookAtImage,
    };
    const room = student.room === null ? [] : ['--room', student.room];
    try {
      const env = { CAMPUS: campus, OFFERINGS_EVERY_SECONDS: '0' };
      const { code, err } = await campusCommand(['record', ...room, fresh], env, person(answers).world);
      expect([code, code === 0 ? '' : err]).toEqual([0, '']);
      const kept = join(here, campus);
      const isAsKept = existsSync(kept) && differences(filesIn(fresh), filesIn(kept)).length === 0;
      if (isWriting && !isAsKept) {
        rmSync(kept, { recursive: true, force: true });
        cpSync(fresh, kept, { recursive: true });
      }
      expect(differences(filesIn(fresh), filesIn(kept))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('every folder here is a recording', () => {
  expect(recordings.filter((name) => recordingOf(name).exchanges.length === 0)).toEqual([]);
});

describe.each(recordings)('the recording %s', (name) => {
  it('is read as it was, with each of its requests asked once', async () => {
    const recorded = recordingOf(name);
    const { exchanges, readings } = recorded;
    const again = await replay(recorded, exchanges, readings, recorded);
    expect(again.readings).toEqual(readings);
    expect(again.left).toEqual([]);
  });

  it('never becomes another record where one of its bodies is damaged', async () => {
    const recorded = recordingOf(name);
    const { exchanges, readings } = recorded;
    const replay = replayOf(recorded);
    const lies: string[] = [];
    for (const [at, exchange] of exchanges.entries()) {
      const reading = readings.find(({ page }) => page === exchange.page);
      if (reading === undefined || reading.failure !== null || exchange.text === '') continue;
      for (const [kind, distort] of Object.entries(distortions)) {
        const { status, text, contentType } = exchange;
        const { body } = distort({ status, headers: { 'Content-Type': contentType }, body: text });
        const [now] = await replay(exchanges.with(at, { ...exchange, text: body.toString() }), [reading], recorded);
        if (now?.failure === null && !isHonest(reading.record, now.record)) lies.push(`${exchange.page} ${kind}`);
      }
    }
    expect(lies).toEqual([]);
  });

  it('stays as it is when it is scrubbed again, so that its check passes', async () => {
    const recorded = recordingOf(name);
    // Once: the command goes on until a round changes nothing, and here the first must.
    const again = await finishScrub(await prepareScrub(recorded, replayOf(recorded)), replayOf(recorded));
    expect('refused' in again ? again.refused : differences(filesIn(join(here, name)), again.files)).toEqual([]);
  });

  it('fits in a pull request, and all its reads gave records', () => {
    const files = filesIn(join(here, name));
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThanOrEqual(400_000);
    expect(recordingOf(name).readings.filter(({ failure }) => failure !== null)).toEqual([]);
  });
});
