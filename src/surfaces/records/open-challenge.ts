import type { Challenges } from '../../domain/accounts/challenges/ports.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import { Failure, isFailure } from '../../domain/errors.ts';

export type TellOpenChallenge = (call: CallContext & { readonly student: Student }, error: unknown) => Promise<never>;

/**
 * A data call that needs a person begins no challenge, and nothing is sent for it; its failure names the one that its own
 * token has begun, where that is open.
 */
export const createTellOpenChallenge =
  (challenges: Pick<Challenges, 'opened'>): TellOpenChallenge =>
  async (call, error) => {
    if (!isFailure(error, 'person-needed')) throw error;
    // The answer is the same without it.
    const challenge = await challenges.opened(call.student, call).catch(() => null);
    if (challenge === null) throw error;
    const { step, wanted, cause } = error;
    throw new Failure('person-needed', { step, wanted, challenge, cause });
  };
