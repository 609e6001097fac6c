/** `ended`: the service has refused it. It is still sent with the next login, where it proves who is calling. */
export interface TokenState {
  readonly token: string | null;
  readonly ended: boolean;
}

/** The token of one student. Keep what `onChange` tells, and give it to the next client. */
export interface Token {
  get(): TokenState;
  /** A new token, or `null` to forget it. */
  set(token: string | null): void;
  /** The service has refused `token`; says nothing of one that has replaced it. */
  end(token: string): void;
  /** Calls `listener` after every change. Returns what stops that. */
  onChange(listener: (state: TokenState) => void): () => void;
}

export const createToken = (initial: string | null | TokenState = null): Token => {
  let state: TokenState = initial !== null && typeof initial === 'object' ? initial : { token: initial, ended: false };
  const listeners = new Set<(state: TokenState) => void>();
  const change = (next: TokenState): void => {
    if (next.token === state.token && next.ended === state.ended) return;
    state = next;
    for (const listener of [...listeners]) listener(next);
  };
  return {
    get: () => state,
    set: (token) => change({ token, ended: false }),
    end: (token) => {
      if (state.token === token) change({ token, ended: true });
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
