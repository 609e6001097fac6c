import type { ActivityScoreCampus } from '../../domain/activity-score/activity-score.ts';
import { type TicketAccess, ticketApplication } from '../ticket-application.ts';
import { readAllCategories } from './all-categories.ts';
import { parseCategories } from './parse-categories.ts';
import { parseTotal } from './parse-total.ts';
import { categoriesRequest, totalRequest } from './requests.ts';

/** The reads of the activity score application. */
export const createAacClient = (access: TicketAccess): ActivityScoreCampus => {
  const { reading } = ticketApplication('aac', access);
  return {
    total: (student, context) => reading(student, context, async (ask) => parseTotal((await ask(totalRequest)).data)),
    categories: (student, context) =>
      reading(student, context, (ask) =>
        readAllCategories(async (page) => parseCategories((await ask(categoriesRequest(page))).data)),
      ),
  };
};
