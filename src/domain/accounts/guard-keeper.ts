import type { Clock } from '../../lib/clock.ts';
import { KeyLock } from '../../lib/key-lock.ts';
import { type GuardDecision, type GuardEvent, type GuardFacts, guard } from './login-guard.ts';
import type { GuardState, GuardStore } from './ports.ts';

/** Applies the guard's table to the stored state of one student id. */
export interface GuardKeeper {
  /** Reads the state, decides and stores the next state where it differs. One after the other per student id. */
  decide(userid: string, facts: Omit<GuardFacts, 'now'>, event: GuardEvent): Promise<GuardDecision>;
}

const sameState = (a: GuardState, b: GuardState): boolean =>
  a.loginCoolDownUntil === b.loginCoolDownUntil &&
  a.registrationCoolDownUntil === b.registrationCoolDownUntil &&
  a.pauseUntil === b.pauseUntil &&
  a.pauseSeconds === b.pauseSeconds;

/**
 * The row is read anew for every event: a login takes seconds, and a pause that a data call started meanwhile must
 * not be written over. The accounts and the stored credentials therefore share one keeper.
 */
export const createGuardKeeper = (deps: { readonly guards: GuardStore; readonly clock: Clock }): GuardKeeper => {
  const lock = new KeyLock();
  // Nobody may leave this line half way: what the campus said about a student has to be written down.
  const patient = new AbortController().signal;
  return {
    decide: (userid, facts, event) =>
      lock.run(userid, patient, async () => {
        const state = await deps.guards.read(userid);
        const decision = guard(state, { ...facts, now: deps.clock.now() }, event);
        if (!sameState(state, decision.next)) await deps.guards.write(userid, decision.next);
        return decision;
      }),
  };
};
