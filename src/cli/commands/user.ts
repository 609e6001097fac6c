import { campusTimestamp } from '../../lib/campus-time.ts';
import { noArguments, onlyArgument } from '../arguments.ts';
import type { Command, UserLine } from '../operator.ts';
import { tableLines } from '../table.ts';

const PAGE = 500;

export const listUsers: Command = (args) => {
  noArguments(args);
  return async (context) => {
    const { timeZone } = context.settings;
    let total = 0;
    let page: readonly UserLine[] = [];
    // Page by page, so that the number of students never decides how much memory a listing takes.
    do {
      page = await context.operator.listUsers({ after: page.at(-1)?.userid ?? '', limit: PAGE });
      const rows = page.map((user) => [
        user.userid.padEnd(20),
        String(user.tokens).padStart(6),
        campusTimestamp(user.createdAt, timeZone),
        user.lastLoginAt === null ? 'never' : campusTimestamp(user.lastLoginAt, timeZone),
      ]);
      const lines = tableLines(['USERID'.padEnd(20), 'TOKENS', 'REGISTERED'.padEnd(19), 'LAST LOGIN'], rows);
      for (const line of page.length === 0 ? [] : lines.slice(total === 0 ? 0 : 1)) context.out(line);
      total += page.length;
    } while (page.length === PAGE);
    if (total === 0) context.out('no users');
    return 0;
  };
};

export const revokeUser: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  return async (context) => {
    const tokens = await context.operator.revokeUser(userid);
    if (tokens === null) {
      context.err(`no user ${userid}`);
      return 1;
    }
    context.out(`${userid}: ${tokens} ${tokens === 1 ? 'token' : 'tokens'} revoked, campus sessions dropped`);
    return 0;
  };
};

export const deleteUser: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  return async (context) => {
    if (await context.operator.deleteUser(userid)) {
      context.out(`${userid}: account and everything stored of it erased`);
      return 0;
    }
    context.err(`no user ${userid}`);
    return 1;
  };
};

export const unlock: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  return async (context) => {
    const token = await context.operator.unlock(userid);
    if (token === null) {
      context.err(`no user ${userid}`);
      return 1;
    }
    context.out(`${userid}: budgets of guesses returned; unlock token for three logins within 30 minutes:`);
    context.out(token);
    return 0;
  };
};

export const tag: Command = (args) => {
  const text = onlyArgument(args, 'USERID or ADDRESS');
  return async (context) => {
    for (const { member, value } of context.operator.tags(text)) context.out(`${member}=${value}`);
    return 0;
  };
};
