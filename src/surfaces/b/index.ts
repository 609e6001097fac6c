import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../../domain/accounts/accounts.ts';
import type { ActivityScore } from '../../domain/activity-score/activity-score.ts';
import type { CalendarFeeds } from '../../domain/calendar/feeds.ts';
import type { Competitions } from '../../domain/competitions/competitions.ts';
import type { Electricity } from '../../domain/electricity/electricity.ts';
import type { LaborClub } from '../../domain/labor-club/labor-club.ts';
import type { FileTickets } from '../../domain/profiles/file-tickets.ts';
import type { Profiles } from '../../domain/profiles/profiles.ts';
import type { EntityTags } from '../../domain/reads/entity-tags.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ByteBudget } from '../../platform/byte-budget.ts';
import { addBodyMeter, type LargeBodies } from '../../platform/large-bodies.ts';
import { limiting, type RequestLimits } from '../../platform/limits.ts';
import { createValidator } from '../../platform/validation.ts';
import { bodySenderOf, callerKey, createAuthentication } from './bearer.ts';
import { readBodies } from './body.ts';
import type { Envelopes } from './envelope.ts';
import { createErrorHandler } from './error-handler.ts';
import { createImageAddress } from './present-profiles.ts';
import { academicsOperations } from './routes/academics.ts';
import { activityScoreOperations } from './routes/activity-score.ts';
import { authOperations } from './routes/auth.ts';
import { calendarOperations } from './routes/calendar.ts';
import { addCalendarFile } from './routes/calendar-file.ts';
import { competitionsOperations } from './routes/competitions.ts';
import { currentScoresOperations } from './routes/current-scores.ts';
import { electricityOperations } from './routes/electricity.ts';
import { type EvaluationDeps, evaluationOperations } from './routes/evaluation.ts';
import { addFiles } from './routes/files.ts';
import { addHealth, type HealthDeps } from './routes/health.ts';
import { imageOperations } from './routes/images.ts';
import { laborClubOperations } from './routes/labor-club.ts';
import { profileOperations } from './routes/profiles.ts';
import { studiesOperations } from './routes/studies.ts';
import { PlanCompletionCategory } from './schemas/studies.ts';

export interface SurfaceBDeps extends HealthDeps, EvaluationDeps {
  readonly accounts: Accounts;
  readonly competitions: Competitions;
  readonly activityScore: ActivityScore;
  readonly electricity: Electricity;
  readonly laborClub: LaborClub;
  readonly calendarFeeds: CalendarFeeds;
  readonly profiles: Profiles;
  readonly fileTickets: FileTickets;
  /** Where clients reach the service; null while nobody knows. */
  readonly publicUrl: () => string | null;
  readonly limits: RequestLimits;
  /** Bounds large bodies. */
  readonly bodies: LargeBodies;
  /** Bounds the memory of large answers. */
  readonly answers: ByteBudget;
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  readonly entityTags: EntityTags;
}

/**
 * Adds the unprefixed operations: one scope for what anybody may call, one for calls with a bearer token. Operations
 * that also need the campus are in the second one too; the domain signs in when it has to.
 */
export const registerSurfaceB = async (app: FastifyInstance, deps: SurfaceBDeps): Promise<void> => {
  const { accounts, academics, competitions, activityScore, electricity, laborClub, limits, envelopes } = deps;
  const addressOf = createImageAddress(deps.fileTickets, deps.publicUrl);
  const operations = [
    ...authOperations(accounts, deps.timeZone),
    ...profileOperations(deps.profiles, addressOf),
    ...imageOperations(deps),
    ...academicsOperations(academics),
    ...studiesOperations(academics),
    ...currentScoresOperations(academics),
    ...competitionsOperations(competitions),
    ...activityScoreOperations(activityScore),
    ...electricityOperations(electricity, deps.timeZone),
    ...laborClubOperations(laborClub),
    ...evaluationOperations(deps),
    ...calendarOperations(deps),
  ];

  await app.register(async function surfaceB(surface) {
    surface.setErrorHandler(createErrorHandler(envelopes));
    surface.setValidatorCompiler(createValidator('strict'));
    surface.decorateRequest(callerKey, null);
    surface.addSchema(PlanCompletionCategory);
    readBodies(surface);
    addHealth(surface, envelopes, deps);
    addFiles(surface, deps);
    addCalendarFile(surface, deps);

    await surface.register(async function open(scope) {
      // Guesses are counted by the operations themselves, and by far fewer.
      scope.addHook('onRequest', limiting(limits.anonymous));
      for (const operation of operations) if (operation.level === '-') operation.add(scope, deps);
    });
    await surface.register(async function authenticated(scope) {
      scope.addHook('onRequest', createAuthentication(accounts, limits));
      addBodyMeter(scope, deps.bodies, bodySenderOf);
      for (const operation of operations) if (operation.level !== '-') operation.add(scope, deps);
    });
  });
};
