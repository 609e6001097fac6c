import { describe, expect, it, vi } from 'vitest';
import { createFileTickets } from '../../../../src/domain/profiles/images.ts';
import { createProfiles } from '../../../../src/domain/profiles/profiles.ts';
import { defaultTheme, type ImageStore, type ProfileStore } from '../../../../src/domain/profiles/types.ts';
import { first } from '../../../support/campus-rig.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const id = '01234567-89ab-4def-8123-456789abcdef';

const world = () => {
  const clock = new ManualClock();
  const user = vi.fn<ProfileStore['updateUserProfile']>(async () => ({ nickname: null, slogan: '', avatar: null }));
  const theme = vi.fn<ProfileStore['updateClientTheme']>(async () => defaultTheme);
  const profiles = createProfiles({
    profiles: { updateUserProfile: user, updateClientTheme: theme } as Partial<ProfileStore> as ProfileStore,
    images: {} as ImageStore,
    tickets: createFileTickets([Buffer.alloc(32)], clock),
    clock,
  });
  return { user, theme, profiles };
};

describe('an update', () => {
  it.each([{ nickname: '' }, { slogan: '' }, { avatar: '' }, { avatar: id }])(
    'of one member of a profile is stored: %j',
    async (change) => {
      const { profiles, user } = world();
      await profiles.updateUserProfile(first, change);
      expect(user).toHaveBeenCalledOnce();
    },
  );

  it.each([
    { darkMode: false, light: {}, dark: {} },
    { light: { opacity: 0 }, dark: {} },
    { light: {}, dark: { background: '' } },
  ])('of one member of a theme is stored: %j', async (change) => {
    const { profiles, theme } = world();
    await profiles.updateClientTheme(first, change);
    expect(theme).toHaveBeenCalledOnce();
  });

  it('of nothing is refused, and writes nothing', async () => {
    const { profiles, user, theme } = world();
    await expect(profiles.updateUserProfile(first, {})).rejects.toMatchObject({ kind: 'nothing-to-update' });
    await expect(profiles.updateClientTheme(first, { light: {}, dark: {} })).rejects.toMatchObject({
      kind: 'nothing-to-update',
    });
    expect([user, theme].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });
});
