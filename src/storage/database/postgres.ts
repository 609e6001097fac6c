import type { CompiledQuery } from 'kysely';
import type { Client, ClientConfig } from 'pg';
import type { Log } from '../../domain/context.ts';

/** Runs the single reads that every call needs. */
export interface LookUps {
  rows<R extends object>(name: string, query: CompiledQuery<R>): Promise<R[]>;
}

/**
 * A connection for look-ups alone, which are prepared once and sent without waiting for earlier answers, so that they
 * never wait behind transactions. The next look-up reopens a connection that was lost.
 */
class PostgresLookUps implements LookUps {
  readonly #newClient: () => Client;
  #opening: Promise<Client> | null = null;
  #closed = false;

  constructor(newClient: () => Client) {
    this.#newClient = newClient;
  }

  async rows<R extends object>(name: string, { sql, parameters }: CompiledQuery<R>): Promise<R[]> {
    if (this.#closed) throw new Error('the connection for look-ups is closed');
    this.#opening ??= this.#open();
    const client = await this.#opening;
    const { rows } = await client.query<R>({ name, text: sql, values: [...parameters] });
    return rows;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#opening?.catch(() => null);
    await client?.end();
  }

  #open(): Promise<Client> {
    const client = this.#newClient();
    const forget = (): void => {
      if (this.#opening === opened) this.#opening = null;
    };
    // A lost idle connection would end the process if it had no listener.
    client.on('error', forget).on('end', forget);
    const opened = client.connect().then(() => client);
    opened.catch(forget);
    return opened;
  }
}

interface PostgresOptions {
  readonly url: string;
  readonly log: Log;
  readonly connections: number;
  /** The server gives up a statement after this time. */
  readonly statementTimeoutMs: number;
  /** The server refuses every change. */
  readonly reads?: boolean;
}

const int8 = 20;
/** A look-up that takes longer is repeated as an ordinary statement. */
const lookUpTimeoutMs = 5_000;

export type OpenPool = Awaited<ReturnType<typeof openPool>>;

/** Opens a pool with limits on every wait. Only this loads `pg`, so SQLite users never pay for it. */
export const openPool = async (options: PostgresOptions) => {
  const { default: pg } = await import('pg');
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'campus-gateway',
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeoutMs,
    // A server whose own time-out does not arrive is unreachable.
    query_timeout: options.statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: options.statementTimeoutMs,
    keepAlive: true,
    ...(options.reads ? { options: '-c default_transaction_read_only=on' } : {}),
    types: {
      // Counters and epoch milliseconds stay far below 2^53, so numbers hold them exactly.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format),
    },
  };
  // After a failover a connection in use would stay with the server that takes no writes any more.
  const lifetime = { idleTimeoutMillis: 60_000, maxLifetimeSeconds: 300 };
  const pool = new pg.Pool({ ...config, max: options.connections, ...lifetime });
  // Both need listeners: otherwise a connection that the server ends between answers would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
      options.log.warn({ code }, 'database connection lost');
    });
  });
  pool.on('error', () => {});
  const ofLookUps = { ...config, query_timeout: lookUpTimeoutMs, pipeline: true };
  return { pool, lookUps: new PostgresLookUps(() => new pg.Client(ofLookUps)) };
};
