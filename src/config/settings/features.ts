import { Type } from '@sinclair/typebox';
import { settingOf } from '../setting.ts';

const reads = settingOf('Reads');
const calendar = settingOf('Calendar');
const evaluation = settingOf('Evaluation');

export const readsSettings = {
  FRESH_SECONDS: reads(Type.Integer({ default: 10, minimum: 0, maximum: 3600 }), {
    description:
      'What was read at the campus less than this ago is answered again without asking. 0: every call asks. See `docs/freshness.md`.',
    example: '30',
  }),
  STALE_IF_ERROR_SECONDS: reads(Type.Integer({ default: 0, minimum: 0, maximum: 2_592_000 }), {
    description:
      'How old a copy may be that is answered, with its age in words, when the campus fails and the call says nothing about it. 0: the failure is answered.',
    example: '86400',
  }),
  KEEP_COPIES: reads(Type.Boolean({ default: true }), {
    description:
      'Keeps the last good value of every read of a student, encrypted. `off` deletes those that exist; what is fresh is then held in memory alone.',
    example: 'off',
  }),
  COPY_MAX_DAYS: reads(Type.Integer({ default: 30, minimum: 1, maximum: 365 }), {
    description: 'Days after its reading at which a copy is deleted.',
    example: '7',
  }),
};

export const calendarSettings = {
  CALENDAR_ADJUSTMENTS: calendar(Type.Optional(Type.String({ maxLength: 4096 })), {
    form: 'file',
    description:
      'JSON file with the days off of the campus and the days whose classes are held on another day; read at start. Its form: `docs/calendar.md`.',
    example: 'docs/adjustments.example.json',
    otherwise: 'every day is as the timetable has it',
  }),
};

export const evaluationSettings = {
  EVALUATION_WAIT_SECONDS: evaluation(Type.Integer({ default: 140, minimum: 0, maximum: 3600 }), {
    description: 'Countdown between opening a questionnaire and submitting it; the campus refuses quicker answers.',
    example: '150',
    demoDefault: 6,
  }),
  EVALUATION_PAUSE_SECONDS: evaluation(Type.Integer({ default: 3, minimum: 0, maximum: 600 }), {
    description: 'Pause between two courses with the plan `sequential`.',
    example: '5',
    demoDefault: 1,
  }),
  EVALUATION_PLAN: evaluation(
    Type.Union([Type.Literal('overlapped'), Type.Literal('sequential')], { default: 'overlapped' }),
    {
      description: '`overlapped`: the countdowns of all courses run side by side. `sequential`: one after the other.',
      example: 'sequential',
    },
  ),
  EVALUATION_OPEN_EVERY_SECONDS: evaluation(Type.Integer({ default: 6, minimum: 0, maximum: 600 }), {
    description: 'With the plan `overlapped`: seconds from opening one questionnaire to opening the next.',
    example: '10',
    demoDefault: 1,
  }),
  EVALUATION_ANSWERS: evaluation(Type.Optional(Type.String({ maxLength: 4096 })), {
    form: 'file',
    description: 'JSON file with the texts and marks to answer with; read at start. Its form: `docs/evaluation.md`.',
    example: 'docs/answers.example.json',
    otherwise: 'the built-in texts',
  }),
  EVALUATION_MAX_RUNNING: evaluation(Type.Integer({ default: 200, minimum: 1, maximum: 10_000 }), {
    description: 'Evaluation runs at once in one process.',
    example: '50',
  }),
};
