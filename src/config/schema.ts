import { type Static, Type } from '@sinclair/typebox';
import { setting } from './setting.ts';

const address = (upstream: string, example: string) =>
  setting(Type.Optional(Type.String({ maxLength: 2000 })), {
    group: 'Campus',
    form: 'base-url',
    description: `Address of ${upstream}, as reached through the portal.`,
    example,
    otherwise: 'required with any other campus address',
  });

const service = (application: string, example: string) =>
  setting(Type.Optional(Type.String({ maxLength: 2000 })), {
    group: 'Campus',
    form: 'web-url',
    description: `The \`service\` value under which the unified login knows ${application}: its inner address, sent exactly as given.`,
    example,
    otherwise: 'required with any other campus address',
  });

/** Every key of the configuration: type, default, bounds, meaning. The documents are generated from here. */
export const settings = Type.Object({
  NODE_ENV: setting(
    Type.Union([Type.Literal('development'), Type.Literal('test'), Type.Literal('production')], {
      default: 'development',
    }),
    {
      group: 'Server',
      description: 'In `production` nothing secret is made up: `SECRET_KEY` and the choice of a campus are required.',
      example: 'production',
    },
  ),
  HOST: setting(Type.String({ default: '127.0.0.1' }), {
    group: 'Server',
    form: 'host',
    description: 'Address to listen on. `0.0.0.0` inside a container.',
    example: '0.0.0.0',
  }),
  PORT: setting(Type.Integer({ default: 3000, minimum: 0, maximum: 65535 }), {
    group: 'Server',
    description: 'Port to listen on; 0 lets the system choose, and the start prints which.',
    example: '8080',
  }),
  LOG_LEVEL: setting(
    Type.Union(
      [
        Type.Literal('fatal'),
        Type.Literal('error'),
        Type.Literal('warn'),
        Type.Literal('info'),
        Type.Literal('debug'),
        Type.Literal('trace'),
        Type.Literal('silent'),
      ],
      { default: 'info' },
    ),
    { group: 'Server', description: 'The least important log lines that are still written.', example: 'warn' },
  ),
  PUBLIC_URL: setting(Type.Optional(Type.String({ maxLength: 2000 })), {
    group: 'Server',
    form: 'base-url',
    description: 'Address at which clients reach the service; links in answers are built from it.',
    example: 'https://campus.example.edu',
    otherwise: 'the address the service listens on',
  }),
  TRUSTED_PROXIES: setting(Type.Array(Type.String(), { default: [], maxItems: 100 }), {
    group: 'Server',
    form: 'network',
    description: 'Reverse proxies whose `X-Forwarded-*` headers are believed; nobody else’s are.',
    example: '10.0.0.0/8,fd00::/8',
  }),
  TRUSTED_CALLERS: setting(Type.Array(Type.String(), { default: [], maxItems: 100 }), {
    group: 'Server',
    form: 'network',
    description:
      'Backends of your own that call for many students: what is limited per address or network is not limited for them. One that sends `X-Forwarded-For` belongs into `TRUSTED_PROXIES` instead.',
    example: '192.0.2.10',
  }),
  LIMIT_CALLS_PER_TOKEN: setting(Type.Integer({ default: 600, minimum: 10, maximum: 1_000_000 }), {
    group: 'Server',
    description: 'Calls per minute with one valid token, in each process.',
    example: '300',
  }),
  LIMIT_CALLS_PER_ADDRESS: setting(Type.Integer({ default: 6_000, minimum: 10, maximum: 10_000_000 }), {
    group: 'Server',
    description:
      'Calls per minute of one address without a valid token, in each process. High, because a campus may share one address; calls with a valid token are served beyond it too.',
    example: '2000',
  }),
  MAX_CONNECTIONS: setting(Type.Integer({ default: 10_000, minimum: 10, maximum: 1_000_000 }), {
    group: 'Server',
    description:
      'Open connections of clients, those of a proxy included; further ones are closed at once. The limit of open files must be higher.',
    example: '2000',
  }),
  CORS_ORIGINS: setting(Type.Array(Type.String(), { default: ['*'], maxItems: 100 }), {
    group: 'Server',
    form: 'cors-origin',
    description: 'Origins whose pages may call the service. With `*` credentials are off.',
    example: 'https://app.example.edu,https://admin.example.edu',
  }),
  REQUEST_TIMEOUT_SECONDS: setting(Type.Number({ default: 30, minimum: 0.5, maximum: 300 }), {
    group: 'Server',
    description: 'Total deadline of one call, waiting lines and renewed logins at the campus included.',
    example: '30',
  }),
  SHUTDOWN_DRAIN_SECONDS: setting(Type.Optional(Type.Number({ minimum: 0, maximum: 60 })), {
    group: 'Server',
    description:
      'How long the service goes on answering after the signal to end, while `/ready` already fails, so that a balancer turns away first.',
    example: '10',
    otherwise: '5 in production, 0 elsewhere',
  }),
  DOCS: setting(Type.Boolean({ default: true }), {
    group: 'Server',
    description: 'Serves the interactive documentation at `/docs` and the interface description at `/openapi.json`.',
    example: 'off',
  }),
  DOCS_URL: setting(Type.String({ default: '/docs', maxLength: 2000 }), {
    group: 'Server',
    form: 'path-or-url',
    description: 'Where `GET /` redirects. Set it when `DOCS` is off.',
    example: 'https://docs.example.edu/campus',
  }),
  METRICS: setting(Type.Boolean({ default: false }), {
    group: 'Server',
    description: 'Serves Prometheus metrics at `/metrics`. Keep that path away from the public.',
    example: 'on',
  }),
  DATABASE_URL: setting(Type.String({ default: 'sqlite:./data/campus.db' }), {
    group: 'Storage',
    form: 'database',
    secret: true,
    description:
      'Holds all durable state, of one campus. `sqlite:<file>` for one process, `postgres://…` for several replicas. `sqlite::memory:` forgets everything at the end and is refused in production.',
    example: 'postgres://campus:password@db:5432/campus',
    demoDefault: 'sqlite:./data/demo.db',
  }),
  SECRET_KEY: setting(Type.Optional(Type.String()), {
    group: 'Storage',
    form: 'secret-keys',
    secret: true,
    description:
      'Encrypts stored passwords and campus sessions: 32 random bytes as base64 (`openssl rand -base64 32`). A comma list rotates: the first key encrypts, all decrypt.',
    example: '<output of openssl rand -base64 32>',
    otherwise:
      'created once as `secret.key` (mode 0600) beside the SQLite file; required in production and with PostgreSQL',
  }),
  TOKEN_TTL_DAYS: setting(Type.Integer({ default: 30, minimum: 1, maximum: 3650 }), {
    group: 'Accounts',
    description: 'Days after its last use at which a token ends.',
    example: '14',
  }),
  TOKEN_MAX_DAYS: setting(Type.Integer({ default: 180, minimum: 1, maximum: 3650 }), {
    group: 'Accounts',
    description:
      'Days after its issue at which a token ends, however much it is used. A sixth of it, 30 days at most, is drawn off for each token, so that many do not end on one day.',
    example: '90',
  }),
  LIMIT_REFUSALS_PER_ADDRESS: setting(Type.Integer({ default: 60, minimum: 1, maximum: 100_000 }), {
    group: 'Accounts',
    description:
      'Refused logins per minute of one address, and as many refused registrations, in each process. Students who have logged in from there before are not held up by it.',
    example: '30',
  }),
  CAMPUS_REFUSALS_PER_DAY: setting(Type.Integer({ default: 4, minimum: 3, maximum: 10 }), {
    group: 'Accounts',
    description:
      'How many passwords the campus may refuse for one student in 24 hours. Keep it below the number at which the campus locks an account. Strangers have two less, so that the student is left two.',
    example: '3',
  }),
  ADMIN_USER_IDS: setting(Type.Array(Type.String(), { default: [], maxItems: 1000 }), {
    group: 'Accounts',
    form: 'userid',
    secret: true,
    description: 'Student ids that may use administrative operations. Nobody when not set.',
    example: '2023000001,2023000002',
  }),
  INVITE_CODES: setting(Type.Array(Type.String(), { default: [], maxItems: 1000 }), {
    group: 'Accounts',
    form: 'invite',
    secret: true,
    description:
      'Invite codes to create at start when they do not exist yet: `code` (one use) or `code:uses`. Codes that exist are left as they are.',
    example: 'SPRING-2026:50,FRIEND-1',
  }),
  CAMPUS: setting(Type.Optional(Type.Literal('demo')), {
    group: 'Campus',
    description:
      '`demo` serves the built-in demo campus. Needed in production only; elsewhere it is what happens without campus addresses.',
    example: 'demo',
    otherwise: 'demo campus when no campus address is set',
  }),
  CAMPUS_VPN_URL: setting(Type.Optional(Type.String({ maxLength: 2000 })), {
    group: 'Campus',
    form: 'base-url',
    description: 'Address of the VPN portal. `http://` is accepted for tests, with a warning.',
    example: 'https://vpn.example.edu',
    otherwise: 'required with any other campus address',
  }),
  CAMPUS_VPN_DOMAIN: setting(Type.Optional(Type.String()), {
    group: 'Campus',
    form: 'domain',
    description: 'Domain under which the portal maps the inner hosts.',
    example: 'vpn.example.edu',
    otherwise: 'required with any other campus address',
  }),
  CAMPUS_CAS_URL: address('the unified login, its path `/cas` included', 'http://cas-example.vpn.example.edu:8118/cas'),
  CAMPUS_JWC_URL: address('academic affairs', 'http://jwc-example.vpn.example.edu:8118'),
  CAMPUS_JWC_SERVICE: service('academic affairs', 'http://jwc.example.edu/j_spring_cas_security_check'),
  CAMPUS_AAC_URL: address('the activity score application', 'http://aac-example.vpn.example.edu:8118'),
  CAMPUS_AAC_SERVICE: service(
    'the activity score application',
    'http://aac.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
  ),
  CAMPUS_LDJLB_URL: address('the labor club', 'http://ldjlb-example.vpn.example.edu:8118'),
  CAMPUS_LDJLB_SERVICE: service(
    'the labor club',
    'http://ldjlb.example.edu/User/Index/CoreLoginCallback?isCASGateway=true',
  ),
  CAMPUS_ISIM_URL: address('the electricity application', 'http://isim-example.vpn.example.edu'),
  CAMPUS_COMPETITION_URL: address('the competition pages', 'http://10-20-30-40.vpn.example.edu:8118'),
  CAMPUS_VPN_INSECURE_TLS: setting(Type.Boolean({ default: false }), {
    group: 'Campus',
    description: 'Does not verify the certificate of the portal (only there). Passwords can then be read on the way.',
    example: 'on',
  }),
  CAMPUS_TIMEZONE: setting(Type.String({ default: 'Asia/Shanghai' }), {
    group: 'Campus',
    form: 'time-zone',
    description: 'Time zone of the campus: timestamps in answers and dates on campus pages.',
    example: 'Asia/Urumqi',
  }),
  CAMPUS_CONNECTIONS: setting(Type.Integer({ default: 32, minimum: 1, maximum: 1024 }), {
    group: 'Campus',
    description: 'Connections kept to each campus system.',
    example: '64',
  }),
  CAMPUS_ATTEMPT_SECONDS: setting(Type.Optional(Type.Number({ minimum: 0.1, maximum: 299 })), {
    group: 'Campus',
    description: 'Deadline of one request to a campus system. Must be below `REQUEST_TIMEOUT_SECONDS`.',
    example: '8',
    otherwise: '12, or 80 % of `REQUEST_TIMEOUT_SECONDS` where that is less',
  }),
  SCAN_SIGN_BODY: setting(Type.Union([Type.Literal('form'), Type.Literal('json')], { default: 'form' }), {
    group: 'Campus',
    description:
      'How a scanned QR code is sent to the labor club. Its own clients differ; change it when every scan is refused.',
    example: 'json',
  }),
  FRESH_SECONDS: setting(Type.Integer({ default: 10, minimum: 0, maximum: 3600 }), {
    group: 'Reads',
    description:
      'What was read at the campus less than this ago is answered again without asking. 0: every call asks. See `docs/freshness.md`.',
    example: '30',
  }),
  STALE_IF_ERROR_SECONDS: setting(Type.Integer({ default: 0, minimum: 0, maximum: 2_592_000 }), {
    group: 'Reads',
    description:
      'How old a copy may be that is answered, with its age in words, when the campus fails and the call says nothing about it. 0: the failure is answered.',
    example: '86400',
  }),
  KEEP_COPIES: setting(Type.Boolean({ default: true }), {
    group: 'Reads',
    description:
      'Keeps the last good value of every read of a student, encrypted. `off` deletes those that exist; what is fresh is then held in memory alone.',
    example: 'off',
  }),
  COPY_MAX_DAYS: setting(Type.Integer({ default: 30, minimum: 1, maximum: 365 }), {
    group: 'Reads',
    description: 'Days after its reading at which a copy is deleted.',
    example: '7',
  }),
  CALENDAR_ADJUSTMENTS: setting(Type.Optional(Type.String({ maxLength: 4096 })), {
    group: 'Calendar',
    form: 'file',
    description:
      'JSON file with the days off of the campus and the days whose classes are held on another day; read at start. Its form: `docs/calendar.md`.',
    example: 'docs/adjustments.example.json',
    otherwise: 'every day is as the timetable has it',
  }),
  DEMO_NIGHT: setting(Type.Boolean({ default: false }), {
    group: 'Campus',
    description: 'The demo campus is down, as campus systems are at night: every one of its systems answers 503.',
    example: 'on',
  }),
  EVALUATION_WAIT_SECONDS: setting(Type.Integer({ default: 140, minimum: 0, maximum: 3600 }), {
    group: 'Evaluation',
    description: 'Countdown between opening a questionnaire and submitting it; the campus refuses quicker answers.',
    example: '150',
    demoDefault: 6,
  }),
  EVALUATION_PAUSE_SECONDS: setting(Type.Integer({ default: 3, minimum: 0, maximum: 600 }), {
    group: 'Evaluation',
    description: 'Pause between two courses with the plan `sequential`.',
    example: '5',
    demoDefault: 1,
  }),
  EVALUATION_PLAN: setting(
    Type.Union([Type.Literal('overlapped'), Type.Literal('sequential')], { default: 'overlapped' }),
    {
      group: 'Evaluation',
      description: '`overlapped`: the countdowns of all courses run side by side. `sequential`: one after the other.',
      example: 'sequential',
    },
  ),
  EVALUATION_OPEN_EVERY_SECONDS: setting(Type.Integer({ default: 6, minimum: 0, maximum: 600 }), {
    group: 'Evaluation',
    description: 'With the plan `overlapped`: seconds from opening one questionnaire to opening the next.',
    example: '10',
    demoDefault: 1,
  }),
  EVALUATION_ANSWERS: setting(Type.Optional(Type.String({ maxLength: 4096 })), {
    group: 'Evaluation',
    form: 'file',
    description: 'JSON file with the texts and marks to answer with; read at start. Its form: `docs/evaluation.md`.',
    example: 'docs/answers.example.json',
    otherwise: 'the built-in texts',
  }),
  EVALUATION_MAX_RUNNING: setting(Type.Integer({ default: 200, minimum: 1, maximum: 10_000 }), {
    group: 'Evaluation',
    description: 'Evaluation runs at once in one process.',
    example: '50',
  }),
});

export type Settings = Static<typeof settings>;
export type SettingKey = keyof Settings;
