import { onlyArgument } from '../arguments.ts';
import type { Command } from '../operator.ts';

export const unlock: Command = (args) => {
  const userid = onlyArgument(args, 'USERID');
  return async (desk) => {
    const token = await desk.operator.unlock(userid);
    if (token === null) {
      desk.err(`no user ${userid}`);
      return 1;
    }
    desk.out(`${userid}: budgets of guesses returned; unlock token for three logins within 30 minutes:`);
    desk.out(token);
    return 0;
  };
};

export const tag: Command = (args) => {
  const text = onlyArgument(args, 'USERID or ADDRESS');
  return async (desk) => {
    for (const { member, value } of desk.operator.tags(text)) desk.out(`${member}=${value}`);
    return 0;
  };
};
