import { BoundedMap } from './bounded-map.ts';
import { newApplicationToken } from './ids.ts';

const KEPT = 20_000;

/** The application tickets of one system. A new one leaves the older ones of the same student valid. */
export class ApplicationTokens {
  readonly #owners = new BoundedMap<string, string>(KEPT);

  issue(userid: string): string {
    const token = newApplicationToken();
    this.#owners.set(token, userid);
    return token;
  }

  owner(token: string | null): string | null {
    return (token !== null && this.#owners.get(token)) || null;
  }

  expire(userid: string): void {
    this.#owners.deleteWhere((owner) => owner === userid);
  }
}
