import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { DAY_MS } from '../../lib/time.ts';
import type { Runner } from '../database/run.ts';
import { isAskedFor } from '../hooks.ts';
import { leaseTime } from '../leases.ts';
import type { Tables } from '../schema.ts';
import type { StoreDeps } from '../store.ts';

/** Images have megabytes each, so one statement deletes few. */
const imagesOfPiece = 4;

/** One table, and the condition under which its rows are swept, which an index serves. */
const deleteEnded = <T extends keyof Tables>(
  table: T,
  over: (to: ExpressionBuilder<Tables, T>) => Expression<SqlBool>,
  most?: number,
) => ({ table, run: (runner: Runner) => runner.deletedInPieces(`sweep ${table}`, table, over, most) });

/** The rows that a sweep at `now` deletes. `copyMaxMs` 0: no copies are stored, and nothing that is made of them. */
export const sweepsAt = (now: number, copyMaxMs: number, { runner, numbers }: StoreDeps) => {
  const before = (ageMs: number): number => (copyMaxMs === 0 ? Number.MAX_SAFE_INTEGER : now - ageMs);
  return [
    // The sweep of tokens ends those of logins, which identify their student for a while.
    deleteEnded('tokens', (to) =>
      to.and([to('expires_at', '<=', now), to('ended_at', 'is', null), to('name', 'is not', null)]),
    ),
    deleteEnded('tokens', (to) => to('proves_until', '<=', now)),
    deleteEnded('invite_tokens', (to) => to('expires_at', '<=', now)),
    deleteEnded('guard_memory', (to) => to('touched_at', '<', now - DAY_MS)),
    deleteEnded('guard_rows', (to) => to('expires_at', '<', now)),
    deleteEnded('login_challenges', (to) => to('expires_at', '<=', now)),
    deleteEnded('leases', (to) => to('expires_at', '<=', leaseTime(runner, now).time)),
    // A process that died a day ago has left the active ones.
    deleteEnded('evaluation_tasks', (to) =>
      to.or([
        to.and([to('active', '=', 0), to('expires_at', '<=', now)]),
        to.and([to('active', '=', 1), to('lease_until', '<=', now - DAY_MS)]),
      ]),
    ),
    deleteEnded('images', (to) => to('expires_at', '<=', now), imagesOfPiece),
    deleteEnded('image_uploads', (to) => to('uploaded_at', '<=', now - numbers.uploads.windowMs)),
    deleteEnded('copies', (to) => to('read_at', '<=', now - copyMaxMs)),
    // A clock that was ahead may have written a reading time later than now.
    deleteEnded('campus_wide_copies', (to) =>
      to.or([to('read_at', '<=', now - 7 * DAY_MS), to('read_at', '>', now + 7 * DAY_MS)]),
    ),
    deleteEnded('event_states', (to) => to('read_at', '<', before(numbers.journal.knownMs))),
    deleteEnded('events', (to) => to('occurred_at', '<', before(numbers.journal.ageMs))),
    deleteEnded('hook_deliveries', (to) => to('created_at', '<', now - numbers.deliveryLifeMs)),
    deleteEnded('due_readings', (to) => to.and([to('due_at', '<', now - DAY_MS), to.not(isAskedFor(to))])),
  ];
};
