import { describe, expect, it } from 'vitest';
import type { UpstreamRequest } from '../../../../../src/campus/contract/upstream-session.ts';
import { createCompetitionClient } from '../../../../../src/campus/products/competition/index.ts';
import { callContext } from '../../../../support/campus-rig.ts';
import { FakeJwc, student } from '../urp/fake-jwc.ts';
import { fixture, rejection } from '../urp/fixtures.ts';

const path = '/xsXmMain.aspx';
const start = fixture('../competition/start.html');
const firstPage = fixture('../competition/awards.html');
const lastPage = fixture('../competition/awards-last.html');
const name = 'ctl00$ContentPlaceHolder1$ContentPlaceHolder2$';

/** A client in front of a site that answers its requests with these pages, one after the other. */
const walk = (...pages: string[]) => {
  const site = new FakeJwc();
  site.answers(path, () => pages[Math.min(site.requests.length, pages.length) - 1] ?? '');
  return {
    site,
    record: () => createCompetitionClient({ sessions: site }).record(student, callContext()),
  };
};
const formOf = (request: Pick<UpstreamRequest, 'form'> | undefined) => Object.fromEntries(request?.form ?? []);
const unreadable = { kind: 'upstream-unreadable', system: 'competitions' };

describe('the walk over the award pages', () => {
  it('asks for the page, its award tab and every further page, each out of the form before', async () => {
    const { site, record } = walk(start, firstPage, lastPage);
    const { awards, student_id, credits_summary } = await record();
    expect(awards.map(({ project_id }) => project_id)).toEqual(['40211', '40388', '40500']);
    expect([student_id, credits_summary?.discipline_competition_credits]).toEqual(['20239001', 16.6]);
    expect(site.systems).toEqual(['competition']);
    expect(site.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
    const [, tab, turn] = site.requests.map(formOf);
    expect(tab).toMatchObject({
      __EVENTTARGET: `${name}DataList1$ctl07$LinkButton1`,
      __VIEWSTATE: '/wEPDwUKMTIzNDU2Nzg5MA9kFgI=',
      [`${name}ddlSslb`]: '%',
      [`${name}gvSb$ctl28$txtNewPageIndex`]: '1',
    });
    expect(turn).toMatchObject({
      __EVENTTARGET: `${name}gvHj$ctl13$LinkButtonNextPage`,
      __VIEWSTATE: '/wEPDwUKOTg3NjU0MzIxMA9kFgQ=',
      [`${name}gvHj$ctl13$txtNewPageIndex`]: '2',
    });
    expect(turn).not.toHaveProperty(`${name}gvSb$ctl28$txtNewPageIndex`);
    expect(site.dropped).toEqual([{ page: 'awards', dropped: 1 }]);
  });

  it('is no record where it begins behind the first page, or names another student', async () => {
    await expect(walk(start, lastPage).record()).rejects.toMatchObject(unreadable);
    const other = firstPage.replaceAll('20239001', '2023000999');
    await expect(walk(start, other, other).record()).rejects.toMatchObject(unreadable);
  });

  it('falls back on the usual target, and on the GO link of the pager', async () => {
    const { site, record } = walk(
      start.replace('DataList1_LinkButton1_1', 'renamed'),
      firstPage.replace('gvHj_LinkButtonNextPage', 'renamed'),
      lastPage,
    );
    await record();
    const targets = site.requests.slice(1).map((request) => formOf(request).__EVENTTARGET);
    expect(targets).toEqual([`${name}DataList1$ctl01$LinkButton1`, `${name}gvHj$ctl13$btnGo`]);
  });

  it('sends its own event, not the one already in the page', async () => {
    const kept = 'id="__EVENTARGUMENT" value=""';
    expect(start).toContain(kept);
    const { site, record } = walk(start.replace(kept, 'id="__EVENTARGUMENT" value="Page$3"'), firstPage, lastPage);
    await record();
    expect(formOf(site.requests[1])).toMatchObject({ __EVENTARGUMENT: '', __LASTFOCUS: '' });
  });

  it.each(['', '0', 'x'])('follows the links of the pager where it counts %j pages', async (count) => {
    const uncounted = (page: string) => page.replace(/(gvHj_LabelPageCount">)2/, `$1${count}`);
    const { awards } = await walk(start, uncounted(firstPage), uncounted(lastPage)).record();
    expect(awards.map(({ project_id }) => project_id)).toEqual(['40211', '40388', '40500']);
  });

  it('gives up where the pages do not end', async () => {
    const many = Array.from({ length: 80 }, (_, i) =>
      firstPage
        .replace(/(gvHj_LabelCurrentPage">)1/, `$1${i + 1}`)
        .replace(/(gvHj_LabelPageCount">)2/, '$1900')
        .replaceAll('40211', String(50_000 + i)),
    );
    const { site, record } = walk(start, ...many);
    expect(await rejection(record())).toMatchObject(unreadable);
    expect(site.requests.length).toBeLessThanOrEqual(61);
  });

  it('lists an award that two pages show once', async () => {
    const repeated = lastPage.replace('40500', '40388');
    const { awards } = await walk(start, firstPage, repeated).record();
    expect(awards.map(({ project_id }) => project_id)).toEqual(['40211', '40388']);
  });

  it.each([
    ['has no form', 'x'],
    ['is the other tab', start],
    ['stays where it is', firstPage],
    ['stays where it is without saying so', firstPage.replace('gvHj_LabelCurrentPage', 'renamed')],
  ])('is never a shorter list: a second page that %s is unreadable', async (_, page) => {
    const failure = await rejection(walk(start, firstPage, page).record());
    expect(failure).toMatchObject(unreadable);
  });

  it('ends at a pager that counts pages but has no link', async () => {
    const noLink = firstPage.replace('gvHj_LinkButtonNextPage', 'a').replace('gvHj_btnGo', 'b');
    expect(await rejection(walk(start, noLink).record())).toMatchObject(unreadable);
  });
});
