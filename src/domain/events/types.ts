const marks = [
  'academics.allScores',
  'academics.scorePage',
  'academics.wholeRecord',
  'academics.currentScores',
] as const;
const exams = ['academics.exams'] as const;

interface EventRow {
  /** How a notification calls it. */
  readonly title: string;
  /** What it is, for the documents. */
  readonly means: string;
  /** The campus has to supply one of these capabilities; left out: nothing. */
  readonly seenIn?: readonly string[];
}

/** What may become news; one row each. */
export const eventTypes = {
  'score.published': {
    title: '成绩公布',
    means: 'A mark that was not there before, a retake or make-up mark included.',
    seenIn: marks,
  },
  'score.changed': { title: '成绩变更', means: 'A mark that was there reads differently.', seenIn: marks },
  'score.component_published': {
    title: '成绩构成公布',
    means: 'A part of a score that was not there before.',
    seenIn: ['academics.scoreComponents'],
  },
  'exam.scheduled': { title: '新增考试', means: 'An exam that was not listed, or had no day, has one.', seenIn: exams },
  'exam.moved': { title: '考试变动', means: 'Day, time or place of an exam reads differently.', seenIn: exams },
  'exam.cancelled': {
    title: '考试取消',
    means: 'An exam that is still to come is not listed any more, as two readings at least 12 hours apart agree.',
    seenIn: exams,
  },
  'schedule.changed': {
    title: '课表变动',
    means: 'Courses of a timetable were added, moved or taken out.',
    seenIn: ['academics.schedule'],
  },
  'term.began': {
    title: '新学期',
    means: 'The campus speaks of another term than before.',
    seenIn: ['academics.calendarText'],
  },
  'evaluation.due': {
    title: '待评教',
    means: 'Courses wait to be evaluated that did not before.',
    seenIn: ['academics.evaluationCourses'],
  },
  'electricity.low': {
    title: '电量不足',
    means: 'What is left for the room has fallen below a threshold; told once until it is 20 % above it again.',
    seenIn: ['electricity.readMeter'],
  },
  'activity.changed': {
    title: '劳动活动变动',
    means: 'A joined activity reads differently, or is not listed any more.',
    seenIn: ['laborClub.joinedActivities'],
  },
  'account.person_needed': { title: '需要本人验证', means: 'Signing in at the campus needs the student.' },
  'account.password_refused': {
    title: '密码失效',
    means: 'The campus has refused the stored passwords: the student has to log in.',
  },
  'score.expected': {
    title: '成绩可能已公布',
    means:
      'Marks of a class are coming out, which one is not said. Only for those who take part, see `docs/use/hooks.md`.',
    seenIn: marks,
  },
  'test.ping': { title: '测试消息', means: 'Somebody has asked for a test.' },
} as const satisfies Readonly<Record<string, EventRow>>;

export type EventType = keyof typeof eventTypes;

export const isEventType = (word: string): word is EventType => Object.hasOwn(eventTypes, word);
export const eventTypeNames: readonly EventType[] = Object.keys(eventTypes).filter(isEventType);
