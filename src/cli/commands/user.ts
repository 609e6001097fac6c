import { campusTimestamp } from '../../lib/campus-time.ts';
import { noArguments, onlyArgument } from '../arguments.ts';
import type { Command, UserLine } from '../operator.ts';
import { tableLines } from '../table.ts';

const PAGE = 500;

export const listUsers: Command = (args) => {
  noArguments(args);
  return async (desk) => {
    const { timeZone } = desk.settings;
    let total = 0;
    let page: readonly UserLine[] = [];
    // Page by page, so that the number of students never decides how much memory a listing takes.
    do {
      page = await desk.operator.listUsers({ after: page.at(-1)?.userid ?? '', limit: PAGE });
      const rows = page.map((user) => [
        user.userid.padEnd(20),
        String(user.tokens).padStart(6),
        campusTimestamp(user.createdAt, timeZone),
        user.lastLoginAt === null ? 'never' : campusTimestamp(user.lastLoginAt, timeZone),
      ]);
      const lines = tableLines(['USERID'.padEnd(20), 'TOKENS', 'REGISTERED'.padEnd(19), 'LAST LOGIN'], rows);
      for (const line of page.length === 0 ? [] : lines.slice(total === 0 ? 0 : 1)) desk.out(line);
      total += page.length;
    } while (page.length === PAGE);
    if (total === 0) desk.out('no users');
    return 0;
  };
};

export const revokeUser: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  return async (desk) => {
    const tokens = await desk.operator.revokeUser(userid);
    if (tokens === null) {
      desk.err(`no user ${userid}`);
      return 1;
    }
    desk.out(`${userid}: ${tokens} ${tokens === 1 ? 'token' : 'tokens'} revoked, campus sessions dropped`);
    return 0;
  };
};

export const deleteUser: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  return async (desk) => {
    if (await desk.operator.deleteUser(userid)) {
      desk.out(`${userid}: account and everything stored of it erased`);
      return 0;
    }
    desk.err(`no user ${userid}`);
    return 1;
  };
};
