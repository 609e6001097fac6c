import { campusName, foreignDatabase } from '../../config/campus-identity.ts';
import { findingLine } from '../../config/load.ts';
import { parseDatabaseUrl, storageName } from '../../config/structured.ts';
import { isSameCampus } from '../../lib/campus-identity.ts';
import { argumentsOf, onlyArgument } from '../arguments.ts';
import type { Command } from '../operator.ts';
import { UsageError } from '../usage.ts';

const amount = ({ rows, tables }: { rows: number; tables: number }): string => `${rows} rows of ${tables} tables`;

export const backup: Command = (args) => {
  const file = onlyArgument(args, 'FILE');
  return async ({ operator, settings, out, err }) => {
    const copied = await operator.backup(file);
    if (copied === null) {
      err(`${file} exists already; nothing was changed`);
      return 1;
    }
    out(`${file}: ${amount(copied)} of ${settings.storage}`);
    err('it is of no use without SECRET_KEY, which is not in it');
    return 0;
  };
};

export const restore: Command = (args) => {
  const { values, positionals } = argumentsOf(args, { 'any-key': { type: 'boolean' } }, 1);
  const [file = ''] = positionals;
  if (file === '') throw new UsageError('FILE is missing');
  return async ({ operator, settings, out, err }) => {
    const { campus, storage } = settings;
    const restored = await operator.restore(file, (owner, foreignSeals) => {
      if (owner === null) return `${file} is no backup: it belongs to no campus`;
      if (!isSameCampus(owner, campus)) return findingLine(foreignDatabase(file, owner, campus));
      if (foreignSeals === 0 || values['any-key'] === true) return null;
      return (
        `none of the keys opens the passwords of ${foreignSeals} students in ${file}; add the key to SECRET_KEY, ` +
        'or give --any-key, and they have to log in anew'
      );
    });
    if ('refusal' in restored) {
      err(
        restored.refusal === 'not empty'
          ? `${storage} holds data already; restore into an empty one`
          : restored.refusal,
      );
      err('nothing was changed');
      return 1;
    }
    out(`${storage}: ${amount(restored)} restored, for ${campusName(campus)}`);
    return 0;
  };
};

export const move: Command = (args) => {
  const { values } = argumentsOf(args, { to: { type: 'string' } }, 0);
  const target = parseDatabaseUrl(values.to ?? '');
  if (target?.kind !== 'postgres') throw new UsageError('--to takes postgres://user:password@host:port/database');
  return async ({ operator, settings, out, err }) => {
    if (!settings.storage.startsWith('SQLite ')) {
      err(`${settings.storage} is no SQLite database; move PostgreSQL with its own tools`);
      return 1;
    }
    const moved = await operator.move(target.url);
    if (moved === null) {
      err(`${storageName(target)} holds data already; nothing was changed`);
      return 1;
    }
    out(`${storageName(target)}: ${amount(moved)}, as many as in ${settings.storage}`);
    err(
      'set DATABASE_URL to it, keep SECRET_KEY (also that of data/secret.key), and start; the old file stays as it is',
    );
    return 0;
  };
};
