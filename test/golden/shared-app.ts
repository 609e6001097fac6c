import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '../../src/app.ts';
import type { Config } from '../../src/config/config.ts';
import type { RunningServices } from '../../src/services.ts';
import type { SharedApp } from '../support/gateway-rig.ts';
import { standIns } from '../support/stand-ins.ts';

/** One application for many operations, each with services, storage and campus of its own. */
export class OneApp implements SharedApp {
  #app: FastifyInstance | null = null;
  #services: RunningServices | null = null;
  #url = '';

  get url(): string {
    return this.#url;
  }

  async serve(config: Config, services: RunningServices, options: AppOptions): Promise<FastifyInstance> {
    this.#services = services;
    if (this.#app) return this.#app;
    const app = await buildApp(
      config,
      standIns(() => this.#services ?? services),
      options,
    );
    this.#url = await app.listen({ host: '127.0.0.1', port: 0 });
    this.#app = app;
    return app;
  }

  async close(): Promise<void> {
    await this.#app?.close();
  }
}
