import type { CallContext } from '../../context.ts';
import { asFailure } from '../../errors.ts';
import { type AttemptDeps, passed } from '../attempt.ts';
import { keptHalf, viewOf } from './desk.ts';
import { targetOf } from './input.ts';
import type { ChallengeRow, Challenges } from './ports.ts';
import { type ChallengeRows, type Parts, unknownChallenge } from './rows.ts';
import { isImageStale, transition } from './state.ts';

/** What a person asks for before answering: a code, or another image. */
interface Sending {
  readonly send: Challenges['send'];
  /** Another image in place of one that is too old or spent; null: with that one the challenge has ended. */
  showImage(row: ChallengeRow, why: 'image-shown' | 'misread', context: CallContext): Promise<ChallengeRow | null>;
}

export const createSending = (deps: AttemptDeps, { campus, store }: Parts, rows: ChallengeRows): Sending => {
  const { guard, clock } = deps;
  const isUnsent = (error: unknown): boolean => asFailure(error).passwords === 'unsent';

  const put = async (row: ChallengeRow, target: number | undefined, context: CallContext): Promise<ChallengeRow> => {
    const { state, half, userid, entry } = row;
    const now = clock.now();
    const phone = targetOf(row, target);
    const isFirst = state.sent === 'unknown' && half.targets.length === 0;
    const checked = transition(state, { type: 'send-begins' }, now);
    // The first one counted when the password was sent: only one of the two rings.
    const isBooked = checked.type === 'goes-on' && state.kind === 'sms' && !isFirst;
    const { id } = entry.booked;
    if (isBooked) passed(await guard.decide({ userid, code: null }, { type: 'challenge-sends', id }));
    const begun = await rows.apply(row, { type: 'send-begins' }, phone === null ? {} : { chosen: phone });
    if (begun === null) throw unknownChallenge('ended');
    const wish = { target: phone, renew: isImageStale(state, now) };
    const sent = await campus.send(userid, half.resume, wish, context).catch(async (error: unknown) => {
      if (isUnsent(error)) {
        if (isBooked) await guard.decide({ userid, code: null }, { type: 'challenge-unsent', id });
        await rows.apply(begun, { type: 'send-unsent', before: state }, { chosen: half.chosen });
      } else if (state.kind === 'captcha') {
        // Without an image there is nothing to answer.
        await store.remove(row.idHash);
      }
      throw error;
    });
    const next = await (() => {
      switch (sent.kind) {
        case 'image':
          return rows.apply(begun, { type: 'image-shown' }, keptHalf(sent.half));
        case 'refused':
          return rows.apply(begun, { type: 'send-refused', resendAfter: sent.resendAfter });
        case 'gone':
          return rows.apply(begun, { type: 'gone' });
        case 'sent': {
          const { resume, targets, stillValid, resendAfter } = sent;
          const event = { type: 'sent', sent: sent.sent, stillValid, resendAfter } as const;
          return rows.apply(begun, event, { resume, ...(targets.length > 0 && { targets }) });
        }
      }
    })();
    if (next === null) throw unknownChallenge('gone');
    return next;
  };

  return {
    async send(key, target, context) {
      const seen = await rows.find(key);
      return rows.alone(seen, key, { signal: context.signal, waits: true }, async (row) =>
        viewOf(deps, await put(row, target, context), key, context.address),
      );
    },
    async showImage(row, why, context) {
      const wish = { target: null, renew: true };
      const shown = await campus.send(row.userid, row.half.resume, wish, context).catch(async (error: unknown) => {
        if (!isUnsent(error)) await store.remove(row.idHash);
        throw error;
      });
      if (shown.kind === 'image') return rows.apply(row, { type: why }, keptHalf(shown.half));
      return rows.apply(row, { type: 'gone' });
    },
  };
};
