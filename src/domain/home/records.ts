import { integer, listOf, object, oneOf, orNull, type RecordOf, text, textOrNull } from '../record.ts';

const clockText = (which: string) => textOrNull(`${which}, \`HHMM\`; null where the campus gives the session no time.`);

/** What every class of a day shows. */
const classMembers = {
  course_name: text('Course.'),
  course_code: text('Course number.'),
  course_sequence: text('Class number.'),
  teacher_name: text('Several names are joined with one blank.'),
  class_sessions: integer('First session.'),
  continuing_session: integer('Number of consecutive sessions.'),
};
const placeMembers = {
  campus_name: text('Campus.'),
  teaching_building_name: text('Building.'),
  classroom_name: text('Room.'),
  week_description: text('E.g. `1-16周`.'),
};

export interface HomeToday extends RecordOf<typeof HomeToday> {}
export const HomeToday = object('HomeToday', 'The classes of today.', {
  date: text('Today at the campus, `YYYY-MM-DD`.'),
  weekday: integer('0 is Monday, 6 Sunday. (`class_day` of timetables counts from 1.)'),
  week_number: integer('Week of the term, counted from its first day as in calendar feeds; 0 outside the term.'),
  term_code: text('Term code. Where it is not known, this part is an error.'),
  adjustment: textOrNull('What the operator has set for this day, in words; null: nothing.'),
  classes: listOf(
    object('HomeClass', 'A class of today.', {
      ...classMembers,
      start_time: clockText('Begin of the first session'),
      end_time: clockText('End of the last session'),
      ...placeMembers,
    }),
    'By first session, then name.',
  ),
});

const moment = (which: string) =>
  textOrNull(`${which} in campus time, \`YYYY-MM-DD HH:MM:SS\`; null where the campus states none.`);

export interface NextClass extends RecordOf<typeof NextClass> {}
export const NextClass = object('HomeNextClass', 'A class that is held now, or comes next.', {
  ...classMembers,
  date: text('The day on which it is held, `YYYY-MM-DD`.'),
  begin: moment('Begin'),
  end: moment('End'),
  ...placeMembers,
});

export interface HomeNext extends RecordOf<typeof HomeNext> {}
export const HomeNext = object('HomeNext', 'What is held now and what comes next.', {
  now: listOf(NextClass, 'Classes that are held now.'),
  next_class: listOf(
    NextClass,
    'The next classes of the term within 60 days: all that begin at that moment; of a day without times, all of that day.',
  ),
  next_exam: orNull(
    object('HomeNextExam', 'An exam.', {
      course_name: text('Course.'),
      exam_type: oneOf(['university', 'other'] as const, '`university`: of the campus; `other`: any other exam.'),
      date: text('Its day, `YYYY-MM-DD`.'),
      begin: moment('Begin'),
      end: moment('End'),
      exam_time: text('As the campus writes it.'),
      exam_location: text('Place.'),
      note: text('Seat of a university exam, remark of another one.'),
    }),
    'The next exam that has a day, until it is over; null: none, or see `exam_left_out`.',
  ),
  untimed_today: integer('Classes of today without a time: in neither list.'),
  exam_left_out: orNull(
    oneOf(['scope', 'not_offered', 'failed'] as const, 'Why exams were not looked at.'),
    'Null: they were. `scope`: the token lacks `exams:read`; `not_offered`: not at this campus; `failed`: they could not be read.',
  ),
  valid_until: text('In campus time: the earliest begin or end in it, at the latest the end of today. Ask again then.'),
});
