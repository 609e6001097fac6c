import type { CampusState, DemoUpstream } from './campus-state.ts';
import { type DemoCall, type DemoReply, type DemoRoute, jsonBody } from './exchange.ts';
import { ClubWorld } from './ldjlb-clubs.ts';
import { activityRow, detailOf, signRow } from './ldjlb-rows.ts';
import { LaborWorld } from './ldjlb-world.ts';
import type { DemoActivity } from './records/labor-activities.ts';
import type { DemoStudent } from './students.ts';
import { pageOf, success, TicketApplication, type TicketHandler } from './ticket-application.ts';

const unknownActivity = { code: 1, msg: '活动不存在', data: null };

const scanFields = (call: DemoCall): { content: string; location: string } => {
  const member = (from: unknown, name: string): string => {
    const value: unknown = typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
    return typeof value === 'string' ? value : '';
  };
  if (!/^application\/json\b/i.test(call.header('content-type') ?? '')) {
    return { content: call.form.get('content') ?? '', location: call.form.get('location') ?? '' };
  }
  const body: unknown = JSON.parse(call.body);
  return { content: member(body, 'content'), location: member(body, 'location') };
};

export const createLdjlb = (state: CampusState): DemoUpstream => {
  const application = new TicketApplication(state, 'ldjlb');
  const now = () => state.clock.now();
  const world = new LaborWorld(now, () => state.switches.datesMove);
  const clubs = new ClubWorld(now);

  const field = (call: DemoCall, name: string): string => call.form.get(name) ?? call.query.get(name) ?? '';
  const listOf = (call: DemoCall, student: DemoStudent, activities: readonly DemoActivity[]): DemoReply => {
    const { rows, index, size } = pageOf(call, activities);
    return success(
      rows.map((activity) => activityRow(world, student, activity, now())),
      { pageInfo: { TotalItemCount: activities.length, PageSize: size, CurrentPageIndex: index } },
    );
  };

  const directory: TicketHandler = (call, student) => {
    const all = clubs.directory(student);
    const { rows, index, size } = pageOf(call, all);
    return success(rows, { pageInfo: { TotalItemCount: all.length, PageSize: size, CurrentPageIndex: index } });
  };

  /** Without page information, and for students with many of them in another form. */
  const applications: TicketHandler = (call, student) => {
    const all = clubs.applications(student);
    const { rows } = pageOf(call, all);
    return success(all.length > 100 ? { rows } : rows);
  };

  const detail: TicketHandler = (call, student) => {
    const activity = world.activity(field(call, 'id'));
    if (activity) return jsonBody({ code: 0, msg: '', ...detailOf(world, student, activity, now()) });
    const nothing = { formData: null, flowData: null, VenueReserveData: null, teacherList: null };
    return jsonBody({ ...unknownActivity, ...nothing });
  };

  const signList: TicketHandler = (call, student) => {
    const activity = world.activity(field(call, 'activityID'));
    if (!activity) return jsonBody(unknownActivity);
    const items = field(call, 'type') === '1' ? activity.signItems : [];
    return success(pageOf(call, items).rows.map((item) => signRow(world, student, item)));
  };

  const scan: TicketHandler = (call, student) => {
    const { content, location } = scanFields(call);
    return jsonBody(world.scan(student, content, location));
  };

  const post = (path: string, handler: TicketHandler): DemoRoute => ({
    method: 'POST',
    path,
    handle: application.withTicket(handler),
  });
  return {
    routes: [
      application.callback,
      post('/User/Activity/GetMyFinishCount', (_call, student) => success(world.finished(student))),
      post('/User/Center/DoGetScoreInfo', (_call, student) => {
        const finished = world.finished(student);
        return success({ SumScore: finished * 2, Progress: finished * 10 });
      }),
      post('/User/Activity/DoGetJoinPageList', (call, student) => listOf(call, student, world.joined(student))),
      post('/User/Club/DoGetJoinList', (_call, student) => success(clubs.joined(student))),
      post('/User/Activity/DoGetPageList', (call, student) =>
        listOf(call, student, world.ofClub(field(call, 'clubID'))),
      ),
      post('/User/Activity/DoApplyJoin', (call, student) => jsonBody(world.apply(student, field(call, 'activityID')))),
      post('/User/Club/DoGetPageList', directory),
      post('/User/Club/DoApplyJoin', (call, student) =>
        jsonBody(clubs.apply(student, call.form.get('clubID') ?? '', call.form.get('Reason') ?? '')),
      ),
      post('/User/Center/DoGetApplyClubList', applications),
      post('/User/Center/DoScanSignQRImage', scan),
      post('/User/Activity/DoGetSignList', signList),
      post('/User/Activity/DoGetDetail', detail),
    ],
    expire: (userid) => application.expire(userid),
  };
};
