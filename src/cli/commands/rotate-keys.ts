import { noArguments } from '../arguments.ts';
import { type Command, onDatabase } from '../world.ts';

export const rotateKeys: Command = (args) => {
  noArguments(args);
  return onDatabase('current', async ({ world, operator }) => {
    const { resealed, unreadable, unsettled } = await operator.rotateKeys();
    world.out(`${resealed} sealed anew with the first key`);
    if (unsettled > 0) world.err(`${unsettled} changed meanwhile; run the command again before an old key is removed`);
    if (unreadable > 0) {
      world.err(`${unreadable} opened by no key; their students have to log in anew. Is a key missing in SECRET_KEY?`);
    }
    if (unsettled > 0 || unreadable > 0) return 1;
    world.out('the other keys are not needed any more');
    return 0;
  });
};
