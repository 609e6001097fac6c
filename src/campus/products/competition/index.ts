import { Type } from '@sinclair/typebox';
import type { Award, CompetitionRecord, CompetitionsCampus } from '../../../domain/competitions/records.ts';
import { address, application } from '../../contract/driver.ts';
import type { PageText, SessionAccess, UpstreamRequest, UpstreamSession } from '../../contract/upstream-session.ts';
import { usualRow } from '../../contract/upstreams.ts';
import { isOtherNumber } from '../../parsing/owners.ts';
import { unreadable } from '../../parsing/reading.ts';
import { competitionPageAlive, type PostBackForm, readForm } from './form.ts';
import { type AwardPage, parseAwards } from './parse-awards.ts';

const path = '/xsXmMain.aspx';
const pageRequest: UpstreamRequest = {
  page: 'awards',
  method: 'GET',
  path,
  expect: 'page',
  alive: competitionPageAlive,
};

/** The award tab is the second one; the name behind its link has never changed, in case the link itself is missing. */
const awardTab = 'DataList1_LinkButton1_1';
const usualAwardTarget = 'ctl00$ContentPlaceHolder1$ContentPlaceHolder2$DataList1$ctl01$LinkButton1';

/** A student has a few dozen awards, ten to a page. */
const mostPages = 60;

const formOf = async (session: UpstreamSession, page: PageText): Promise<PostBackForm> => {
  const form = await session.parse(readForm, page);
  if (form === null) throw unreadable('competitions', 'page without form');
  return form;
};

/** Finds an entry by the end of its id, because the part before it depends on the page layout. */
const valueByEnding = (entries: ReadonlyMap<string, string>, ...ends: string[]): string | undefined => {
  for (const end of ends) for (const [id, value] of entries) if (id.endsWith(end)) return value;
  return undefined;
};

/** The page sends itself back: every control with its value, and the names of the event in their fields. */
const postBack = (form: PostBackForm, target: string, change: readonly (readonly [string, string])[] = []) => {
  const fields = new Map(form.fields);
  fields.set('__EVENTTARGET', target);
  fields.set('__EVENTARGUMENT', '');
  for (const [name, value] of change) fields.set(name, value);
  return { ...pageRequest, method: 'POST', form: [...fields] } satisfies UpstreamRequest;
};

const nextLink = 'gvHj_LinkButtonNextPage';

/** Goes by the page count, or by the pager's link where no count is stated. */
const hasNext = (number: number, pages: number | null, form: PostBackForm): boolean =>
  pages === null ? valueByEnding(form.targets, nextLink) !== undefined : number < pages;

/** The post that leads to page `number` of the awards, by the pager of the award table on the page before. */
const nextPage = (form: PostBackForm, number: number): UpstreamRequest => {
  const target = valueByEnding(form.targets, nextLink, 'gvHj_btnGo');
  if (target === undefined) throw unreadable('competitions', 'award pager without link');
  const field = valueByEnding(form.namesById, 'gvHj_txtNewPageIndex');
  return postBack(form, target, field === undefined ? [] : [[field, String(number)]]);
};

const walk = async (session: UpstreamSession): Promise<CompetitionRecord> => {
  const start = await formOf(session, await session.text(pageRequest));
  const awards = new Map<string, Award>();
  let dropped = 0;
  /** How many awards of the page were new: one that is added in between moves others to the next page. */
  const take = (page: AwardPage): number => {
    const before = awards.size;
    dropped += page.dropped;
    for (const award of page.awards) if (!awards.has(award.project_id)) awards.set(award.project_id, award);
    return awards.size - before;
  };
  let text = await session.text(postBack(start, valueByEnding(start.targets, awardTab) ?? usualAwardTarget));
  const first = await session.parse(parseAwards, text);
  if (isOtherNumber(first.student_id, session.userid)) throw unreadable('competitions', 'awards of another student');
  if (first.number !== null && first.number !== 1) throw unreadable('competitions', 'awards without their first page');
  take(first);
  let form = await formOf(session, text);
  for (let number = 1; hasNext(number, first.pages, form); form = await formOf(session, text)) {
    number += 1;
    if (number > mostPages) throw unreadable('competitions', 'award pages do not end');
    text = await session.text(nextPage(form, number));
    const page = await session.parse(parseAwards, text);
    // A pager that stays where it is would be shown as a complete, shorter list.
    const fresh = take(page);
    const turned = page.number === null ? fresh > 0 : page.number === number;
    if (!turned) throw unreadable('competitions', 'award page not turned');
  }
  session.noteDropped(pageRequest.page, dropped);
  const { student_id, credits_summary } = first;
  return { student_id, awards: [...awards.values()], credits_summary };
};

/**
 * The subject competition pages. One form posts itself back, so every page is requested from the one before it: one
 * request for the page, one for every page of awards.
 */
export const createCompetitionClient = ({ sessions }: { sessions: SessionAccess }): CompetitionsCampus => ({
  record: (student, context) =>
    sessions.with(student, 'competition', context, async (session) => {
      // The server keeps the tab and the page number of a session: two walks at once would turn each other's pages.
      using _turn = await session.takeTurn('postbacks');
      return await walk(session);
    }),
});

/** The pages of subject competitions. */
export const competition = application({
  options: Type.Object({ url: address }),
  row: {
    ...usualRow,
    system: 'competitions',
    entry: { kind: 'learned-service' },
    redirects: 'also-after-form',
    showsLogin: (text) => text.includes('用户登录') || (text.includes('login') && text.includes('password')),
  },
  supplies: (access) => ({ competitions: createCompetitionClient(access) }),
});
