import { noArguments } from '../arguments.ts';
import type { Command } from '../operator.ts';

export const rotateKeys: Command = (args) => {
  noArguments(args);
  return async (desk) => {
    const { resealed, unreadable, unsettled } = await desk.operator.rotateKeys();
    desk.out(`${resealed} sealed anew with the first key`);
    if (unsettled > 0) desk.err(`${unsettled} changed meanwhile; run the command again before an old key is removed`);
    if (unreadable > 0) {
      desk.err(`${unreadable} opened by no key; their students have to log in anew. Is a key missing in SECRET_KEY?`);
    }
    if (unsettled > 0 || unreadable > 0) return 1;
    desk.out('the other keys are not needed any more');
    return 0;
  };
};
