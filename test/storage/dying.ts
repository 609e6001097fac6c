import { StatementSync } from 'node:sqlite';
import pg from 'pg';

/**
 * Kills this process at the moment of that number. The moments are those right before each statement on either database,
 * and those that the caller adds by calling the result, which says how many have passed.
 */
export const dieAt = (moment: number): (() => number) => {
  let moments = 0;
  const pass = (): number => {
    moments += 1;
    if (moments === moment) process.kill(process.pid, 'SIGKILL');
    return moments;
  };
  for (const name of ['all', 'run'] as const) {
    const original = StatementSync.prototype[name];
    Reflect.set(StatementSync.prototype, name, function (this: StatementSync, ...parameters: never[]) {
      pass();
      return Reflect.apply(original, this, parameters);
    });
  }
  const query = pg.Client.prototype.query;
  Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...parameters: unknown[]) {
    pass();
    return Reflect.apply(query, this, parameters);
  });
  return pass;
};
