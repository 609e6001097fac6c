import type { CompiledQuery } from 'kysely';
import type { Client, ClientConfig, QueryResultRow } from 'pg';

/** Single reads that every call needs. */
export interface LookUps {
  rows<R extends QueryResultRow>(name: string, query: CompiledQuery<R>): Promise<R[]>;
  close(): Promise<void>;
}

/**
 * One connection of their own for look-ups: prepared once, and sent without waiting for the answers to those before, so
 * that they stand in no line behind transactions. A connection that was lost is opened anew by the next look-up.
 */
export const createLookUps = (newClient: (config: ClientConfig) => Client, config: ClientConfig): LookUps => {
  let opening: Promise<Client> | null = null;
  let closed = false;

  const open = (): Promise<Client> => {
    const client = newClient({ ...config, pipeline: true });
    const forget = (): void => {
      if (opening === opened) opening = null;
    };
    // Without a listener a connection that is lost while nobody waits would end the process.
    client.on('error', forget).on('end', forget);
    const opened = client.connect().then(() => client);
    opened.catch(forget);
    return opened;
  };

  return {
    async rows<R extends QueryResultRow>(name: string, { sql, parameters }: CompiledQuery<R>): Promise<R[]> {
      if (closed) throw new Error('the connection for look-ups is closed');
      opening ??= open();
      const client = await opening;
      const { rows } = await client.query<R>({ name, text: sql, values: [...parameters] });
      return rows;
    },
    async close() {
      closed = true;
      const client = await opening?.catch(() => null);
      await client?.end();
    },
  };
};
