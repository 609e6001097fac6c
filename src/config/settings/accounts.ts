import { Type } from '@sinclair/typebox';
import { settingOf } from '../setting.ts';

const storage = settingOf('Storage');
const accounts = settingOf('Accounts');

export const storageSettings = {
  DATABASE_URL: storage(Type.String({ default: 'sqlite:./data/campus.db' }), {
    form: 'database',
    secret: true,
    description:
      'Holds all durable state, of one campus. `sqlite:<file>` for one process, `postgres://…` for several replicas. `sqlite::memory:` forgets everything at the end and is refused in production.',
    example: 'postgres://campus:password@db:5432/campus',
    demoDefault: 'sqlite:./data/demo.db',
  }),
  SECRET_KEY: storage(Type.Optional(Type.String()), {
    form: 'secret-keys',
    secret: true,
    description:
      'Encrypts stored passwords and campus sessions: 32 random bytes as base64 (`openssl rand -base64 32`). A comma list rotates: the first key encrypts, all decrypt.',
    example: '<output of openssl rand -base64 32>',
    otherwise:
      'created once as `secret.key` (mode 0600) beside the SQLite file; required in production and with PostgreSQL',
  }),
};

export const accountsSettings = {
  TOKEN_TTL_DAYS: accounts(Type.Integer({ default: 30, minimum: 1, maximum: 3650 }), {
    description: 'Days after its last use at which a token ends.',
    example: '14',
  }),
  TOKEN_MAX_DAYS: accounts(Type.Integer({ default: 180, minimum: 1, maximum: 3650 }), {
    description:
      'Days after its issue at which a token ends, however much it is used. A sixth of it, 30 days at most, is drawn off for each token, so that many do not end on one day.',
    example: '90',
  }),
  LIMIT_REFUSALS_PER_ADDRESS: accounts(Type.Integer({ default: 60, minimum: 1, maximum: 100_000 }), {
    description:
      'Refused logins per minute of one address, and as many refused registrations, in each process. Students who have logged in from there before are not held up by it.',
    example: '30',
  }),
  CAMPUS_REFUSALS_PER_DAY: accounts(Type.Integer({ default: 4, minimum: 3, maximum: 10 }), {
    description:
      'How many passwords the campus may refuse for one student in 24 hours. Keep it below the number at which the campus locks an account. Strangers have two less, so that the student is left two.',
    example: '3',
  }),
  ADMIN_USER_IDS: accounts(Type.Array(Type.String(), { default: [], maxItems: 1000 }), {
    form: 'userid',
    secret: true,
    description: 'Student ids that may use administrative operations. Nobody when not set.',
    example: '2023000001,2023000002',
  }),
  INVITE_CODES: accounts(Type.Array(Type.String(), { default: [], maxItems: 1000 }), {
    form: 'invite',
    secret: true,
    description:
      'Invite codes to create at start when they do not exist yet: `code` (one use) or `code:uses`. Codes that exist are left as they are.',
    example: 'SPRING-2026:50,FRIEND-1',
  }),
};
