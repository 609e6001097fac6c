import { noArguments } from '../arguments.ts';
import type { Command } from '../operator.ts';

export const rotateKeys: Command = (args) => {
  noArguments(args);
  return async (context) => {
    const { resealed, unreadable, unsettled } = await context.operator.rotateKeys();
    context.out(`${resealed} sealed anew with the first key`);
    if (unsettled > 0)
      context.err(`${unsettled} changed meanwhile; run the command again before an old key is removed`);
    if (unreadable > 0) {
      context.err(
        `${unreadable} opened by no key; their students have to log in anew. Is a key missing in SECRET_KEY?`,
      );
    }
    if (unsettled > 0 || unreadable > 0) return 1;
    context.out('the other keys are not needed any more');
    return 0;
  };
};
