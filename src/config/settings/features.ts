import { DAY_MS, SECOND_MS } from '../../lib/time.ts';
import { allowedTarget, choice, commaList, deniedTarget, filePath, onOff, wholeBetween } from '../kinds.ts';
import { optionalSetting, setting } from '../setting.ts';

export const readsSettings = {
  reads: {
    freshSeconds: setting('FRESH_SECONDS', wholeBetween(0, 3600), '10', {
      description:
        'What was read at the campus less than this ago is answered again without asking. 0: every call asks. See `docs/use/freshness.md`.',
    }),
    staleIfErrorSeconds: setting('STALE_IF_ERROR_SECONDS', wholeBetween(0, 2_592_000), '0', {
      description:
        'How old a copy may be that is answered, with its age in words, when the campus fails and the call says nothing about it. 0: the failure is answered.',
    }),
    staleIfPersonSeconds: setting('STALE_IF_PERSON_SECONDS', wholeBetween(0, 2_592_000), '604800', {
      description:
        'The same for a sign-in that waits for the student, because the campus wants a second step: between two of them the service answers from copies.',
    }),
    revalidateSeconds: setting('REVALIDATE_SECONDS', wholeBetween(0, 2_592_000), '60', {
      description:
        'How far beyond its freshness a copy may be that is answered at once, with its age in words, while one reading runs behind it, when the call says nothing about it. 0, or `FRESH_SECONDS=0`: the call waits for the campus.',
    }),
    keepCopies: setting('KEEP_COPIES', onOff, 'on', {
      description:
        'Keeps the last good value of every read of a student, encrypted. `off` deletes those that exist; what is fresh is then held in memory alone.',
    }),
    copyMaxMs: setting('COPY_MAX_DAYS', wholeBetween(1, 365, DAY_MS), '30', {
      description: 'Days after its reading at which a copy is deleted.',
    }),
  },
};

export const calendarSettings = {
  calendar: {
    adjustments: optionalSetting('CALENDAR_ADJUSTMENTS', filePath, {
      description:
        'JSON file with the days off of the campus and the days whose classes are held on another day; read at startup. Its form: `docs/use/calendar.md`.',
      example: 'docs/run/adjustments.example.json',
      otherwise: 'every day is as the timetable has it',
    }),
  },
};

export const webhookSettings = {
  webhooks: {
    allow: setting('WEBHOOK_ALLOW', commaList(allowedTarget, 100), '', {
      description:
        'Networks beside the public internet that hooks of students may call, each at one port. Without it hooks reach public addresses at port 443 alone; addresses of the campus and of `PUBLIC_URL` are never called.',
      example: '10.20.0.0/28:8443,203.0.113.7:8443',
    }),
    deny: setting('WEBHOOK_DENY', commaList(deniedTarget, 1_000), '', {
      description:
        'Networks and domains, with all below them, that hooks of students never call, not even where allowed.',
      example: '198.51.100.0/24,example.net',
    }),
  },
};

/** No setting: the plan `sequential` pauses this long between two courses. */
export const evaluationPauseMs = 3_000;

export const evaluationSettings = {
  evaluation: {
    plan: setting('EVALUATION_PLAN', choice('overlapped', 'sequential'), 'overlapped', {
      description: '`overlapped`: the countdowns of all courses run side by side. `sequential`: one after the other.',
    }),
    timing: {
      waitMs: setting('EVALUATION_WAIT_SECONDS', wholeBetween(0, 3600, SECOND_MS), '140', {
        description: 'Countdown between opening a questionnaire and submitting it; the campus refuses quicker answers.',
        demoDefault: '6',
      }),
      openEveryMs: setting('EVALUATION_OPEN_EVERY_SECONDS', wholeBetween(0, 600, SECOND_MS), '6', {
        description: 'With the plan `overlapped`: seconds from opening one questionnaire to opening the next.',
        demoDefault: '1',
      }),
    },
    answers: optionalSetting('EVALUATION_ANSWERS', filePath, {
      description:
        'JSON file with the texts and marks to answer with; read at startup. Its form: `docs/use/evaluation.md`.',
      example: 'docs/run/answers.example.json',
      otherwise: 'the built-in texts',
    }),
    maxRunning: setting('EVALUATION_MAX_RUNNING', wholeBetween(1, 10_000), '200', {
      description: 'Evaluation runs at once in one process.',
    }),
  },
};
