import type { ActivityScoreCampus } from '../../domain/activity-score/activity-score.ts';
import { readAllPages } from '../all-pages.ts';
import type { UpstreamRequest } from '../session/upstream-session.ts';
import { type TicketAccess, ticketApplication } from '../ticket-application.ts';
import { mergedCategories, parseCategories, parseTotal } from './parse-answers.ts';

/** The answers do not say how many categories there are. */
const paging = { system: 'activity-score', what: 'category', size: 100, mostPages: 20, repeatsLast: true } as const;

const totalRequest: UpstreamRequest = {
  page: 'total',
  method: 'POST',
  path: '/User/Center/DoGetScoreInfo?sf_request_type=ajax',
  expect: 'json',
};

const categoriesRequest = (page: number): UpstreamRequest => ({
  page: 'categories',
  method: 'POST',
  path: '/User/Center/DoGetScoreList?sf_request_type=ajax',
  form: [
    ['pageIndex', String(page)],
    ['pageSize', String(paging.size)],
  ],
  expect: 'json',
});

/** The reads of the activity score application. */
export const createAacClient = (access: TicketAccess): ActivityScoreCampus => {
  const { reading } = ticketApplication('aac', 'activity-score', access);
  return {
    total: (student, context) => reading(student, context, (ask) => ask(totalRequest, ({ data }) => parseTotal(data))),
    categories: (student, context) =>
      reading(student, context, async (ask) => {
        const { pages } = await readAllPages(paging, async (number) => {
          const page = await ask(categoriesRequest(number), ({ data }) => parseCategories(data));
          // More than was asked for is all there is.
          return { ...page, total: page.received > paging.size ? page.received : null };
        });
        return mergedCategories(pages);
      }),
  };
};
