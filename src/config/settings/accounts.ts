import { DAY_MS } from '../../lib/time.ts';
import { commaList, database, invite, secretKeyList, studentId, wholeBetween } from '../kinds.ts';
import { optionalSetting, setting } from '../setting.ts';

export const storageSettings = {
  storage: setting('DATABASE_URL', database, 'sqlite:./data/campus.db', {
    secret: true,
    description:
      'Holds all durable state, of one campus. `sqlite:<file>` for one process, `postgres://…` for several replicas. `sqlite::memory:` forgets everything at the end and is refused in production.',
    example: 'postgres://campus:password@db:5432/campus',
    demoDefault: 'sqlite:./data/demo.db',
  }),
  /** The first one encrypts, all decrypt. */
  secretKeys: optionalSetting('SECRET_KEY', secretKeyList, {
    secret: true,
    description:
      'Encrypts stored passwords and campus sessions: 32 random bytes as base64 (`openssl rand -base64 32`). A comma list rotates: the first key encrypts, all decrypt.',
    example: '<output of openssl rand -base64 32>',
    otherwise:
      'created once as `secret.key` (mode 0600) beside the SQLite file; required in production and with PostgreSQL',
    needed: true,
  }),
};

export const accountsSettings = {
  accounts: {
    tokenTtlMs: setting('TOKEN_TTL_DAYS', wholeBetween(1, 3650, DAY_MS), '30', {
      description: 'Days after its last use at which a token ends.',
    }),
    tokenMaxMs: setting('TOKEN_MAX_DAYS', wholeBetween(1, 3650, DAY_MS), '180', {
      description:
        'Days after its issue at which a token ends, however much it is used. Each token ends earlier by a random part of a sixth of it, 30 days at most, so that many do not end on one day.',
    }),
    refusalsPerAddress: setting('LIMIT_REFUSALS_PER_ADDRESS', wholeBetween(1, 100_000), '60', {
      description:
        'Refused logins per minute of one address, and as many refused registrations, in each process; an IPv6 /48 has twice as many together. Students who have logged in from there before are not held up by it.',
    }),
    campusRefusalsPerDay: setting('CAMPUS_REFUSALS_PER_DAY', wholeBetween(3, 10), '4', {
      description:
        'How many passwords the campus may refuse for one student in 24 hours. Keep it below the number at which the campus locks an account. Strangers have two less; the last one is for the student alone, who proves it with a token from a network where he has logged in.',
    }),
    adminUserIds: setting('ADMIN_USER_IDS', commaList(studentId, 1_000), '', {
      secret: true,
      description: 'Student ids that may use administrative operations. No one when not set.',
      example: '2023000001,2023000002',
    }),
    inviteCodes: setting('INVITE_CODES', commaList(invite, 1_000), '', {
      secret: true,
      description:
        'Invite codes to create at start when they do not exist yet: `code` (one use) or `code:uses`. Codes that exist are left as they are. Shorter ones than 10 characters can be guessed: a start warns.',
      example: 'SPRING-2026:50,FRIEND-8K2M-4QXR',
    }),
  },
};
