import { timeText } from './ldjlb-time.ts';
import { clubDirectory, type DemoApplication, type DemoClub } from './records/club-directory.ts';
import type { DemoStudent } from './students.ts';

/** Code 0, or a refusal: 1 cannot be applied for, 2 member already, 3 an application is open. */
interface Decided {
  readonly code: 0 | 1 | 2 | 3;
  readonly msg: string;
  readonly data: null;
}

const decided = (code: Decided['code'], msg: string): Decided => ({ code, msg, data: null });

interface OwnApplication extends DemoApplication {
  /** Epoch ms. */
  readonly at: number;
}

/** The application sends one and the same fact as text, number, boolean or nothing; which one goes by the row. */
const inSomeForm = (value: boolean, row: number): unknown => {
  const forms = value ? ['1', 1, true, 'true'] : ['0', 0, false, 'false', null, undefined];
  return forms[row % forms.length];
};

const isOpen = ({ agreed, stateName = '' }: DemoApplication): boolean => agreed === null && stateName === '';

/** The directory of clubs, which is everybody's, and the applications of each student. */
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

  /** One row in twenty has something odd about it: other encodings, a name too little, an id that was there before. */
  directory(student: DemoStudent): unknown[] {
    const rows = this.#clubs.map(({ id, name, places, others, closed }, at) => ({
      ID: id,
      Name: name,
      TypeID: 't9',
      ProjectID: 'p3',
      PeopleNum: at % 20 === 7 ? String(places) : places,
      MemberNum: at % 20 === 9 ? null : others,
      PorjectName: '劳动实践',
      TypeName: at % 20 === 11 ? null : '综合劳动',
      Ico: at % 2 === 0 ? null : `/upload/club/${at}.png`,
      Desc: at % 5 === 0 ? '欢迎加入' : null,
      IsEnable: inSomeForm(!closed, at),
      IsJoin: inSomeForm(this.#isMember(student, id), at),
      teacherData: [],
    }));
    const [first] = rows;
    return [...rows, { ...first, ID: first?.ID.toUpperCase(), Name: '重复' }, { ...first, ID: 'nameless', Name: null }];
  }

  apply(student: DemoStudent, id: string, reason: string): Decided {
    const club = this.#clubs.find((each) => each.id === id);
    if (!club) return decided(1, '俱乐部不存在');
    if (club.closed) return decided(1, '俱乐部未开放申请');
    if (reason.trim() === '') return decided(1, '请填写申请理由');
    if (this.#isMember(student, id)) return decided(2, '您已加入该俱乐部');
    const own = this.#of(student);
    if (own.some((each) => each.club === id && isOpen(each))) return decided(3, '您的申请正在审核中');
    this.#made += 1;
    const made = { id: `apply-new-${this.#made}`, club: id, reason, minutesAgo: 0, comment: null, agreed: null };
    own.push({ ...made, at: this.#now() });
    return decided(0, '申请已提交');
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
        IsAgree: agreed === null ? null : inSomeForm(agreed, at),
        ...(stateName === undefined ? {} : { StateName: stateName }),
      };
    });
  }

  #isMember({ labor }: DemoStudent, id: string): boolean {
    return labor.clubs.some((club) => Object(club).ID === id);
  }

  #of({ userid, labor }: DemoStudent): OwnApplication[] {
    const known = this.#applications.get(userid);
    if (known) return known;
    const own = labor.applications.map((each) => ({ ...each, at: this.#openedAt - each.minutesAgo * 60_000 }));
    this.#applications.set(userid, own);
    return own;
  }
}
