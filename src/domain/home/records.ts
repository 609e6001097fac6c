import { integer, listOf, object, type RecordOf, text, textOrNull } from '../record.ts';

const clockText = (which: string) => textOrNull(`${which}, \`HHMM\`; null where the campus gives the session no time.`);

export interface HomeToday extends RecordOf<typeof HomeToday> {}
export const HomeToday = object('HomeToday', 'The classes of today.', {
  date: text('Today at the campus, `YYYY-MM-DD`.'),
  weekday: integer('0 is Monday, 6 Sunday. (`class_day` of timetables counts from 1.)'),
  week_number: integer('Week of the term, counted from its first day as in calendar feeds; 0 outside the term.'),
  term_code: text('Term code. Where it is not known, this part is an error.'),
  adjustment: textOrNull('What the operator has set for this day, in words; null: nothing.'),
  classes: listOf(
    object('HomeClass', 'A class of today.', {
      course_name: text('Course.'),
      course_code: text('Course number.'),
      course_sequence: text('Class number.'),
      teacher_name: text('Several names are joined with one blank.'),
      class_sessions: integer('First session.'),
      continuing_session: integer('Number of consecutive sessions.'),
      start_time: clockText('Begin of the first session'),
      end_time: clockText('End of the last session'),
      campus_name: text('Campus.'),
      teaching_building_name: text('Building.'),
      classroom_name: text('Room.'),
      week_description: text('E.g. `1-16周`.'),
    }),
    'By first session, then name.',
  ),
});
