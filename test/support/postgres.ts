import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Creates a database on the PostgreSQL of this test run, empty unless `as` says what it is made of, and returns its url. */
export const freshPostgresUrl = async (as = ''): Promise<string> => {
  const url = new URL(inject('postgresUrl'));
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`create database ${name} ${as}`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
};
