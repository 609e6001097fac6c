import type { Clock } from '../../lib/clock.ts';
import { type AppProfiles, createAppProfiles } from './app-profiles.ts';
import type { FileTickets } from './file-tickets.ts';
import { createImages, type Images } from './images.ts';
import type { ImageStore, ProfileStore } from './ports.ts';
import { createPrepareImage } from './prepare-image.ts';
import { createUserProfiles, type UserProfiles } from './user-profiles.ts';

/** Everything about profiles, themes and images. One nickname and one avatar per student, whoever sets them. */
export interface Profiles extends UserProfiles, AppProfiles {
  readonly uploadImage: Images['upload'];
  readonly openImage: Images['open'];
}

interface ProfileDeps {
  readonly profiles: ProfileStore;
  readonly images: ImageStore;
  readonly tickets: FileTickets;
  readonly clock: Clock;
}

export const createProfiles = (deps: ProfileDeps): Profiles => {
  const prepare = createPrepareImage();
  const { upload, open } = createImages({ ...deps, prepare });
  return {
    ...createUserProfiles(deps),
    ...createAppProfiles({ ...deps, prepare }),
    uploadImage: upload,
    openImage: open,
  };
};
