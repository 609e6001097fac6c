import { expect, it } from 'vitest';
import { storageFailure } from '../../../src/storage/database/storage-failure.ts';

const withCode = (code: string) => Object.assign(new Error('message'), { code });
const sqlite = (errcode: number, errstr: string) => Object.assign(new Error('message'), { errcode, errstr });

it.each([
  ['a server that refuses connections', withCode('ECONNREFUSED')],
  ['one that refuses them at each of its addresses', new AggregateError([withCode('ECONNREFUSED')])],
  ['one that is stopped', withCode('57P01')],
  ['one that is full of connections', withCode('53300')],
  ['a connection that breaks off', new Error('Connection terminated unexpectedly')],
  ['a file that another process has locked', sqlite(5, 'database is locked')],
  ['a full disk', sqlite(13, 'database or disk is full')],
])('%s may pass: the failure says when to come back', (_, error) => {
  expect(storageFailure('read', error)).toMatchObject({ kind: 'storage-failed', retryAfterSeconds: 5 });
});

it.each([
  ['a broken constraint', sqlite(19, 'constraint failed')],
  ['a statement that is wrong', withCode('42601')],
  ['a value that is no error', 'text'],
])('%s does not pass by itself', (_, error) => {
  expect(storageFailure('read', error).retryAfterSeconds).toBeUndefined();
});
