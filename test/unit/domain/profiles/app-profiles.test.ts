import { describe, expect, it, vi } from 'vitest';
import { createPrepareImage } from '../../../../src/domain/profiles/prepare-image.ts';
import { createAppProfiles } from '../../../../src/domain/profiles/profiles.ts';
import type { AppProfileChange, ProfileStore } from '../../../../src/domain/profiles/types.ts';
import { callContext, first } from '../../../support/campus-rig.ts';
import { pictures, pngOfBytes } from '../../../support/images.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const empty = { nickname: null, avatar: null, background: null, settings: null };

const world = () => {
  const clock = new ManualClock();
  const written = vi.fn<ProfileStore['updateAppProfile']>(async () => ({ profile: empty, imagesRefused: false }));
  const unused = () => Promise.reject(new Error('not part of this set'));
  const profiles: ProfileStore = {
    userProfile: unused,
    updateUserProfile: unused,
    clientTheme: unused,
    updateClientTheme: unused,
    appProfile: async () => empty,
    updateAppProfile: written,
  };
  const app = createAppProfiles({ profiles, prepare: createPrepareImage(), clock });
  return { written, update: (wishes: AppProfileChange<string>) => app.updateAppProfile(first, wishes, callContext()) };
};

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const image = textOf(pictures.png);
const tooLarge = textOf(pngOfBytes(2 * 1_048_576 + 1));
const foreign = textOf(Buffer.alloc(9 * 1_048_576, 'BM'));
const tooLong = 'x'.repeat(101);

describe('an update of the profile of the app', () => {
  it.each<[string, AppProfileChange<string>, string]>([
    ['an image that is none before its size', { avatar: foreign }, 'image-unsupported'],
    ['every type before every size', { avatar: tooLarge, background: foreign }, 'image-unsupported'],
    ['a size before the nickname', { avatar: tooLarge, nickname: tooLong }, 'image-too-large'],
    ['a type before the nickname', { background: foreign, nickname: tooLong }, 'image-unsupported'],
    ['the nickname last', { avatar: image, nickname: tooLong }, 'nickname-too-long'],
  ])('refuses %s, and writes nothing', async (_, wishes, kind) => {
    const { update, written } = world();
    await expect(update(wishes)).rejects.toMatchObject({ kind });
    expect(written).not.toHaveBeenCalled();
  });

  it('of nothing writes nothing', async () => {
    const { update, written } = world();
    expect(await update({})).toEqual({ profile: empty, imagesRefused: false });
    expect(written).not.toHaveBeenCalled();
  });
});
