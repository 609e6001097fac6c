import type { Clock } from '../../lib/clock.ts';
import { type AppProfiles, createAppProfiles } from './app-profiles.ts';
import type { FileTickets } from './file-tickets.ts';
import { createImages, type Images } from './images.ts';
import type { ImageStore, ProfileStore } from './ports.ts';
import { UploadRate } from './upload-rate.ts';
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
  const rate = new UploadRate(deps.clock);
  const { upload, open } = createImages({ ...deps, rate });
  return { ...createUserProfiles(deps), ...createAppProfiles({ ...deps, rate }), uploadImage: upload, openImage: open };
};
