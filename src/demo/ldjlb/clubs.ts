import { timeText } from '../records/labor-activities.ts';
import type { DemoApplication } from '../records/labor-club.ts';
import { clubDirectory, type DemoClub } from '../records/labor-clubs.ts';
import type { DemoStudent } from '../students.ts';

/** Code 0, or a refusal: 1 cannot be applied for, 2 member already, 3 an application is open. */
interface Decided {
  readonly code: 0 | 1 | 2 | 3;
  readonly msg: string;
  readonly data: null;
}

const decide = (code: Decided['code'], msg: string): Decided => ({ code, msg, data: null });

interface OwnApplication extends DemoApplication {
  /** Epoch ms. */
  readonly at: number;
}

/** A student with odd records is sent the same fact as text, number, boolean or nothing, by row. */
const flag = ({ labor }: DemoStudent, value: boolean, row: number): unknown => {
  if (!labor.isOdd) return value;
  const forms = value ? ['1', 1, true, 'true'] : ['0', 0, false, 'false', null, undefined];
  return forms[row % forms.length];
};

/** The word for project is misspelled by the application. */
const commonRow = ({ id, name, places, members, icon, text }: DemoClub) => ({
  ID: id,
  Name: name,
  TypeID: '0b7a4c1e-1111-4c53-8f0e-000000000009',
  ProjectID: '9a8b7c6d-3333-4b22-9d11-000000000003',
  PeopleNum: places,
  MemberNum: members,
  PorjectName: '劳动教育',
  TypeName: '校级',
  Ico: icon,
  Desc: text,
});

/** One row in twenty has something odd. */
const oddities = (at: number, { places }: DemoClub): Readonly<Record<string, unknown>> => {
  if (at % 20 === 7) return { PeopleNum: String(places) };
  if (at % 20 === 9) return { MemberNum: null };
  return at % 20 === 11 ? { TypeName: null } : {};
};

const ODD_MEMBERSHIP = {
  TypeName: null,
  Ico: null,
  PeopleNum: '60',
  MemberNum: null,
  IsEnable: '1',
  DepartCode: 302,
} as const;

const isOpen = ({ agreed, stateName = '' }: DemoApplication): boolean => agreed === null && stateName === '';

/** The directory of clubs, the same for all, and the applications of each student. */
export class ClubWorld {
  readonly #clubs: readonly DemoClub[] = clubDirectory();
  readonly #now: () => number;
  readonly #openedAt: number;
  readonly #applications = new Map<string, OwnApplication[]>();
  #made = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#openedAt = now();
  }

  /** To a student with odd records: other encodings, a missing name, a repeated id. */
  directory(student: DemoStudent): unknown[] {
    const rows = this.#clubs.map((club, at) => ({
      ...commonRow(club),
      IsEnable: flag(student, !club.closed, at),
      IsJoin: flag(student, this.#isMember(student, club.id), at),
      teacherData: [],
      ...(student.labor.isOdd ? oddities(at, club) : {}),
    }));
    const [first] = rows;
    if (!student.labor.isOdd) return rows;
    return [...rows, { ...first, ID: first?.ID.toUpperCase(), Name: '重复' }, { ...first, ID: 'nameless', Name: null }];
  }

  /** The clubs of a member; three member names are misspelled by the application. */
  listJoined({ labor }: DemoStudent): unknown[] {
    return labor.clubs.flatMap((id, at) => {
      const club = this.#clubs.find((each) => each.id === id);
      if (!club) return [];
      const chair = {
        ChairmanNo: `T10${id.slice(-2)}`,
        CairmanName: '梁秋',
        DepartCode: '0301',
        DpeartName: '后勤中心',
      };
      const row = { ...commonRow(club), ...chair, Contact: club.contact, IsEnable: !club.closed };
      return [labor.isOdd && at === 1 ? { ...row, ...ODD_MEMBERSHIP } : row];
    });
  }

  apply(student: DemoStudent, id: string, reason: string): Decided {
    const club = this.#clubs.find((each) => each.id === id);
    if (!club) return decide(1, '俱乐部不存在');
    if (club.closed) return decide(1, '俱乐部未开放申请');
    if (reason.trim() === '') return decide(1, '请填写申请理由');
    if (this.#isMember(student, id)) return decide(2, '您已加入该俱乐部');
    const own = this.#of(student);
    if (own.some((each) => each.club === id && isOpen(each))) return decide(3, '您的申请正在审核中');
    this.#made += 1;
    const made = { id: `apply-new-${this.#made}`, club: id, reason, minutesAgo: 0, comment: null, agreed: null };
    own.push({ ...made, at: this.#now() });
    return decide(0, '申请已提交');
  }

  applications(student: DemoStudent): unknown[] {
    return this.#of(student).map((application, at) => {
      const { id, club, reason, comment, agreed, stateName, dateWithT } = application;
      const time = timeText(application.at);
      return {
        ID: id,
        ClubID: club,
        ClubName: this.#clubs.find((each) => each.id === club)?.name ?? null,
        Reason: reason,
        AddTime: dateWithT ? time.replace(' ', 'T') : time,
        ReplyComment: comment,
        IsAgree: agreed === null ? null : flag(student, agreed, at),
        ...(stateName === undefined ? {} : { StateName: stateName }),
      };
    });
  }

  #isMember({ labor }: DemoStudent, id: string): boolean {
    return labor.clubs.includes(id);
  }

  #of({ userid, labor }: DemoStudent): OwnApplication[] {
    const known = this.#applications.get(userid);
    if (known) return known;
    const own = labor.applications.map((each) => ({ ...each, at: this.#openedAt - each.minutesAgo * 60_000 }));
    this.#applications.set(userid, own);
    return own;
  }
}
