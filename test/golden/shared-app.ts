import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from '../../src/app.ts';
import type { Config } from '../../src/config/config.ts';
import type { RunningServices } from '../../src/services.ts';
import type { SharedApp } from '../support/gateway-rig.ts';

/** Stands for the object that `current` gives at the moment of each use. */
const standIn = <T extends object>(current: () => T): T =>
  new Proxy(current(), {
    get: (_first, name) => {
      const target = current();
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** All services of one moment after the other, under one name each. */
const standIns = (current: () => RunningServices): RunningServices =>
  new Proxy(current(), {
    get: (_first, name) => {
      const value: unknown = Reflect.get(current(), name);
      if (typeof value === 'function') return value.bind(current());
      return typeof value === 'object' && value !== null ? standIn(() => Reflect.get(current(), name)) : value;
    },
  });

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
