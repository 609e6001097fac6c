import type { CampusState } from '../campus-state.ts';
import { type DemoCall, type DemoReply, type DemoRoute, jsonBody } from '../exchange.ts';
import type { DemoActivity } from '../records/labor-activities.ts';
import type { DemoStudent } from '../students.ts';
import { pageOf, success, TicketApplication } from '../ticket-application.ts';
import { ClubWorld } from './clubs.ts';
import { activityRow, detailOf, signRow } from './rows.ts';
import { LaborWorld } from './world.ts';

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

const field = (call: DemoCall, name: string): string => call.form.get(name) ?? call.query.get(name) ?? '';

const withPageInfo = <T>(call: DemoCall, all: readonly T[], shown: (row: T) => unknown = (row) => row): DemoReply => {
  const { rows, index, size } = pageOf(call, all);
  const pageInfo = { TotalItemCount: all.length, PageSize: size, CurrentPageIndex: index };
  return success(rows.map(shown), { pageInfo });
};

export class LaborClub extends TicketApplication {
  readonly #world: LaborWorld;
  readonly #clubs: ClubWorld;
  readonly #now: () => number;
  readonly routes: readonly DemoRoute[];

  constructor(state: CampusState) {
    super(state, 'ldjlb');
    this.#now = () => state.clock.now();
    this.#world = new LaborWorld(this.#now, () => state.switches.datesMove);
    this.#clubs = new ClubWorld(this.#now);
    this.routes = [this.callback, ...this.#activityRoutes(), ...this.#clubRoutes()];
  }

  #activityRoutes(): readonly DemoRoute[] {
    const world = this.#world;
    return [
      this.post('/User/Activity/GetMyFinishCount', (_call, student) => success(world.countFinished(student))),
      this.post('/User/Center/DoGetScoreInfo', (_call, student) => {
        const finished = world.countFinished(student);
        return success({ SumScore: finished * 2, Progress: finished * 10 });
      }),
      this.post('/User/Activity/DoGetJoinPageList', (call, student) =>
        this.#list(call, student, world.listJoined(student)),
      ),
      this.post('/User/Activity/DoGetPageList', (call, student) =>
        this.#list(call, student, world.ofClub(field(call, 'clubID'))),
      ),
      this.post('/User/Activity/DoApplyJoin', (call, student) =>
        jsonBody(world.apply(student, field(call, 'activityID'))),
      ),
      this.post('/User/Center/DoScanSignQRImage', (call, student) => {
        const { content, location } = scanFields(call);
        return jsonBody(world.scan(student, content, location));
      }),
      this.post('/User/Activity/DoGetSignList', (call, student) => {
        const activity = world.activity(field(call, 'activityID'));
        if (!activity) return jsonBody(unknownActivity);
        const items = field(call, 'type') === '1' ? activity.signItems : [];
        return success(pageOf(call, items).rows.map((item) => signRow(world, student, item)));
      }),
      this.post('/User/Activity/DoGetDetail', (call, student) => {
        const activity = world.activity(field(call, 'id'));
        if (activity) return jsonBody({ code: 0, msg: '', ...detailOf(world, student, activity, this.#now()) });
        const nothing = { formData: null, flowData: null, VenueReserveData: null, teacherList: null };
        return jsonBody({ ...unknownActivity, ...nothing });
      }),
    ];
  }

  #clubRoutes(): readonly DemoRoute[] {
    const clubs = this.#clubs;
    return [
      this.post('/User/Club/DoGetJoinList', (_call, student) => success(clubs.listJoined(student))),
      this.post('/User/Club/DoGetPageList', (call, student) => withPageInfo(call, clubs.directory(student))),
      this.post('/User/Club/DoApplyJoin', (call, student) =>
        jsonBody(clubs.apply(student, call.form.get('clubID') ?? '', call.form.get('Reason') ?? '')),
      ),
      // Without page information, and for students with many of them in another form.
      this.post('/User/Center/DoGetApplyClubList', (call, student) => {
        const all = clubs.applications(student);
        const { rows } = pageOf(call, all);
        return success(all.length > 100 ? { rows } : rows);
      }),
    ];
  }

  #list(call: DemoCall, student: DemoStudent, activities: readonly DemoActivity[]): DemoReply {
    return withPageInfo(call, activities, (activity) => activityRow(this.#world, student, activity, this.#now()));
  }
}
