import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { openRecorder } from '../composition/recordings.ts';
import type { PasswordPair } from '../domain/accounts/ports.ts';
import type { HalfSignIn } from '../domain/challenge.ts';
import { type Failure, isFailure } from '../domain/errors.ts';
import { CommandRefused } from './command.ts';
import type { World } from './world.ts';

type SigningIn = Pick<ReturnType<typeof openRecorder>, 'signIn' | 'send' | 'answer'>;
type CampusSession = Awaited<ReturnType<SigningIn['signIn']>>;
type Person = Pick<World, 'ask' | 'err'>;

/** Codes that may be typed; a password is sent once. */
const MOST_ANSWERS = 3;

export const NOBODY = 'record needs a person at a terminal; nothing was written';

/** @throws CommandRefused where there is no terminal, or the person leaves */
export const askUntilAnswered = async ({ ask }: Person, question: string, look?: 'hidden'): Promise<string> => {
  const text = await ask(question, look);
  if (text === null) throw new CommandRefused(NOBODY);
  return text;
};

/** The person looks at the image in a file of the own account alone, which is gone with the answer. */
const askAboutImage = async (person: Person, type: string, base64: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'campus-record-'));
  const file = join(folder, `image.${type.split('/')[1]}`);
  try {
    await writeFile(file, Buffer.from(base64, 'base64'), { mode: 0o600, flag: 'wx' });
    return await askUntilAnswered(person, `The characters of the image in ${file}: `);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const askForAnswer = async (person: Person, { asked }: HalfSignIn): Promise<string> => {
  if (asked.kind !== 'captcha')
    return askUntilAnswered(person, asked.kind === 'sms' ? 'The code of the message: ' : 'The code of the app: ');
  if (asked.image === null)
    throw new CommandRefused('the campus wants an image that it does not show; nothing was written');
  return askAboutImage(person, asked.image.type, asked.image.base64);
};

const choose = async (person: Person, targets: readonly string[]): Promise<number | null> => {
  if (targets.length < 2) return targets.length === 0 ? null : 0;
  for (const [at, target] of targets.entries()) person.err(`  ${at + 1}  ${target}`);
  const number = Number(await askUntilAnswered(person, 'The number of the phone that gets the code: '));
  return Number.isInteger(number) && number >= 1 && number <= targets.length ? number - 1 : 0;
};

const halfIn = (error: unknown): HalfSignIn | undefined => (isFailure(error, 'person-needed') ? error.half : undefined);

/** The half after `work`, or the session. */
const next = async (work: Promise<CampusSession | HalfSignIn>): Promise<CampusSession | HalfSignIn> => {
  try {
    return await work;
  } catch (error) {
    const half = halfIn(error);
    if (half === undefined) throw error;
    return half;
  }
};

const isHalf = (now: CampusSession | HalfSignIn): now is HalfSignIn => 'asked' in now;

const places = { portal: 'the portal', 'unified-login': 'the login' } as const;

/** Words without anything of the campus: its texts may name the student. */
export const commandRefusalOf = (failure: Failure): CommandRefused => {
  const { kind } = failure;
  const step = 'step' in failure ? failure.step : undefined;
  const system = 'system' in failure ? failure.system : undefined;
  return new CommandRefused(
    kind === 'credentials-refused'
      ? `${step === undefined ? 'the campus' : places[step]} refuses this id or password; it was sent once and is not sent again`
      : `signing in ended: ${[kind, step ?? system].filter(Boolean).join(' at ')}; nothing was written`,
  );
};

/**
 * Sends each password once. What a person has to do is asked for at the terminal; an image that the campus demands after
 * a password, or a wrong one, would take the password a second time, and ends it.
 */
export const signIn = async (
  campus: SigningIn,
  person: Person,
  userid: string,
  pair: PasswordPair,
): Promise<CampusSession> => {
  try {
    let now = await next(campus.signIn(userid, pair));
    for (let answers = 0; isHalf(now) && answers < MOST_ANSWERS; answers += 1) {
      const isSpent = now.guarded || (now.asked.kind === 'captcha' && now.last === 'wrong');
      if (isSpent)
        throw new CommandRefused(
          'the campus wants an image beside the password, which was sent already; try again later',
        );
      if (now.asked.kind === 'sms' && now.asked.sent === 'unknown') {
        const sent = await next(campus.send(userid, now, await choose(person, now.asked.targets)));
        if (!isHalf(sent)) return sent;
        now = sent;
      }
      now = await next(campus.answer(userid, pair, now, await askForAnswer(person, now)));
    }
    if (isHalf(now)) throw new CommandRefused('too many answers; nothing was written');
    return now;
  } catch (error) {
    throw isFailure(error) ? commandRefusalOf(error) : error;
  }
};
