import { type Config, loadConfig } from '../config/config.ts';
import { envFile } from '../config/process-files.ts';
import type { ConfigFiles } from '../config/secrets.ts';

/**
 * As the service reads it: commands with other settings would work on another database, and say nothing of it.
 * @throws InvalidConfig
 */
export const configOfProcess = (files: ConfigFiles): Config => {
  const settings = envFile();
  if (settings !== null) process.loadEnvFile(settings);
  return loadConfig(process.env, files);
};
