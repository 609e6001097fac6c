import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Recorded, RecordingFiles } from '../../composition/recordings.ts';
import { passwordHosts } from '../../config/campus.ts';
import { CommandRefused, command, UsageError } from '../command.ts';
import { askUntilAnswered, NOBODY, signIn } from '../signing-in.ts';
import type { World } from '../world.ts';

/** The client for campuses and the drivers are loaded by the few commands that need them. */
const tools = () => import('../../composition/recordings.ts');

/** Of every file: the hour of a recording is nobody's business. */
const ONE_TIME = new Date('2000-01-01T00:00:00Z');

const readFolder = async (folder: string): Promise<RecordingFiles> => {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
};

/** The folder is there with everything in it, or not at all. */
const writeFolder = async (folder: string, files: RecordingFiles): Promise<void> => {
  const target = resolve(folder);
  const partial = join(dirname(target), `.${basename(target)}.partial`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  for (const [name, bytes] of files) {
    await writeFile(join(partial, name), bytes);
    await utimes(join(partial, name), ONE_TIME, ONE_TIME);
  }
  await utimes(partial, ONE_TIME, ONE_TIME);
  await rename(partial, target);
};

/** What a terminal may show of a page. */
const terminalText = (text: string): string => text.replace(/\p{C}+/gu, ' ').toWellFormed();

const refuseAt = ({ page, member }: { readonly page: string; readonly member: string }): CommandRefused =>
  new CommandRefused(`something of the person is left on ${page}, at ${member}: nothing was written, please report it`);

/** Everything typed here is searched for, and forgotten with the process. Null: nobody is there. */
const askSecrets = async (world: World): Promise<string[] | null> => {
  const secrets: string[] = [];
  for (;;) {
    const text = await world.ask(
      'Anything else of you that must not be in it, as a phone (empty: nothing): ',
      'hidden',
    );
    if (text === null) return null;
    if (text.trim() === '') return secrets;
    secrets.push(text.trim());
  }
};

const check = async (folder: string, world: World): Promise<void> => {
  const { readRecording, scrubRecorded: scrubbed, differences } = await tools();
  const files = await readFolder(folder);
  const recorded = readRecording(files);
  if (typeof recorded === 'string') throw new CommandRefused(recorded);
  const again = await scrubbed({ ...recorded, secrets: (await askSecrets(world)) ?? [] });
  if ('refused' in again) throw refuseAt(again.refused);
  const odd = differences(files, again.files);
  if (odd.length > 0) throw new CommandRefused(...odd.map((name) => `${name} holds what this version would not write`));
  world.out(`${files.size} files, of which a recording of this version holds nothing else`);
  for (const word of again.keptWords) world.out(`kept word  ${terminalText(word)}`);
};

/** Asks once; the session at the campus stays until the campus ends it, as no driver knows a sign-out of it alone. */
const recordCampus = async (room: string | null, world: World): Promise<Recorded> => {
  const { openRecorder } = await tools();
  const { openCampus, campusClockOf: clockOf } = await import('../../composition/campus.ts');
  const config = world.config('look');
  for (const host of passwordHosts(config.campus.identity)) world.err(`The passwords go to ${host}.`);
  // Nothing is opened where nobody is there to answer.
  const userid = (await askUntilAnswered(world, 'Student id: ')).trim();
  const clock = config.demoDate === null ? world.clock : clockOf(config);
  const campus = await openCampus(config, { clock });
  const recorder = openRecorder(config, campus.manifest, clock);
  try {
    const vpnPassword =
      campus.manifest.portal === null ? '' : await askUntilAnswered(world, 'Password of the portal (VPN): ', 'hidden');
    const password = await askUntilAnswered(world, 'Password: ', 'hidden');
    const session = await signIn(recorder, world, userid, { password, vpnPassword });
    const tell = ({ page, failure }: { readonly page: string; readonly failure: string | null }): void =>
      world.err(`  ${page.padEnd(28)} ${failure ?? 'read'}`);
    const recorded = await recorder.read(session, { room, told: tell });
    const secrets = await askSecrets(world);
    if (secrets === null) throw new CommandRefused(NOBODY);
    return { ...recorded, secrets: [password, vpnPassword, ...secrets].filter((secret) => secret !== '') };
  } finally {
    await recorder.close();
    await campus.close();
    world.err('The session at the campus ends by itself.');
  }
};

/** A person looks at what stays, and leaves out what would tell too much. */
const reviewRecording = async (recorded: Recorded, world: World): Promise<RecordingFiles> => {
  const { scrubRecorded: scrubbed } = await tools();
  const leftOut = new Set<string>();
  for (;;) {
    const made = await scrubbed(recorded, leftOut);
    if ('refused' in made) throw refuseAt(made.refused);
    if (made.keptWords.length > 0) world.err(`Words that stay: ${made.keptWords.map(terminalText).join(' ')}`);
    world.err('What it shows:');
    const shapes = made.shapes.filter((shape) => !leftOut.has(shape));
    for (const [at, shape] of shapes.entries()) world.err(`  ${String(at + 1).padStart(3)}  ${terminalText(shape)}`);
    const numbers = (await askUntilAnswered(world, 'Leave out, by numbers (empty: nothing more): ')).match(/\d+/g);
    if (numbers === null) return made.files;
    for (const number of numbers) {
      const shape = shapes[Number(number) - 1];
      if (shape !== undefined) leftOut.add(shape);
    }
  }
};

const compare = async (folder: string, made: RecordingFiles, world: World): Promise<void> => {
  const { differences } = await tools();
  const odd = differences(await readFolder(folder), made);
  for (const name of odd) world.out(`differs  ${name}`);
  if (odd.length > 0) throw new CommandRefused(`${odd.length} of ${made.size} files differ`);
  world.out(`${made.size} files, all the same`);
};

export const record = command({
  name: 'record',
  argument: '[FOLDER]',
  does: `Records what the campus answers you, without anything of yours, for a test that needs neither the campus nor an account.
Asks for your id and passwords, signs in once, reads everything that the campus offers once, and changes nothing there; with
--room it binds the session to a room, to read its meter. Nothing is written before you have seen what stays.
--check looks at a folder again, --compare records anew and writes nothing but what differs.`,
  options: { room: 'CODE', check: 'FOLDER', compare: 'FOLDER' },
  async run({ argument, options: { room = null, check: checked, compare: compared } }, world) {
    const given = [argument || undefined, checked, compared].filter((each) => each !== undefined);
    if (given.length !== 1) throw new UsageError('give one folder: to write, to --check, or to --compare');
    const [folder = ''] = given;
    if (folder === argument && existsSync(folder)) throw new CommandRefused(`${folder} is there already`);
    if (folder !== argument && !existsSync(folder)) throw new CommandRefused(`${folder} is no folder`);
    if (checked !== undefined) return check(checked, world);
    const made = await reviewRecording(await recordCampus(room, world), world);
    if (compared !== undefined) return compare(compared, made, world);
    const size = [...made.values()].reduce((sum, { length }) => sum + length, 0);
    if (!(await world.confirm(`Write ${made.size} files, ${Math.ceil(size / 1_000)} kB, to ${folder}?`)))
      throw new CommandRefused('nothing was written');
    await writeFolder(folder, made);
    world.out(`${folder}: ${made.size} files. Look at them before you send them.`);
  },
});
