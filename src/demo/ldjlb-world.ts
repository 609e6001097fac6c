import { timeText } from './ldjlb-time.ts';
import { type DemoActivity, type DemoSignItem, laborActivities } from './records/labor-activities.ts';
import { clubId } from './records/labor-clubs.ts';
import type { DemoStudent } from './students.ts';

/** What the application answers to a write: code 0 or a refusal in words. */
export interface Verdict {
  readonly code: 0 | 1;
  readonly msg: string;
  readonly data: unknown;
}

const refused = (msg: string): Verdict => ({ code: 1, msg, data: null });

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

interface Membership {
  readonly joined: Set<string>;
  /** Sign-in item → epoch ms; 0 for a sign-in before the campus opened. */
  readonly signed: Map<string, number>;
}

/** Who has joined what: capacity is everybody's, membership a student's own. */
export class LaborWorld {
  readonly #activities: ReadonlyMap<string, DemoActivity>;
  readonly #now: () => number;
  readonly #memberships = new Map<string, Membership>();
  /** Demo students in an activity, beside its `others`. */
  readonly #added = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
    this.#activities = new Map(laborActivities(now()).map((activity) => [activity.id, activity]));
  }

  activity(id: string): DemoActivity | null {
    return this.#activities.get(id) ?? null;
  }

  ofClub(id: string): DemoActivity[] {
    return [...this.#activities.values()].filter(({ club }) => clubId(club) === id);
  }

  joined(student: DemoStudent): DemoActivity[] {
    return [...this.#of(student).joined].flatMap((id) => this.activity(id) ?? []);
  }

  hasJoined(student: DemoStudent, id: string): boolean {
    return this.#of(student).joined.has(id);
  }

  members({ id, others }: DemoActivity): number {
    return others + (this.#added.get(id) ?? 0);
  }

  /** Null while not signed. */
  signedAt(student: DemoStudent, item: DemoSignItem): number | null {
    const at = this.#of(student).signed.get(item.id);
    return at === undefined ? null : Math.max(at, item.from);
  }

  apply(student: DemoStudent, id: string): Verdict {
    const activity = this.activity(id);
    if (!activity) return refused('活动不存在');
    const now = this.#now();
    if (activity.closed) return refused('活动已关闭');
    if (this.hasJoined(student, id)) return refused('请勿重复报名');
    if (now < activity.signUpFrom || now > activity.signUpUntil) return refused('不在报名时间内');
    if (this.members(activity) >= activity.places) return refused('报名人数已满');
    this.#join(student, id);
    return { code: 0, msg: '报名成功', data: null };
  }

  /** `content` is `SIGN|<sign item id>`. */
  scan(student: DemoStudent, content: string, location: string): Verdict {
    const wanted = /^SIGN\|(.+)$/.exec(content)?.[1];
    const activity = [...this.#activities.values()].find(({ signItems }) => signItems.some(({ id }) => id === wanted));
    const item = activity?.signItems.find(({ id }) => id === wanted);
    if (!activity || !item) return refused('二维码无效');
    if (!this.hasJoined(student, activity.id)) return refused('未加入该活动');
    const now = this.#now();
    if (now < item.from || now > item.to) return refused('二维码已过期');
    if (this.signedAt(student, item) !== null) return refused('已签到，请勿重复签到');
    const position = positionOf(location);
    if (!position || distanceM(...position) > RADIUS_M) return refused('不在签到范围内');
    this.#of(student).signed.set(item.id, now);
    return { code: 0, msg: '签到成功', data: { ID: item.id, SignTime: timeText(now) } };
  }

  #of(student: DemoStudent): Membership {
    const known = this.#memberships.get(student.userid);
    if (known) return known;
    const { signed } = student.labor;
    const made: Membership = { joined: new Set(), signed: new Map(signed.map((id) => [id, 0])) };
    this.#memberships.set(student.userid, made);
    for (const id of student.labor.joined) this.#join(student, id);
    return made;
  }

  #join(student: DemoStudent, id: string): void {
    this.#of(student).joined.add(id);
    this.#added.set(id, (this.#added.get(id) ?? 0) + 1);
  }
}
