import type { AppProfileChange, ClientThemeChange, ProfileStore, UserProfileChange } from '../domain/profiles/ports.ts';
import { type AppProfile, type ClientTheme, defaultTheme, type UserProfile } from '../domain/profiles/types.ts';
import { readAppProfile, writeAppProfile } from './app-profile-rows.ts';
import { readClientTheme, writeClientTheme } from './client-theme-rows.ts';
import { updateWithImages } from './image-rows.ts';
import type { Runner } from './run.ts';
import { readUserProfile, writeUserProfile } from './user-profile-rows.ts';

const isGiven = (...values: unknown[]): boolean => values.some((value) => value !== undefined);

export class SqlProfileStore implements ProfileStore {
  readonly #runner: Runner;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  userProfile(userid: string): Promise<UserProfile | null> {
    return this.#runner.run('read profile', (db) => readUserProfile(db, userid));
  }

  clientTheme(userid: string): Promise<ClientTheme | null> {
    return this.#runner.run('read theme', (db) => readClientTheme(db, userid));
  }

  appProfile(userid: string): Promise<AppProfile> {
    return this.#runner.run('read app profile', (db) => readAppProfile(db, userid));
  }

  updateUserProfile(userid: string, change: UserProfileChange, now: number): Promise<UserProfile> {
    return updateWithImages(this.#runner, 'update profile', { userid, now }, async (transaction, images) => {
      await writeUserProfile(transaction, images, userid, change, now);
      await images.release();
      const written = await readUserProfile(transaction, userid);
      return written ?? { nickname: null, slogan: '', avatar: null };
    });
  }

  updateClientTheme(userid: string, change: ClientThemeChange, now: number): Promise<ClientTheme> {
    return updateWithImages(this.#runner, 'update theme', { userid, now }, async (transaction, images) => {
      await writeClientTheme(transaction, images, userid, change, now);
      await images.release();
      return (await readClientTheme(transaction, userid)) ?? defaultTheme;
    });
  }

  updateAppProfile(userid: string, change: AppProfileChange, now: number): Promise<AppProfile> {
    return updateWithImages(this.#runner, 'update app profile', { userid, now }, async (transaction, images) => {
      const { nickname, avatar, background, settings } = change;
      if (isGiven(nickname, avatar)) await writeUserProfile(transaction, images, userid, { nickname, avatar }, now);
      if (isGiven(background, settings)) await writeAppProfile(transaction, images, userid, change, now);
      await images.release();
      return readAppProfile(transaction, userid);
    });
  }
}
