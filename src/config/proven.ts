import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A read of a product that the recording of a real campus has shown to work. */
export interface Proof {
  /** The name of its driver. */
  readonly product: string;
  readonly capability: string;
  /** Of the newest recording, `YYYY-MM`. */
  readonly month: string;
}

/** Made by `npm run documents` from the recordings of real campuses. */
export const PROVEN_FILE = join(import.meta.dirname, '..', 'campuses', 'proven.json');

/** What comes with this version. */
export const proofs: readonly Proof[] = JSON.parse(readFileSync(PROVEN_FILE, 'utf8'));

/** The month by the capability. */
export const listProven = (product: string, all: readonly Proof[] = proofs): ReadonlyMap<string, string> =>
  new Map(all.flatMap((proof) => (proof.product === product ? [[proof.capability, proof.month] as const] : [])));
