import type { CampusAccess, SignInTurn, VerifiedSession } from '../../src/domain/accounts/ports.ts';

type Asked = Parameters<CampusAccess['turn']>;

/** Does `work` in the turn of a sign-in. */
export const inTurn = async <S extends VerifiedSession, T>(
  access: { turn(...asked: Asked): Promise<SignInTurn<S>> },
  asked: Asked,
  work: (signIn: () => Promise<S>) => Promise<T>,
): Promise<T> => {
  using turn = await access.turn(...asked);
  return await work(turn.signIn);
};
