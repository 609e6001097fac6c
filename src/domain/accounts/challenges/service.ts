import type { CallContext } from '../../context.ts';
import { asFailure, Failure, isFailure } from '../../errors.ts';
import { type AttemptDeps, adopt, atOwnPace, outcomeOf, withOutcome } from '../attempt.ts';
import type { AskOutcome } from '../guard/events.ts';
import { guardNumbers } from '../guard/numbers.ts';
import type { ProvenSession } from '../ports.ts';
import { isStep, keptHalf, networkNames, viewOf } from './desk.ts';
import { type Book, bookOf, createRenewal, finish } from './finish.ts';
import type { Answered, ChallengeKey, ChallengeKind, ChallengeRow, Challenges, StepAnswered } from './ports.ts';
import { createRows, createSending, type Parts, unknownChallenge } from './rows.ts';
import { codeIn, isImageStale, isLastImage, transition } from './state.ts';

/** What the guard hears of an answer that opened nothing: the password is as right as before. */
const outcomeAfter = (kind: ChallengeKind, answered: Exclude<StepAnswered, { kind: 'proven' }>): AskOutcome => {
  const wanted = answered.kind === 'next' ? answered.half.kind : kind;
  return isStep(wanted) ? { type: 'person', wanted, offered: true } : { type: 'unsent' };
};

const { passMs } = guardNumbers.person.challenge;

export const createChallenges = (deps: AttemptDeps, parts: Parts): Challenges => {
  const { campus, store } = parts;
  const { guard, clock } = deps;
  const rows = createRows(deps, parts);
  const { send, showImage } = createSending(deps, parts, rows);

  const told = (row: ChallengeRow, key: ChallengeKey, { address }: CallContext): Failure =>
    new Failure('login-challenge', { step: 'portal', challenge: viewOf(deps, row, key, address) });

  /** The session is complete and waits to be fetched. */
  const park = async (
    row: ChallengeRow,
    proven: ProvenSession,
    frees: readonly string[],
    context: CallContext,
  ): Promise<void> => {
    if (row.purpose === 'renewal') await adopt(deps, proven, context);
    const moved = transition(row.state, { type: 'passed' }, clock.now());
    if (moved.type !== 'goes-on') throw unknownChallenge('passed twice');
    const state = { ...moved.state, expiresAt: clock.now() + passMs };
    const half = { resume: campus.pack(proven), image: null, targets: [], chosen: null };
    await rows.keep({ ...row, state, half, entry: { ...row.entry, frees } });
  };

  /**
   * Whom an answer lets in: where it came from, and the asker's network where the asker has answered or it is one of the
   * student's. A caller who makes another person answer on the page has the id, and must get nothing by it.
   */
  const freesFor = ({ entry }: ChallengeRow, key: ChallengeKey, address: string): string[] => {
    const here = networkNames(deps, address);
    const { names, isHome } = entry.asker;
    return isHome || 'id' in key ? [...here, ...names] : here;
  };
  const mayTake = ({ entry, purpose }: ChallengeRow, { address }: CallContext): boolean =>
    purpose === 'renewal' || networkNames(deps, address).some((name) => entry.frees.includes(name));

  const complete = async (
    row: ChallengeRow,
    key: ChallengeKey,
    proven: ProvenSession,
    context: CallContext,
  ): Promise<Answered> => {
    if ('pageCode' in key && row.purpose !== 'renewal') {
      await park(row, proven, freesFor(row, key, context.address), context);
      return { kind: 'freed' };
    }
    try {
      const done = await finish(deps, row, await bookOf(deps, row, context), proven, context);
      await store.remove(row.idHash);
      return done;
    } catch (error) {
      // Where only our storage failed, the step is not lost.
      if (!isFailure(error, 'storage-failed')) await store.remove(row.idHash);
      throw error;
    }
  };

  const notePassed = async ({ userid, entry }: ChallengeRow): Promise<void> => {
    const { booked, stepped } = entry;
    await guard.decide({ userid, code: null }, { type: 'challenge-passed', id: booked.id, stepped });
  };

  /** The next state of a challenge that goes on; null: it has ended. */
  const nextOf = async (
    row: ChallengeRow,
    answered: Exclude<StepAnswered, { kind: 'proven' }>,
    context: CallContext,
  ): Promise<ChallengeRow | null> => {
    switch (answered.kind) {
      case 'next': {
        const { half } = answered;
        const stepped = row.entry.stepped || isStep(half.kind);
        return rows.apply(
          { ...row, entry: { ...row.entry, stepped } },
          { type: 'next', kind: half.kind },
          keptHalf(half),
        );
      }
      case 'misread':
        return rows.apply(row, { type: 'misread' }, keptHalf(answered.half));
      case 'wrong': {
        if (row.state.kind !== 'captcha') return rows.apply(row, { type: 'wrong' });
        // The image is spent all the same: a look has shown that it is still half, or no other one may follow.
        return isLastImage(row.state) ? rows.apply(row, { type: 'misread' }) : showImage(row, 'misread', context);
      }
      case 'expired':
      case 'gone':
        return rows.apply(row, { type: answered.kind });
    }
  };

  /** The campus said no, or nothing readable: what that means, before the caller is told. */
  const failed = async (row: ChallengeRow, book: Book, error: unknown, isLook: boolean): Promise<Failure> => {
    const failure = asFailure(error);
    // A person's answer to an image is no sign of alarm.
    await book.end(failure.kind === 'sign-in-guarded' ? { type: 'unknown' } : outcomeOf(failure));
    // The step is taken: a look at the session shows it, and what follows may work again.
    if (failure.step === 'unified-login' && isFailure(failure, 'sign-in-unavailable', 'timed-out')) return failure;
    if (failure.passwords === 'unsent' && failure.kind !== 'person-needed') {
      // Of a look, the answer that it is for is as lost as before.
      if (!isLook) await rows.apply(row, { type: 'answer-unsent' });
      return failure;
    }
    await store.remove(row.idHash);
    return failure;
  };

  /** Puts something to the campus that settles the challenge, or takes it a step further. */
  const settle = async (
    row: ChallengeRow,
    key: ChallengeKey,
    context: CallContext,
    book: Book,
    ask: () => Promise<StepAnswered>,
    isLook = false,
  ): Promise<{ readonly proven: ProvenSession }> => {
    let answered: StepAnswered;
    try {
      answered = await ask();
    } catch (error) {
      throw await failed(row, book, error, isLook);
    }
    if (answered.kind === 'proven') {
      await notePassed(row);
      return { proven: answered.proven };
    }
    await book.end(outcomeAfter(row.state.kind, answered));
    const next = await nextOf(row, answered, context);
    throw next === null ? unknownChallenge('ended') : told(next, key, context);
  };

  const booked = async (row: ChallengeRow, context: CallContext): Promise<Book> => {
    const book = await bookOf(deps, row, context);
    await book.begin();
    return book;
  };

  const lookAt = async (row: ChallengeRow, key: ChallengeKey, context: CallContext) => {
    const { userid, entry, half } = row;
    const book = await booked(row, context);
    return settle(row, key, context, book, () => campus.look(userid, entry.pair, half.resume, context), true);
  };

  const fetched = async (row: ChallengeRow, key: ChallengeKey, context: CallContext): Promise<Answered> => {
    if ('pageCode' in key) return { kind: row.purpose === 'renewal' ? 'renewed' : 'freed' };
    if (!mayTake(row, context)) throw unknownChallenge('passed from another network');
    const proven = campus.unpack(row.userid, row.half.resume);
    const done: Answered =
      row.purpose === 'renewal'
        ? { kind: 'renewed' }
        : await finish(deps, row, await bookOf(deps, row, context), proven, context);
    // Only now: no step is lost with a process that dies.
    await store.remove(row.idHash);
    return done;
  };

  const put = async (
    row: ChallengeRow,
    key: ChallengeKey,
    answer: string,
    context: CallContext,
    detach: () => void,
  ): Promise<Answered> => {
    if (row.state.phase === 'passed') return fetched(row, key, context);
    if (row.state.phase === 'answering') {
      // The call that put an answer to the campus is gone, and what it said too: the session tells.
      detach();
      const { proven } = await lookAt(row, key, context);
      if ('pageCode' in key || mayTake(row, context)) return complete(row, key, proven, context);
      await park(row, proven, row.entry.frees, context);
      throw unknownChallenge('passed from another network');
    }
    const code = codeIn(row.state.kind, answer);
    if (isImageStale(row.state, clock.now())) {
      const next = await showImage(row, 'image-shown', context);
      throw next === null ? unknownChallenge('ended') : told(next, key, context);
    }
    const book = await booked(row, context);
    const frees = freesFor(row, key, context.address);
    const begun = await rows.apply({ ...row, entry: { ...row.entry, frees } }, { type: 'answer-begins' });
    if (begun === null) throw unknownChallenge('ended');
    detach();
    const { userid, entry, half } = begun;
    const { proven } = await settle(begun, key, context, book, () =>
      campus.answer(userid, entry.pair, half.resume, { code, isLast: isLastImage(begun.state) }, context),
    );
    return complete(begun, key, proven, context);
  };

  const looked: Challenges['look'] = async (key, context) => {
    const seen = await rows.find(key);
    if (seen.state.phase === 'passed') return 'passed';
    if (seen.state.phase !== 'answering') return viewOf(deps, seen, key, context.address);
    try {
      await rows.alone(seen, key, { signal: context.signal, waits: false }, async (row) => {
        const { proven } = await lookAt(row, key, context);
        await park(row, proven, row.entry.frees, context);
      });
      return 'passed';
    } catch (error) {
      // The answering call is still at it; or the look has shown how it goes on.
      if (isFailure(error, 'challenge-busy')) return viewOf(deps, seen, key, context.address);
      if (isFailure(error, 'login-challenge') && error.challenge) return error.challenge;
      throw error;
    }
  };

  return {
    begin: createRenewal(deps),

    look: looked,

    send: async (key, target, context) => {
      const seen = await rows.find(key);
      // Where an answer got lost, nothing is sent before the session has told of it.
      if (seen.state.phase === 'answering') await looked(key, context);
      return send(key, target, context);
    },

    answer: async (key, answer, context) => {
      const seen = await rows.find(key);
      if (seen.state.phase === 'open' || seen.state.phase === 'sent') codeIn(seen.state.kind, answer);
      return withOutcome(deps, 'challenge', seen.userid, context, () =>
        atOwnPace(clock, context, async (pace) => {
          const { signal } = pace.context;
          const result = await rows.alone(seen, key, { signal, waits: true }, (row) =>
            put(row, key, answer, pace.context, () => pace.detach()),
          );
          return { result, outcome: result.kind };
        }),
      );
    },

    async opened({ userid, tokenHash }, { address }) {
      const row = await store.of(userid, clock.now());
      if (row === null || tokenHash === undefined || row.entry.asker.token !== tokenHash) return null;
      const { id } = row.entry;
      return id === undefined ? null : { ...viewOf(deps, row, { id }, address), image: null };
    },

    async end(key) {
      const row = await rows.find(key);
      // What has been passed may be fetched by another caller than began it.
      if (row.state.phase === 'passed' || !(await store.remove(row.idHash))) throw unknownChallenge('ended');
    },
  };
};
