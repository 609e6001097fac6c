import type { FastifyInstance } from 'fastify';
import { addBodyMeter } from '../../http/limits/large-bodies.ts';
import { limitHook } from '../../http/limits/limits.ts';
import { createValidator } from '../../http/requests/validation.ts';
import type { SurfaceBDeps } from './described.ts';
import { createErrorHandler } from './error-handler.ts';
import { bodySenderOf, createAuthenticationHook, readBodies } from './requests.ts';
import { academicsOperations } from './routes/academics.ts';
import { accountOperations } from './routes/account.ts';
import { activityScoreOperations } from './routes/activity-score.ts';
import { authOperations } from './routes/auth.ts';
import { addCalendarFile, calendarOperations } from './routes/calendar.ts';
import { campusOperation } from './routes/campus.ts';
import { cardOperations } from './routes/card.ts';
import { challengeOperations } from './routes/challenges.ts';
import { competitionsOperations } from './routes/competitions.ts';
import { electricityOperations } from './routes/electricity.ts';
import { evaluationOperations } from './routes/evaluation.ts';
import { previewOperations } from './routes/evaluation-preview.ts';
import { eventOperations } from './routes/events.ts';
import { addFiles } from './routes/files.ts';
import { addHealth } from './routes/health.ts';
import { homeOperations } from './routes/home.ts';
import { hookOperations } from './routes/hooks.ts';
import { imageOperations } from './routes/images.ts';
import { laborClubOperations } from './routes/labor-club.ts';
import { offeringsOperations } from './routes/offerings.ts';
import { PlanCompletionCategory, planOperations } from './routes/plans.ts';
import { clientThemeOperations, userProfileOperations } from './routes/profiles.ts';
import { scoreOperations } from './routes/scores.ts';
import { addStatus } from './routes/status.ts';
import { termAndExamOperations } from './routes/term-and-exams.ts';
import { tokenOperations } from './routes/tokens.ts';

export const tagsB = [
  { name: 'Authentication', description: 'Login, registration, tokens and the end of an account.' },
  { name: 'Personal tokens', description: 'Tokens for the student’s own programs.' },
  { name: 'Home screen', description: 'The start of an app in one call.' },
  { name: 'Academic affairs', description: 'Summary, terms, scores, schedule, plans, exams and competitions.' },
  {
    name: 'Course offerings',
    description: 'What the campus offers in a term, and the timetables of classes. Read once for everybody.',
  },
  { name: 'Evaluation', description: 'The automated course evaluation, with preview.' },
  { name: 'Activity score', description: 'Total and items of the activity score.' },
  { name: 'Electricity', description: 'Rooms, and the electricity of the room that is bound.' },
  { name: 'Campus card', description: 'Balance, transactions and purchases of electricity. Reading only.' },
  { name: 'Labor club', description: 'Clubs, activities, sign-up and sign-in.' },
  { name: 'Calendar feeds', description: 'Classes, exams and activities for calendar programs.' },
  {
    name: 'Change events',
    description: 'What has changed, as it is seen: a list, a stream, and addresses that are told.',
  },
  { name: 'User profile', description: 'Nickname, slogan and avatar.' },
  { name: 'Client-theme profile', description: 'Colours and backgrounds of the client.' },
  { name: 'Files', description: 'Images by signed addresses.' },
  { name: 'Home and health', description: 'The documentation, and whether the service lives and can serve.' },
] as const;

const operationsB = [
  campusOperation,
  authOperations,
  challengeOperations,
  tokenOperations,
  accountOperations,
  userProfileOperations,
  clientThemeOperations,
  imageOperations,
  academicsOperations,
  termAndExamOperations,
  planOperations,
  scoreOperations,
  offeringsOperations,
  homeOperations,
  competitionsOperations,
  cardOperations,
  activityScoreOperations,
  electricityOperations,
  laborClubOperations,
  evaluationOperations,
  previewOperations,
  calendarOperations,
  hookOperations,
  eventOperations,
];

/** Adds the unprefixed operations, in one scope those without a token, in another one those of a student. */
export const registerSurfaceB = async (app: FastifyInstance, deps: SurfaceBDeps): Promise<void> => {
  const { services, http, place, envelopes } = deps;
  const { limits, bodies } = http;
  const operations = operationsB.flatMap((operationsOf) => operationsOf(deps));

  await app.register(async function surfaceB(surface) {
    surface.setErrorHandler(createErrorHandler(envelopes, place, services.campus));
    surface.setValidatorCompiler(createValidator('strict'));
    surface.addSchema(PlanCompletionCategory);
    readBodies(surface);
    addHealth(surface, deps);
    addFiles(surface, deps);
    addCalendarFile(surface, deps);

    await surface.register(async function open(scope) {
      // The operations themselves count guesses, and allow far fewer.
      scope.addHook('onRequest', limitHook(limits, 'anonymous'));
      for (const operation of operations) if (operation.level === '-') operation.add(scope, deps);
    });
    await surface.register(async function authenticated(scope) {
      scope.addHook('onRequest', createAuthenticationHook(services.accounts, limits));
      addBodyMeter(scope, bodies, bodySenderOf);
      for (const operation of operations) if (operation.level !== '-') operation.add(scope, deps);
    });
    addStatus(surface, deps);
  });
};
