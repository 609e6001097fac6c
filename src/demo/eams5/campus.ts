import { hash } from 'node:crypto';
import { type Clock, campusDate, systemClock } from '../../lib/time.ts';
import { type DemoReply, errorPage, htmlPage, jsonBody, page, redirectTo, reply, withCookies } from '../exchange.ts';
import { letters } from '../ids.ts';
import type { SchoolTerm } from '../school-terms.ts';
import { forgetful } from '../sessions.ts';
import {
  type CampusModel,
  type ModelParts,
  type SimulatedCall,
  type SimulatedCampus,
  type SimulatedHandler,
  type SimulatedStudent,
  simulateCampus,
} from '../simulated-campus.ts';
import {
  activitiesOf,
  type Eams5Exam,
  type Eams5Student,
  eams5Students,
  examsOf,
  gradesOf,
  idOf,
  nameOf,
  termsOn,
  units,
} from './records.ts';

/** The host of the manifest, which resolves nowhere. */
const HOSTS = { eams5: 'http://academics.shuwei.test' };
const TIME_ZONE = 'Asia/Shanghai';
const BASE = '/student';
const SESSION = 'SESSION';

type Eams5System = keyof typeof HOSTS;

/** What schools do differently. */
export interface Eams5Switches {
  quotedSalt: boolean;
  /** The next request for a salt is answered 404. */
  salt404: boolean;
  captcha: 'off' | 'wanted' | 'with-refusal';
  locked: boolean;
  twoProgrammes: boolean;
  sunday: boolean;
  vm: 'list' | 'single';
  layout: 'inside' | 'beside' | 'absent';
  exams: 'four' | 'six';
  pageInsteadOfRedirect: boolean;
  /** The first name of the timetable is 404. */
  otherTimetable: boolean;
}

interface Opened {
  salt: string | null;
  student: Eams5Student | null;
}

/** The shell of a page whose form a script draws. */
const shell = (title: string): DemoReply =>
  htmlPage(`<html><head><title>${title}</title></head><body><div id="app"></div></body></html>`);

const examCells = ({ id, name, lesson, date, span, building, room, seat }: Eams5Exam, form: 'four' | 'six'): string => {
  const when = date === '' ? '' : `${date} ${span[0]}~${span[1]}`;
  if (form === 'six')
    return [name, when, room, date === '' ? '' : seat, building, '东校区'].map((cell) => `<td>${cell}</td>`).join('');
  const place = date === '' ? '' : `<span>东校区</span><span>${building}</span><span>${room}</span>`;
  return `<td><div class="time">${when}</div><div>${place}<span id="seat-${id}">座位号</span></div></td>
<td><div><span>${name} </span><span>${lesson} </span><span>（闭卷） </span></div><div><span class="tag-span type2">期末</span></div></td><td>请携带学生证。</td><td>未结束</td>`;
};

/** 树维 EAMS 5 with its own login: no portal, no unified login, JSON under `/student`. */
class Eams5 implements CampusModel<Eams5System> {
  readonly switches: Eams5Switches = {
    quotedSalt: false,
    salt404: false,
    captcha: 'off',
    locked: false,
    twoProgrammes: false,
    sunday: false,
    vm: 'list',
    layout: 'inside',
    exams: 'four',
    pageInsteadOfRedirect: false,
    otherTimetable: false,
  };
  readonly #clock: Clock;
  readonly #origin: string;
  readonly #sessions = forgetful<Opened>();
  readonly #students = new Map(eams5Students.map((student) => [student.id, student]));

  constructor({ clock, origins }: ModelParts<Eams5System>) {
    this.#clock = clock;
    this.#origin = origins.eams5;
  }

  readonly systems = {
    eams5: {
      // A client that does not look like a browser is answered nothing else.
      refuse: (call: SimulatedCall) =>
        /Mozilla/.test(call.header('user-agent') ?? '') ? null : errorPage(403, 'Forbidden'),
      routes: {
        [`GET ${BASE}/login`]: () => withCookies(shell('登入页面'), [this.#cookie(this.#open())]),
        [`GET ${BASE}/login-salt`]: (call: SimulatedCall) => this.#salt(call),
        [`POST ${BASE}/login`]: (call: SimulatedCall) => this.#submit(call),
        [`GET ${BASE}/for-std/course-table`]: this.#inside((student) => this.#entrance(student, 'course-table/info')),
        [`GET ${BASE}/for-std/course-table/info/*`]: this.#own((student) => this.#termsPage(student)),
        [`GET ${BASE}/for-std/grade/sheet`]: this.#inside((student) =>
          this.#entrance(student, 'grade/sheet/semester-index'),
        ),
        [`GET ${BASE}/ws/semester/get/*`]: this.#inside((_, { params }) => this.#term(params[0] ?? '')),
        [`GET ${BASE}/for-std/course-table/semester/*/print-data`]: this.#inside((student, call) =>
          this.#timetable(student, call, false),
        ),
        [`GET ${BASE}/for-std/course-table/semester/*/print-data/*`]: this.#inside((student, call) =>
          this.#timetable(student, call, true),
        ),
        [`GET ${BASE}/for-std/grade/sheet/info/*`]: this.#own((student, { query }) =>
          this.#grades(student, query.get('semester') ?? ''),
        ),
        [`GET ${BASE}/for-std/exam-arrange/info`]: this.#inside(() => page('考试', '<p>请选择学生</p>')),
        [`GET ${BASE}/for-std/exam-arrange/info/*`]: this.#own((student) => this.#exams(student)),
      },
    },
  };

  expireSessions(): void {
    this.#sessions.clear();
  }

  /** It has no login but its own. */
  expireLogins(): void {}

  addStudent(pair: SimulatedStudent): void {
    const [first] = eams5Students;
    if (first) this.#students.set(pair.id, { ...first, ...pair, inside: 160_000 + this.#students.size });
  }

  toLogin(): DemoReply {
    return redirectTo(`${BASE}/login?refer=${encodeURIComponent(`${this.#origin}${BASE}/home`)}`);
  }

  loginPage(): DemoReply {
    return shell('登入页面');
  }

  #today(): string {
    return campusDate(this.#clock.now(), TIME_ZONE);
  }

  #open(): string {
    const id = letters(32);
    this.#sessions.set(id, { salt: null, student: null });
    return id;
  }

  #cookie(id: string): string {
    return `${SESSION}=${id}; Path=${BASE}; HttpOnly`;
  }

  #salt({ cookies }: SimulatedCall): DemoReply {
    if (this.switches.salt404) {
      this.switches.salt404 = false;
      return errorPage(404, 'Not Found');
    }
    const known = cookies.get(SESSION) ?? '';
    const id = this.#sessions.has(known) ? known : this.#open();
    const salt = `${letters(8)}-2222-3333-4444-${letters(12)}`;
    this.#sessions.set(id, { salt, student: null });
    const answer = reply(200, 'text/plain;charset=UTF-8', this.switches.quotedSalt ? `"${salt}"` : salt);
    return id === known ? answer : withCookies(answer, [this.#cookie(id)]);
  }

  #submit({ cookies, body, header }: SimulatedCall): DemoReply {
    const session = this.#sessions.get(cookies.get(SESSION) ?? '');
    const salt = session?.salt ?? null;
    // It is good for one password.
    if (session) session.salt = null;
    if (!/^application\/json\b/.test(header('content-type') ?? '') || session === undefined || salt === null)
      return shell('登入页面');
    const given: unknown = JSON.parse(body);
    const { username, password } = Object(given) as Record<string, unknown>;
    const { captcha, locked } = this.switches;
    if (captcha === 'wanted') return jsonBody({ result: false, needCaptcha: true });
    if (locked) return jsonBody({ result: false, message: '账号已锁定，请稍后再试', needCaptcha: false });
    const student = this.#students.get(String(username));
    if (student === undefined || password !== hash('sha1', `${salt}-${student.password}`))
      return jsonBody({ result: false, message: '用户名或密码错误', needCaptcha: captcha === 'with-refusal' });
    session.student = student;
    return jsonBody({ result: true, needCaptcha: false });
  }

  #inside(answer: (student: Eams5Student, call: SimulatedCall) => DemoReply): SimulatedHandler {
    return (call) => {
      const student = this.#sessions.get(cookieOf(call))?.student;
      return student == null ? this.toLogin() : answer(student, call);
    };
  }

  /** The path names the student by the school's id; another one's is an error of the server. */
  #own(answer: (student: Eams5Student, call: SimulatedCall) => DemoReply): SimulatedHandler {
    return this.#inside((student, call) =>
      call.params[0] === String(student.inside) ? answer(student, call) : errorPage(500, 'student'),
    );
  }

  #entrance(student: Eams5Student, path: string): DemoReply {
    if (this.switches.twoProgrammes)
      return page(
        '选择专业',
        `<button value="${student.inside}">主修</button><button value="${student.inside + 1}">辅修</button>`,
      );
    if (this.switches.pageInsteadOfRedirect) return this.#termsPage(student);
    return redirectTo(`${BASE}/for-std/${path}/${student.inside}`);
  }

  #row(term: SchoolTerm) {
    const { firstDay: startDate, lastDay: endDate } = term;
    return { id: idOf(term), nameZh: nameOf(term), startDate, endDate, weekStartOnSunday: this.switches.sunday };
  }

  #termsPage(student: Eams5Student): DemoReply {
    const terms = termsOn(this.#today());
    const [now] = terms;
    const options = terms
      .map(
        (term) =>
          `<option value="${idOf(term)}"${term.isCurrent ? ' selected="selected"' : ''}>${nameOf(term)}</option>`,
      )
      .join('');
    const rows = JSON.stringify(terms.map((term) => this.#row(term))).replaceAll('"', '\\"');
    return page(
      '课表',
      `<select id="allSemesters"><option value="all">全部学期</option>${options}</select>
<script>var semesters = JSON.parse('${rows}');var currentSemester = {'id':${now ? idOf(now) : 0}};var studentId = ${student.inside};</script>`,
    );
  }

  #term(id: string): DemoReply {
    const term = termsOn(this.#today()).find((each) => String(idOf(each)) === id);
    return term ? jsonBody(this.#row(term)) : errorPage(500, 'semester');
  }

  #timetable(student: Eams5Student, { params }: SimulatedCall, isOther: boolean): DemoReply {
    const { vm, layout, otherTimetable } = this.switches;
    if (otherTimetable !== isOther) return errorPage(404, 'Not Found');
    const term = termsOn(this.#today()).find((each) => String(idOf(each)) === params[0]);
    if (term === undefined) return errorPage(500, 'semester');
    const times = { courseUnitList: units };
    const table = {
      id: student.inside,
      name: student.name,
      activities: term.isCurrent ? activitiesOf(student) : [],
      ...(layout === 'inside' ? { timeTableLayout: times } : {}),
    };
    const beside = layout === 'beside' ? { timeTableLayout: times } : {};
    return jsonBody(vm === 'list' ? { studentTableVms: [table], ...beside } : { studentTableVm: table, ...beside });
  }

  #grades(student: Eams5Student, semester: string): DemoReply {
    const groups = gradesOf(student, this.#today()).filter(({ term }) => ['', String(idOf(term))].includes(semester));
    return jsonBody({
      semesters: groups.map(({ term }) => ({ id: idOf(term), nameZh: nameOf(term) })),
      semesterId2studentGrades: Object.fromEntries(groups.map(({ term, rows }) => [idOf(term), rows])),
      gpaSemesterModel: { gpa: 3.42, majorRank: 37, majorHeadCount: 314, totalCredits: 114 },
    });
  }

  #exams(student: Eams5Student): DemoReply {
    const exams = examsOf(student, this.#today());
    const rows = exams
      .map((exam) => `<tr data-finished="false" class="unfinished">${examCells(exam, this.switches.exams)}</tr>`)
      .join('\n');
    const seats = exams.filter(({ date }) => date !== '').map(({ id, seat }) => `{'id':${id},'seatNo':${seat}}`);
    return page(
      '考试安排',
      `<table id="exams" class="exam-table"><thead><tr><th>考试</th></tr></thead><tbody>${rows}</tbody></table>
<script>var studentExamList = [${seats.join(',')}];</script>`,
    );
  }
}

const cookieOf = ({ cookies }: SimulatedCall): string => cookies.get(SESSION) ?? '';

export const startShuwei = ({
  clock = systemClock,
}: {
  clock?: Clock;
} = {}): Promise<SimulatedCampus<Eams5System, Eams5>> => simulateCampus(clock, HOSTS, (parts) => new Eams5(parts));
