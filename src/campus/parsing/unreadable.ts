import { type CampusSystem, Failure } from '../../domain/errors.ts';

/** The failure of a page that is not the page we know. The reason goes to the log: no page text in it. */
export const unreadable = (system: CampusSystem, reason: string, cause?: unknown): Failure =>
  new Failure('upstream-unreadable', { system, reason, cause });
