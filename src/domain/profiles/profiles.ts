import type { Clock } from '../../lib/clock.ts';
import { createAppProfiles } from './app-profiles.ts';
import type { FileTickets } from './file-tickets.ts';
import { createImages } from './images.ts';
import type { ImageStore, ProfileStore } from './ports.ts';
import { createPrepareImage } from './prepare-image.ts';
import { createUserProfiles } from './user-profiles.ts';

interface ProfileDeps {
  readonly profiles: ProfileStore;
  readonly images: ImageStore;
  readonly tickets: FileTickets;
  readonly clock: Clock;
}

/** Everything about profiles, themes and images. One nickname and one avatar per student, whoever sets them. */
export const createProfiles = (deps: ProfileDeps) => {
  const all = { ...deps, prepare: createPrepareImage() };
  return { ...createUserProfiles(all), ...createAppProfiles(all), ...createImages(all) };
};

export type Profiles = ReturnType<typeof createProfiles>;
