import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoSystem } from '../../src/demo/types.ts';
import { namedCourses } from '../../src/domain/evaluation/task.ts';
import { sha256 } from '../../src/lib/hash.ts';
import { ADMINISTRATOR, type FaultWorld, type Student } from './world.ts';

/** The systems behind the two logins. */
type UpstreamSystem = Exclude<DemoSystem, 'vpn' | 'cas'>;

/** The members that one call sends beside the example of the document. */
export interface Input {
  /** Where the student of the call is another one. */
  readonly student?: Student;
  /** Members of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** After the path, e.g. `?page_index=1`. */
  readonly query?: string;
  /** A value for JSON, or a form. */
  readonly body?: unknown;
}

export interface FaultCase {
  /** The application that it asks while the caller waits; null when the campus is not asked. */
  readonly system: UpstreamSystem | null;
  /** Makes a call that succeeds while the campus is well. */
  readonly input?: (world: FaultWorld, student: Student) => Input | Promise<Input>;
  /** Its caller does not wait for the campus, and yet the campus is asked. */
  readonly asksBehind?: true;
  /** Undoes what the call may have set in motion. */
  readonly after?: (world: FaultWorld, student: Student) => Promise<unknown>;
  /** Answers twice alike are not to be expected: a token, a moment. */
  readonly everNew?: true;
  /** A copy of the campus's answer lasts some minutes and answers the next call. */
  readonly kept?: true;
  /** It changes something at the campus, by requests to this path. */
  readonly writes?: string;
  /** It signs in at the campus itself. */
  readonly signsIn?: true;
  /** Silence is settled by a look, which meets it too. */
  readonly settles?: true;
  /** The caller cannot repeat the call: its token or account has ended, its invitation is spent. */
  readonly ends?: true;
  /** Status of its success, where it is not 200. */
  readonly success?: number;
}

const term = '2025-2026-1-1';
const activity = '3d5f0c52-7f1e-4d1c-9a0e-5f0f6b2a7001';
const club = 'c4e2a9d0-2222-4a11-b6c7-000000000010';
const room = '010101';

const pair = ({ userid, password, vpnPassword }: Student) => ({ userid, password, vpn_password: vpnPassword });

/** A read with nothing but the token. */
export const reads = (system: UpstreamSystem, path: Readonly<Record<string, string>> = {}): FaultCase => ({
  system,
  input: () => ({ path }),
});

/** Answered from what the service itself has. */
export const local: FaultCase = { system: null };

/** A published score of the student, by the four values that its list shows. */
export const ofCurrentScore: FaultCase = {
  system: 'jwc',
  input: (_world, { userid }) => ({
    query: `?term_code=2025-2026-2-1&course_code=KJ3202003-${userid}&course_class=03&exam_time=20260313`,
  }),
};

/** Fresh for an hour: each call comes behind it. */
export const ofStudentFile: FaultCase = {
  system: 'jwc',
  kept: true,
  input: (world) => {
    world.clock.advance(3_600_000);
    return {};
  },
};

/** Read once for everybody, and fresh for an hour at most. */
const campusWide = (query: string, more: Partial<FaultCase> = {}): FaultCase => ({
  system: 'jwc',
  kept: true,
  input: (world) => {
    world.clock.advance(3_600_000);
    return { query, path: { class_code: '080123001' } };
  },
  ...more,
});
export const ofOfferingTerms = campusWide('');
export const ofMajors = campusWide('?department_code=08');
export const ofClasses = campusWide('?term_code=2025-2026-2-1&department_code=05');
/** They name the time of their reading. */
export const ofOfferings = campusWide('?term_code=2025-2026-2-1&course_code=KJ3202001', { everNew: true });
export const ofClassSchedule = campusWide('?term_code=2025-2026-2-1', { everNew: true });

export const ofTerm = reads('jwc', { term_code: term });
export const ofClub = reads('ldjlb', { club_id: club });
export const ofClubs: FaultCase = { system: 'ldjlb', input: () => ({ query: '?page_size=4' }) };
export const ofActivity = reads('ldjlb', { activity_id: activity });
export const applies: FaultCase = { ...ofActivity, writes: '/User/Activity/DoApplyJoin' };
/** Its student is a member already, so the campus refuses every time alike. */
export const joinsClub: FaultCase = { ...ofClub, writes: '/User/Club/DoApplyJoin' };
export const scans: FaultCase = {
  system: 'ldjlb',
  writes: '/User/Center/DoScanSignQRImage',
  input: () => ({ body: { content: 'SIGN|none', location: '120.100000,30.200000' } }),
};

export const login: FaultCase = {
  system: 'jwc',
  signsIn: true,
  everNew: true,
  input: async (world, student) => {
    await world.forget(student);
    return { body: pair(student) };
  },
};

/** A challenge of the student's own login; answered with what his authenticator shows. */
const openChallenge = async (world: FaultWorld, student: Student): Promise<Input> => {
  const { demo } = world.gateway;
  // The consequences of the call before are over when the student logs in.
  world.allOver();
  demo.student(student.userid).setSecondFactor('totp');
  await world.forget(student);
  const options = { token: student.token, body: pair(student) };
  const met = await world.drive(world.gateway.b('POST', '/auth/login/next', options));
  if (met.status !== 428) throw new Error(`no challenge: ${met.text}`);
  return {
    path: { id: String(met.body.data.challenge.id) },
    body: { answer: demo.totp(student.userid) },
  };
};
const withoutStep = async ({ gateway }: FaultWorld, { userid }: Student): Promise<void> =>
  gateway.demo.student(userid).setSecondFactor('none');

export const ofChallenge: FaultCase = { ...local, everNew: true, input: openChallenge, after: withoutStep };
/** Puts something to the portal, and its caller waits for that. */
export const answering: FaultCase = { ...ofChallenge, asksBehind: true, settles: true };
/** With nothing to send: a one-time password needs no message. */
export const sending: FaultCase = {
  ...answering,
  input: async (world, student) => {
    world.gateway.demo.switches.captcha = 'always';
    const { path = {} } = await openChallenge(world, student);
    world.gateway.demo.switches.captcha = 'off';
    return { path, body: {} };
  },
};
/** Signs in with the stored pair. */
export const renewing: FaultCase = {
  system: 'jwc',
  signsIn: true,
  everNew: true,
  input: async (world, student) => {
    await world.forget(student);
    return {};
  },
};

export const registration: FaultCase = {
  system: 'jwc',
  ends: true,
  signsIn: true,
  everNew: true,
  input: async (world) => {
    const student = world.newcomer();
    return { student, body: { ...pair(student), invite_token: await world.inviteToken() } };
  },
};

export const invitation: FaultCase = {
  ...local,
  everNew: true,
  input: () => ({ body: { invite_code: 'DEMO-2026' } }),
};

/** Ends a token or an account, so each call needs its own account. */
export const leaving: FaultCase = {
  ...local,
  ends: true,
  input: async (world) => {
    const student = await world.registered();
    return { student, body: { password: student.password, vpn_password: student.vpnPassword } };
  },
};

/** The session of the call's own token. */
export const endingOwnSession: FaultCase = {
  ...local,
  ends: true,
  input: async (world) => {
    const student = await world.registered();
    return { student, path: { id: sha256(student.token).slice(0, 16) } };
  },
};

/** From the list of rooms, which is there. */
export const ofRooms: FaultCase = {
  ...local,
  input: async (world, { token }) => {
    await world.drive(world.gateway.b('GET', '/isim/room/list', { token }));
    return { path: { building_code: '01', floor_code: '0101', room_code: room }, body: { room_id: room } };
  },
};

/** From the list of rooms, which has to be read first. */
export const firstOfRooms: FaultCase = {
  system: 'isim',
  // It says when it was read.
  everNew: true,
  input: (world) => {
    world.dropRooms();
    return {};
  },
};

export const ofOwnRoom = (system: 'isim' | null): FaultCase => ({
  system,
  input: async (world, { token }) => {
    await world.drive(world.gateway.b('POST', '/isim/room/bind', { token, body: { room_id: room } }));
    return {};
  },
});

/** Half an hour has to lie between two of them. */
export const roomRefresh: FaultCase = {
  system: 'isim',
  everNew: true,
  input: async (world) => {
    world.clock.advance(31 * 60_000);
    return { student: await world.registeredAs(ADMINISTRATOR) };
  },
};

/** After this long the uploads of a student are forgotten. */
const UPLOADS_OVER_MS = 3_600_000;

const image = readFileSync(join(import.meta.dirname, '../fixtures/images/picture.png'));

const formOf = (part: string): FormData => {
  const form = new FormData();
  form.set(part, new Blob([image], { type: 'image/png' }), 'picture.png');
  return form;
};

export const uploads = (part: string): FaultCase => ({
  ...local,
  everNew: true,
  input: (world) => {
    world.clock.advance(UPLOADS_OVER_MS);
    return { body: formOf(part) };
  },
});

/** Gives the student a profile with an avatar and a theme with a background. */
const dress = async (world: FaultWorld, { token }: Student): Promise<{ readonly avatarUrl: string }> => {
  const staged = async (path: string, part: string) =>
    (await world.drive(world.call('PUT', path, { token, body: formOf(part) }))).body.data;
  const avatar = await staged('/profile/user/avatar/upload', 'avatar_update_request');
  const background = await staged('/profile/client/image/upload', 'background_image_upload');
  const update = (path: string, body: unknown) => world.drive(world.call('PUT', path, { token, body }));
  const user = await update('/profile/user/update', { nickname: '小明', avatar_uuid: avatar.uuid });
  await update('/profile/client/update', { dark_mode: true, dark_mode_background_uuid: background.uuid });
  return { avatarUrl: user.body.data.avatar_url };
};

/** Of a student who has set everything; addresses of images end, so no two answers are alike. */
export const ofProfile: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    await world.once(`dress ${student.userid}`, () => dress(world, student));
    return { path: { mode: 'dark' }, body: { nickname: '小红' } };
  },
};
export const ofTheme: FaultCase = {
  ...ofProfile,
  input: async (world, student) => {
    await ofProfile.input?.(world, student);
    return { body: { dark_mode: false } };
  },
};
export const ofFile: FaultCase = {
  ...ofProfile,
  input: async (world, student) => {
    world.clock.advance(UPLOADS_OVER_MS);
    const { pathname, search } = new URL((await dress(world, student)).avatarUrl);
    const [, , folder = '', name = ''] = pathname.split('/');
    return { path: { folder, name }, query: search };
  },
};

const feedWish = { name: '我的课表', include: ['classes', 'exams', 'activities'], alarm_minutes: 15 };

const makeFeed = async (world: FaultWorld, { token }: Student) => {
  const made = await world.drive(world.gateway.b('POST', '/calendar/feeds', { token, body: feedWish }));
  return { id: String(made.body.data.id), url: String(made.body.data.url) };
};

const withoutFeeds = async (world: FaultWorld, { token }: Student): Promise<void> => {
  const { body } = await world.drive(world.gateway.b('GET', '/calendar/feeds', { token }));
  for (const { id } of body.data.feeds) {
    await world.drive(world.gateway.b('DELETE', `/calendar/feeds/${id}`, { token }));
  }
};

export const newFeed: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    await withoutFeeds(world, student);
    return { body: feedWish };
  },
};

export const ofFeeds: FaultCase = {
  ...local,
  input: async (world, student) => {
    const { id } = await makeFeed(world, student);
    return { path: { id } };
  },
  after: withoutFeeds,
};

const withoutTokens = async ({ gateway }: FaultWorld, { token }: Student): Promise<void> => {
  const { body } = await gateway.b('GET', '/auth/tokens', { token });
  for (const { id } of body.data.tokens) await gateway.b('DELETE', `/auth/tokens/${id}`, { token });
};
const tokenWish = { name: 'widget', scopes: ['exams:read'], days: 7 };

export const newToken: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    await withoutTokens(world, student);
    return { body: tokenWish };
  },
  after: withoutTokens,
};

export const ofTokens: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    const { body } = await world.gateway.b('POST', '/auth/tokens', { token: student.token, body: tokenWish });
    return { path: { id: body.data.id } };
  },
  after: withoutTokens,
};

const withoutHooks = async ({ gateway }: FaultWorld, { token }: Student): Promise<void> => {
  const { body } = await gateway.b('GET', '/events/hooks', { token });
  for (const { id } of body.data.hooks) await gateway.b('DELETE', `/events/hooks/${id}`, { token });
};
/** At a name that does not resolve here. */
const hookWish = { url: 'https://receiver.example/hook', types: ['score.published'] };

export const newHook: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    await withoutHooks(world, student);
    return { body: hookWish };
  },
  after: withoutHooks,
};

/** Names a hook in the path, and adds a body for the one operation that has one. */
export const ofHooks: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    await withoutHooks(world, student);
    const { body } = await world.gateway.b('POST', '/events/hooks', { token: student.token, body: hookWish });
    return { path: { id: body.data.id }, body: { active: true } };
  },
  after: withoutHooks,
};

const HOUR_MS = 3_600_000;

/** Ten of an hour are not refused: each comes an hour after the last one. It rests, so that nothing is sent. */
export const askingHooks: FaultCase = {
  ...ofHooks,
  input: async (world, student) => {
    world.clock.advance(HOUR_MS);
    const input = await ofHooks.input?.(world, student);
    const { token } = student;
    const { id = '' } = input?.path ?? {};
    await world.gateway.b('POST', `/events/hooks/${id}/test`, { token });
    const { body } = await world.gateway.b('GET', `/events/hooks/${id}/deliveries`, { token });
    return { path: { id, delivery: body.data.deliveries[0].id } };
  },
};

/** Once in ten minutes. */
export const exporting: FaultCase = {
  ...local,
  everNew: true,
  input: async (world) => ({ student: await world.registered() }),
};

export const ofCalendar: FaultCase = {
  ...local,
  everNew: true,
  input: async (world, student) => {
    const { url } = await makeFeed(world, student);
    return { path: { secret: url.replace(/^.*\/calendar\/|\.ics$/g, '') } };
  },
  after: withoutFeeds,
};

const evaluation = (world: FaultWorld, step: string, { token }: Student) =>
  world.drive(world.gateway.a(`/jwc/evaluation/${step}`, { token }));

const ready = async (world: FaultWorld, student: Student): Promise<Input> => {
  world.gateway.demo.student(student.userid).setEvaluation(2);
  await evaluation(world, 'initialize', student);
  return {};
};

const twoCourses = ['1', '2'].map((number) => ({
  id: {
    staffNumber: String(20199999 + Number(number)),
    sequence: '01',
    contentNumber: `PJ000${number}`,
    questionnaireCoding: '',
  },
  questionnaire: null,
  teacher: '',
  courseName: '',
  evaluated: '',
}));
/** The public name of the first course that `setEvaluation` makes. */
export const firstCourse = namedCourses(twoCourses)[0]?.name ?? '';

/** Of a task that has its list, and has shown nothing yet. Answers are drawn at random. */
export const ofPreview: FaultCase = {
  system: 'jwc',
  everNew: true,
  input: async (world, student) => ({ ...(await ready(world, student)), query: `?course_key=${firstCourse}` }),
};

/** Answers to a preview as the surface with the bearer header shows it, the same whatever was drawn. */
const answersTo = ({ ratings, comments }: Record<'ratings' | 'comments', ReadonlyArray<{ key: string }>>) => ({
  ratings: ratings.map(({ key }) => ({ key, value: '5_0.8' })),
  comments: comments.map(({ key }) => ({ key, text: '讲解清楚，收获很大' })),
});

/** Of a task that has shown the answers for its first course. */
export const ofShownPreview: FaultCase = {
  ...local,
  input: async (world, student) => {
    await ready(world, student);
    const url = `/jwc/evaluation/preview?course_key=${firstCourse}`;
    const { body } = await world.drive(world.gateway.b('GET', url, { token: student.token }));
    return { body: { course_key: firstCourse, answers: answersTo(body.data) } };
  },
};

/** Of a task that has its list. */
export const ofReadyTask: FaultCase = { ...local, input: ready };

/** Ends with a task that runs, and may have run before. */
export const ofRunningTask = (running: boolean, body?: unknown): FaultCase => ({
  ...local,
  // A started run goes to work at once.
  ...(running ? {} : { asksBehind: true }),
  input: async (world, student) => {
    await ready(world, student);
    if (running) await evaluation(world, 'start', student);
    return body === undefined ? {} : { body };
  },
  after: (world, student) => evaluation(world, 'terminate', student),
});

export const ofSettings: FaultCase = {
  ...local,
  input: (_world, { token }) => ({ body: { token, nickname: '小红', settings: null } }),
};

export const ofScheduleA: FaultCase = {
  system: 'jwc',
  input: (_world, { token }) => ({ body: { request: { plan_code: term }, AuthmeRequest: { token } } }),
};
