import { type DemoActivity, type DemoSignItem, laborActivities, timeText } from '../records/labor-activities.ts';
import { clubId } from '../records/labor-clubs.ts';
import type { DemoStudent } from '../students.ts';

interface Verdict {
  readonly code: 0 | 1;
  readonly msg: string;
  readonly data: unknown;
}

const refuse = (msg: string): Verdict => ({ code: 1, msg, data: null });

/** Where the QR code hangs, and how far from it a sign-in counts. */
const PLACE = { longitude: 120.1, latitude: 30.2 };
const RADIUS_M = 500;
const METRES_PER_DEGREE = 111_320;

const distanceM = (longitude: number, latitude: number): number => {
  const east = (longitude - PLACE.longitude) * Math.cos((PLACE.latitude * Math.PI) / 180);
  return Math.hypot(east, latitude - PLACE.latitude) * METRES_PER_DEGREE;
};

const positionOf = (location: string): readonly [number, number] | null => {
  const found = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(location);
  return found ? [Number(found[1]), Number(found[2])] : null;
};

const HOUR_MS = 60 * 60_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** How long an activity that is over stays in the lists of those who applied for it. */
const KEPT_MS = 30 * 24 * HOUR_MS;

/** Another id for every week; the first week's is the one in the records. */
const ofWeek = (id: string, week: number): string =>
  (Number.parseInt(id.slice(0, 8), 16) + week).toString(16).padStart(8, '0') + id.slice(8);

const programme = (from: number, week: number): ReadonlyMap<string, DemoActivity> =>
  new Map(
    laborActivities(from).map((activity) => {
      const id = ofWeek(activity.id, week);
      const signItems = activity.signItems.map((item) => ({ ...item, id: ofWeek(item.id, week) }));
      return [id, { ...activity, id, signItems }];
    }),
  );

interface Membership {
  /** The week whose programme it knows. */
  readonly week: number;
  readonly joined: Set<string>;
  /** Sign-in item → epoch ms; 0 for a sign-in before the campus opened. */
  readonly signed: Map<string, number>;
}

/** Who has joined what: capacity is shared, membership is each student's. */
export class LaborWorld {
  readonly #now: () => number;
  readonly #moves: () => boolean;
  readonly #openedAt: number;
  /** Whole weeks from the opening to the programme that is shown. */
  #week = 0;
  #activities: ReadonlyMap<string, DemoActivity>;
  readonly #memberships = new Map<string, Membership>();
  /** Demo students who applied themselves, beside the `others` of an activity. */
  #added = new Map<string, number>();
  /** Activities that students applied for stay until long after their end, so that calendars keep them. */
  #applied = new Set<string>();

  /** @param moves whether every week brings a new programme */
  constructor(now: () => number, moves: () => boolean) {
    this.#now = now;
    this.#moves = moves;
    this.#openedAt = Math.floor(now() / HOUR_MS) * HOUR_MS;
    this.#activities = programme(this.#openedAt, 0);
  }

  activity(id: string): DemoActivity | null {
    return this.#current().get(id) ?? null;
  }

  ofClub(id: string): DemoActivity[] {
    return [...this.#current().values()].filter(({ club }) => clubId(club) === id);
  }

  listJoined(student: DemoStudent): DemoActivity[] {
    return [...this.#of(student).joined].flatMap((id) => this.activity(id) ?? []);
  }

  /** How many joined activities have ended, with every sign-in they had done. */
  countFinished(student: DemoStudent): number {
    const now = this.#now();
    return this.listJoined(student).filter(
      ({ endsAt, signItems }) => endsAt < now && signItems.every((item) => this.signTime(student, item) !== null),
    ).length;
  }

  hasJoined(student: DemoStudent, id: string): boolean {
    return this.#of(student).joined.has(id);
  }

  members({ id, others }: DemoActivity): number {
    return others + (this.#added.get(id) ?? 0);
  }

  signTime(student: DemoStudent, item: DemoSignItem): number | null {
    const at = this.#of(student).signed.get(item.id);
    return at === undefined ? null : Math.max(at, item.from);
  }

  apply(student: DemoStudent, id: string): Verdict {
    const activity = this.activity(id);
    if (!activity) return refuse('活动不存在');
    const now = this.#now();
    if (activity.closed) return refuse('活动已关闭');
    if (this.hasJoined(student, id)) return refuse('请勿重复报名');
    if (now < activity.signUpFrom || now > activity.signUpUntil) return refuse('不在报名时间内');
    if (this.members(activity) >= activity.places) return refuse('报名人数已满');
    this.#join(this.#of(student), id);
    this.#applied.add(id);
    return { code: 0, msg: '报名成功', data: null };
  }

  /** `content` is `SIGN|<sign item id>`. */
  scan(student: DemoStudent, content: string, location: string): Verdict {
    const wanted = /^SIGN\|(.+)$/.exec(content)?.[1];
    const activity = [...this.#current().values()].find(({ signItems }) => signItems.some(({ id }) => id === wanted));
    const item = activity?.signItems.find(({ id }) => id === wanted);
    if (!activity || !item) return refuse('二维码无效');
    if (!this.hasJoined(student, activity.id)) return refuse('未加入该活动');
    const now = this.#now();
    if (now < item.from || now > item.to) return refuse('二维码已过期');
    if (this.signTime(student, item) !== null) return refuse('已签到，请勿重复签到');
    const position = positionOf(location);
    if (!position || distanceM(...position) > RADIUS_M) return refuse('不在签到范围内');
    this.#of(student).signed.set(item.id, now);
    return { code: 0, msg: '签到成功', data: { ID: item.id, SignTime: timeText(now) } };
  }

  /** The activities of this week's programme, and those of earlier ones that a student applied for. */
  #current(): ReadonlyMap<string, DemoActivity> {
    const now = this.#now();
    const week = this.#moves() ? Math.floor((now - this.#openedAt) / WEEK_MS) : 0;
    if (week > this.#week) {
      const lasting = [...this.#activities].filter(
        ([id, { endsAt }]) => this.#applied.has(id) && endsAt > now - KEPT_MS,
      );
      this.#activities = new Map([...lasting, ...programme(this.#openedAt + week * WEEK_MS, week)]);
      this.#applied = new Set(lasting.map(([id]) => id));
      this.#added = new Map([...this.#added].filter(([id]) => this.#activities.has(id)));
      this.#week = week;
    }
    return this.#activities;
  }

  #of(student: DemoStudent): Membership {
    const activities = this.#current();
    const known = this.#memberships.get(student.userid);
    if (known?.week === this.#week) return known;
    const made: Membership = {
      week: this.#week,
      joined: new Set([...(known?.joined ?? [])].filter((id) => activities.has(id))),
      signed: new Map([
        ...(known?.signed ?? []),
        ...student.labor.signed.map((id) => [ofWeek(id, this.#week), 0] as const),
      ]),
    };
    this.#memberships.set(student.userid, made);
    for (const id of student.labor.joined) made.joined.add(ofWeek(id, this.#week));
    return made;
  }

  #join({ joined }: Membership, id: string): void {
    joined.add(id);
    this.#added.set(id, (this.#added.get(id) ?? 0) + 1);
  }
}
