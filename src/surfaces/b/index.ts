import type { FastifyInstance } from 'fastify';
import type { Academics } from '../../domain/academics/academics.ts';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { RequestLimits } from '../../platform/limits.ts';
import { callerKey, createAuthentication } from './bearer.ts';
import { readBodies } from './body.ts';
import type { Envelopes } from './envelope.ts';
import { createErrorHandler } from './error-handler.ts';
import { academicsOperations } from './routes/academics.ts';
import { authOperations } from './routes/auth.ts';
import { addHealth, type HealthDeps } from './routes/health.ts';

export interface SurfaceBDeps extends HealthDeps {
  readonly accounts: Accounts;
  readonly academics: Academics;
  readonly limits: RequestLimits;
  readonly envelopes: Envelopes;
}

/**
 * Adds the unprefixed operations: one scope for what anybody may call, one for calls with a bearer token. Operations
 * that also need the campus are in the second one too; the domain signs in when it has to.
 */
export const registerSurfaceB = async (app: FastifyInstance, deps: SurfaceBDeps): Promise<void> => {
  const { accounts, academics, limits, envelopes } = deps;
  const operations = [...authOperations(accounts), ...academicsOperations(academics)];

  await app.register(async function surfaceB(surface) {
    surface.setErrorHandler(createErrorHandler(envelopes));
    // Operations check their requests themselves; the schema of a route documents and serializes.
    surface.setValidatorCompiler(() => () => true);
    surface.decorateRequest(callerKey, null);
    readBodies(surface);
    addHealth(surface, envelopes, deps);

    await surface.register(async function open(scope) {
      scope.addHook('onRequest', limits.anonymous);
      for (const operation of operations) if (operation.level === '-') operation.add(scope, envelopes);
    });
    await surface.register(async function authenticated(scope) {
      scope.addHook('onRequest', createAuthentication(accounts, limits));
      for (const operation of operations) if (operation.level !== '-') operation.add(scope, envelopes);
    });
  });
};
