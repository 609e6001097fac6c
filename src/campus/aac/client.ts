import type { ActivityScoreCampus } from '../../domain/activity-score/activity-score.ts';
import type { ActivityCategory, ActivityTotal } from '../../domain/activity-score/types.ts';
import type { CallContext, Student } from '../../domain/context.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SessionAccess } from '../session/upstream-session.ts';
import { TicketApplication } from '../ticket-application.ts';
import { readAllCategories } from './all-categories.ts';
import { parseCategories } from './parse-categories.ts';
import { parseTotal } from './parse-total.ts';
import { categoriesRequest, totalRequest } from './requests.ts';

/** The reads of the activity score application. */
export class AacClient implements ActivityScoreCampus {
  readonly #application: TicketApplication;

  constructor({ sessions, clock }: { sessions: SessionAccess; clock: Clock }) {
    this.#application = new TicketApplication({ sessions, clock, system: 'aac' });
  }

  total(student: Student, context: CallContext): Promise<ActivityTotal> {
    return this.#application.reading(student, context, async ({ ask }) => parseTotal((await ask(totalRequest)).data));
  }

  categories(student: Student, context: CallContext): Promise<readonly ActivityCategory[]> {
    return this.#application.reading(student, context, ({ ask }) =>
      readAllCategories(async (page) => parseCategories((await ask(categoriesRequest(page))).data)),
    );
  }
}
