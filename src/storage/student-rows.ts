import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { StudentChange, StudentRowStore, StudentRows } from '../domain/changes/journal.ts';
import { isUsedByFeeds, type SqlCopyStore, stateColumns } from './copies.ts';
import { countRows, countUser, hasValues, lockUser, put } from './database/rows.ts';
import { giveUp, hooksOf, outlineOf } from './hooks.ts';
import type { Tables } from './schema.ts';
import { sealedPlaces } from './seal.ts';
import { endTrust } from './sessions.ts';
import { Store, type StoreDeps } from './store.ts';

const newDelivery = { state: 'waiting', attempts: 0, lease_owner: null, lease_until: 0, tried_at: null } as const;

/** Statements on the rows of one student, and the transaction around them. */
export class SqlStudentRowStore extends Store implements StudentRowStore {
  readonly #copies: SqlCopyStore;

  constructor(deps: StoreDeps, copies: SqlCopyStore) {
    super(deps);
    this.#copies = copies;
  }

  change<T>({ operation, userid, lock, isUnsynced = false }: StudentChange, work: (rows: StudentRows) => Promise<T>) {
    const within = async (transaction: Transaction<Tables>): Promise<T | null> =>
      lock === undefined || (await lockUser(transaction, userid, lock.generation))
        ? work(this.#rowsOf(transaction, userid))
        : null;
    return isUnsynced ? this.runner.transactUnsynced(operation, within) : this.runner.transact(operation, within);
  }

  #rowsOf(change: Transaction<Tables>, userid: string): StudentRows {
    const { sealer } = this.deps;
    const copies = change.selectFrom('copies').where('userid', '=', userid);
    const isNamed = ({ read, params }: { readonly read: string; readonly params: string }) =>
      hasValues<'copies'>({ userid, read, params });
    const known = change.selectFrom('event_states').select('scope').where('userid', '=', userid);
    return {
      copy: async (like) => {
        const row = await copies
          .where(isNamed(like))
          .select([...stateColumns, 'sealed_value'])
          .executeTakeFirst();
        if (row === undefined) return null;
        const text = (): string | null => this.#copies.open(row.sealed_value, { ...like, userid, shape: row.shape });
        return { ...this.#copies.stateOf(row, userid, like), text };
      },
      putCopy: (copy) => put(change, 'copies', this.#copies.rowOf(userid, copy)),
      touchCopy: async (name, readAt) => {
        await change.updateTable('copies').set({ read_at: readAt }).where(isNamed(name)).execute();
      },
      copySizes: () =>
        copies
          .select(['read', 'params', 'read_at as readAt'])
          .select((to) => to.fn<number>('length', ['sealed_value']).as('characters'))
          .execute(),
      copiesOfFeeds: () => copies.select(['read', 'params']).where(isUsedByFeeds).execute(),
      dropCopy: async (name) => {
        await change.deleteFrom('copies').where(isNamed(name)).execute();
      },
      known: async (scopes, onlyInDoubt) => {
        const rows = await known
          .select('sealed_known')
          .where('scope', 'in', scopes)
          .$if(onlyInDoubt, (query) => query.where('in_doubt', '=', 1))
          .execute();
        const open = (sealed: string, scope: string): string | null =>
          this.unseal(sealed, sealedPlaces.known({ userid, scope }), 'sealed earlier readings left out');
        return new Map(rows.map(({ scope, sealed_known }) => [scope, open(sealed_known, scope)]));
      },
      putKnown: (scope, text, inDoubt, readAt) => {
        const sealed_known = sealer.seal(text, sealedPlaces.known({ userid, scope }));
        const row = { userid, scope, sealed_known, in_doubt: inDoubt ? 1 : 0, read_at: readAt };
        return put(change, 'event_states', row);
      },
      trimKnown: async (most) => {
        const newest = known.orderBy('read_at', 'desc').orderBy('scope');
        const surplus = newest.limit(10 * most).offset(most);
        await change.deleteFrom('event_states').where('scope', 'in', surplus).where(hasValues({ userid })).execute();
      },
      numberEvents: async (count) => {
        const user = await countUser(change, userid, { event_seq: count });
        return user === undefined ? null : { last: user.event_seq, account: user.created_at };
      },
      putEvents: async (entries) => {
        const rows = entries.map(({ seq, id, type, readAt: read_at, occurredAt: occurred_at, about, ask, detail }) => {
          const sealed_body = sealer.seal(JSON.stringify({ about, ask, detail }), sealedPlaces.event({ userid, id }));
          return { userid, seq, id, type, read_at, occurred_at, sealed_body };
        });
        await change.insertInto('events').values(rows).execute();
      },
      dropEvents: async (upTo) => {
        await change.deleteFrom('events').where('seq', '<=', upTo).where(hasValues({ userid })).execute();
      },
      hooks: async () => (await hooksOf(change, userid)).map(outlineOf),
      putDeliveries: async (hook, messages) => {
        const rows = messages.map(({ entry: { id: event, type, seq, occurredAt }, body }) => {
          const id = randomBytes(8).toString('hex');
          const sealed_body = sealer.seal(body, sealedPlaces.delivery({ userid, id }));
          const named = { id, userid, hook, event, type, seq, sealed_body, asked: type === 'test.ping' ? 1 : 0 };
          const times = { created_at: occurredAt, due_at: occurredAt, status: null, fault: null, ms: null };
          return { ...newDelivery, ...named, ...times };
        });
        await change.insertInto('hook_deliveries').values(rows).execute();
      },
      trimDeliveries: async (hook, most) => {
        const waiting = change.selectFrom('hook_deliveries').where('hook', '=', hook).where('due_at', 'is not', null);
        const count = await countRows(waiting);
        if (count > most) await giveUp(change, hook, 'too-many', count - most);
      },
      refusePair: async (version, step) => {
        const pair = change.selectFrom('credentials').select('refused_step');
        const before = await pair.where(hasValues({ userid, version })).executeTakeFirst();
        if (before === undefined) return false;
        await change.updateTable('credentials').set({ refused_step: step }).where('userid', '=', userid).execute();
        await endTrust(change, userid);
        return before.refused_step === null;
      },
    };
  }
}
