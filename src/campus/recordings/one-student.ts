import type { SessionPiece, SessionVault } from '../../domain/accounts/ports.ts';
import type { SignInCredentials } from '../../domain/accounts/sign-in/unattended.ts';
import { failures } from '../../domain/errors.ts';
import { createLeases, type Leases } from '../../domain/lease.ts';
import type { Clock } from '../../lib/time.ts';
import type { Addresses } from '../contract/addresses.ts';
import { StudentSession } from '../session/session-cache.ts';
import type { StudentState } from '../session/student-state.ts';
import type { Landed } from './recording.ts';

/** The sessions of a process that serves one student and ends: nothing is stored, and nobody else is there. */
export const vaultInMemory = (): SessionVault => {
  let generation = 1;
  let revision = 0;
  let entries: ReadonlyMap<string, SessionPiece & { readonly revision: number }> = new Map();
  const keep = (pieces: readonly SessionPiece[]): number => {
    revision += 1;
    entries = new Map([...entries, ...pieces.map((piece) => [piece.system, { ...piece, revision }] as const)]);
    return revision;
  };
  return {
    generation: async () => generation,
    load: async () => ({ generation, entries: [...entries.values()] }),
    save: async (_userid, of, pieces) => (of === generation ? keep(pieces) : null),
    async nextGeneration(_userid, next) {
      generation += 1;
      entries = new Map();
      return { generation, revision: keep(next?.pieces ?? []) };
    },
  };
};

export const leasesInMemory = (clock: Clock): Leases =>
  createLeases({ acquire: async () => true, release: async () => {} }, clock);

/** A password is sent when the person has typed it, and never again. */
export const noSecondPassword: SignInCredentials = {
  forSignIn: () => Promise.reject(failures.sessionLost(undefined, 'the password is sent once')),
  renewsEarly: async () => {},
  noteRefusal: async () => {},
  noteTrouble: async () => 0,
  notePersonNeeded: async () => {},
  noteAcceptance: async () => {},
};

/** A student who is signed in everywhere. */
export const createSignedInSession = (userid: string, addresses: Addresses, now: number): StudentSession => {
  const session = new StudentSession(userid, 0, addresses);
  session.state.portalSession = 'recorded';
  session.state.portalLogin.accept(now);
  session.state.portalLogin.answeredAt = now;
  for (const name of addresses.applicationNames) session.state.open(name, now, { ticket: 'recorded' });
  return session;
};

export const collectLanded = (state: StudentState): Landed =>
  Object.fromEntries(
    [...state.applications]
      .map(([name, { memo }]) => [name, memo.toJSON()] as const)
      .filter(([, memo]) => Object.keys(memo).length > 0),
  );

/** Every call of a recording begins so, because a replay makes it without the others. */
export const forgetCalls = (state: StudentState, landed: Landed): void => {
  for (const [name, session] of state.applications) {
    const { memo } = state.open(name, session.usedAt, session);
    for (const [key, value] of Object.entries(landed[name] ?? {})) memo.set(key, value);
  }
};
