import type { Student } from '../faults/world.ts';
import { type Call, nameOf, record, type Subject, validCall } from './call.ts';
import type { Recorded } from './recorded.ts';

/** After this long no token is good any more. */
const TOKENS_OVER_MS = 40 * 86_400_000;
const INVITATION_OVER_MS = 31 * 60_000;

/** Records cases of one subject, each in the place in time where the one before left off. */
class Accounts {
  readonly #subject: Subject;
  readonly recorded: Recorded[] = [];

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  get world() {
    return this.#subject.world;
  }

  async note(name: string, call: Call): Promise<void> {
    this.recorded.push(await record(this.world, name, call));
  }

  /** A call of this operation with that body. */
  with(body: unknown, token?: string): Call {
    const { method, path } = this.#subject.operation;
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    return { method, target: path, headers, body: JSON.stringify(body) };
  }

  /** The valid call of somebody new. */
  async ofNewcomer(): Promise<{ student: Student; call: Call }> {
    await this.world.nextSlot();
    const student = await this.world.registered();
    return { student, call: await validCall({ ...this.#subject, student }) };
  }
}

const pair = ({ userid, password, vpnPassword }: Student) => ({ userid, password, vpn_password: vpnPassword });

const wrong = { vpn: { vpn_password: 'wrong' }, unified: { password: 'wrong' } } as const;
const wrongPairs = [
  ['portal password wrong', wrong.vpn],
  ['unified password wrong', wrong.unified],
  ['both passwords wrong', { ...wrong.vpn, ...wrong.unified }],
  ['a password of 300 characters', { password: 'x'.repeat(300) }],
  ['a portal password of 300 characters', { vpn_password: 'x'.repeat(300) }],
] as const;

const tokenEndings = async (accounts: Accounts): Promise<void> => {
  const { world } = accounts;
  const { student, call } = await accounts.ofNewcomer();
  const { token } = student;
  // A student that the call brought along has a token of its own.
  const own = call.headers.authorization?.slice('Bearer '.length) ?? token;
  await world.drive(world.gateway.b('POST', '/auth/logout', { token: own }));
  await accounts.note('the token of a logout', call);
  const other = await accounts.ofNewcomer();
  world.clock.advance(TOKENS_OVER_MS);
  await accounts.note('a token that is too old', other.call);
};

const logins = async (accounts: Accounts): Promise<void> => {
  const { world } = accounts;
  const { demo } = world.gateway;
  for (const [name, change] of wrongPairs) {
    const { student } = await accounts.ofNewcomer();
    const right = accounts.with(pair(student));
    const mistaken = accounts.with({ ...pair(student), ...change });
    await accounts.note(name, mistaken);
    await accounts.note(`${name}, the same at once again`, mistaken);
    await accounts.note(`${name}, then the right pair at once`, right);
    world.clock.advance(61_000);
    await accounts.note(`${name}, the same after a minute`, mistaken);
    await world.nextSlot();
    await accounts.note(`${name}, then the right pair later`, right);
  }
  for (const step of ['vpnPassword', 'password'] as const) {
    const { student } = await accounts.ofNewcomer();
    demo.student(student.userid).changePasswords({ [step]: 'changed' });
    await world.forget(student);
    const old = accounts.with(pair(student));
    const changed = accounts.with(pair({ ...student, [step]: 'changed' }));
    await accounts.note(`${step} changed at the campus, the old pair`, old);
    await accounts.note(`${step} changed at the campus, the new pair at once`, changed);
    await world.nextSlot();
    await accounts.note(`${step} changed at the campus, the new pair later`, changed);
    await accounts.note(`${step} changed at the campus, the old pair afterwards`, old);
  }
  const { student } = await accounts.ofNewcomer();
  await accounts.note('the right pair with a session', accounts.with(pair(student)));
  demo.fault({ system: 'vpn', fault: { kind: 'captcha' } });
  await world.forget(student);
  await accounts.note('captcha', accounts.with(pair(student)));
  await accounts.note('captcha, at once again', accounts.with(pair(student)));
  demo.clearFaults();
  await accounts.note('captcha no more, within the pause', accounts.with(pair(student)));
  await world.nextSlot();
  await accounts.note('captcha no more, after the pause', accounts.with(pair(student)));
  await accounts.note('a student without account', accounts.with(pair(world.newcomer())));
};

const registrations = async (accounts: Accounts): Promise<void> => {
  const { world } = accounts;
  const invited = async (student: Student, change: object = {}) =>
    accounts.with({ ...pair(student), invite_token: await world.inviteToken(), ...change });
  for (const [name, change] of wrongPairs) {
    await world.nextSlot();
    const student = world.newcomer();
    const mistaken = await invited(student, change);
    await accounts.note(name, mistaken);
    await accounts.note(`${name}, the same at once again`, mistaken);
    await accounts.note(`${name}, then the right pair at once`, await invited(student));
    await world.nextSlot();
    await accounts.note(`${name}, then the right pair later`, await invited(student));
  }
  await world.nextSlot();
  await accounts.note('a student of the gateway', await invited(await world.registered()));
  await accounts.note('an unknown invitation', await invited(world.newcomer(), { invite_token: 'x'.repeat(43) }));
  const first = await invited(world.newcomer());
  await accounts.note('an invitation', first);
  await accounts.note('the same call twice', first);
  const spent: object = { invite_token: JSON.parse(String(first.body)).invite_token };
  await accounts.note('a spent invitation', await invited(world.newcomer(), spent));
  const late = await invited(world.newcomer());
  world.clock.advance(INVITATION_OVER_MS);
  await accounts.note('an invitation that is too old', late);
  await accounts.note('a student unknown to the campus', await invited({ ...world.newcomer(), userid: '3999999999' }));
};

const deletions = async (accounts: Accounts): Promise<void> => {
  const { world } = accounts;
  for (const [name, change] of wrongPairs) {
    const { student } = await accounts.ofNewcomer();
    const { userid: _userid, ...right } = pair(student);
    const mistaken = accounts.with({ ...right, ...change }, student.token);
    await accounts.note(name, mistaken);
    await accounts.note(`${name}, the same at once again`, mistaken);
    await accounts.note(`${name}, then the right pair at once`, accounts.with(right, student.token));
    await world.nextSlot();
  }
};

/** Cases that depend on accounts, tokens and passwords. */
export const accountCases = async (subject: Subject): Promise<Recorded[]> => {
  const accounts = new Accounts(subject);
  const name = nameOf(subject.operation);
  if (/\/login/.test(name)) await logins(accounts);
  else if (/\/register(?:\/next)?$/.test(name)) await registrations(accounts);
  else if (/\/account(?:\/delete)?$/.test(name)) await deletions(accounts);
  const { operation, texts } = subject;
  if (operation.needsToken && texts.isFirstWith('tokens', operation)) await tokenEndings(accounts);
  return accounts.recorded;
};
