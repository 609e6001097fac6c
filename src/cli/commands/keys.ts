import { command, onDatabase, Refused } from '../command.ts';

export const rotateKeys = command({
  name: 'rotate-keys',
  does: 'Reseals everything with the first key of SECRET_KEY. May run beside the service.',
  run: (_, world) =>
    onDatabase(world, 'current', async ({ storage }) => {
      const { resealed, unreadable, unsettled } = await storage.rotate();
      world.out(`${resealed} resealed with the first key`);
      if (unsettled > 0)
        world.err(`${unsettled} changed in between; run the command again before an old key is removed`);
      if (unreadable > 0)
        world.err(
          `${unreadable} opened by no key; their students have to log in again. Is a key missing in SECRET_KEY?`,
        );
      if (unsettled > 0 || unreadable > 0) throw new Refused();
      world.out('the other keys are not needed any more');
    }),
});
