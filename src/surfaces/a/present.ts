import type { Static } from '@sinclair/typebox';
import type { AcademicSummary, Schedule, ScorePage, ScoreRecord, Term } from '../../domain/academics/types.ts';
import type {
  AcademicInfo,
  ScheduleData,
  ScoreRecord as ScoreRecordSchema,
  TermScoreResponse,
  Terms,
} from './schemas/academics.ts';

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  count: summary.coursesTaken,
  countNotPass: summary.coursesFailed,
  gpa: summary.gpa,
});

export const presentTerms = (terms: readonly Term[]): Static<typeof Terms> =>
  Object.fromEntries(terms.map(({ code, name }) => [code, name]));

const presentScore = (score: ScoreRecord): Static<typeof ScoreRecordSchema> => ({
  sequence: score.sequence,
  term_id: score.termCode,
  course_code: score.courseCode,
  course_class: score.courseClass,
  course_name_cn: score.courseName,
  course_name_en: score.courseNameEnglish,
  credits: score.credits,
  hours: score.hours,
  course_type: score.courseType,
  exam_type: score.examType,
  score: score.score,
  retake_score: score.retakeScore,
  makeup_score: score.makeupScore,
});

export const presentScorePage = (page: ScorePage): Static<typeof TermScoreResponse> => ({
  page_size: page.pageSize,
  page_num: page.page,
  total_count: page.totalCount,
  records: page.records.map(presentScore),
});

export const presentSchedule = ({ totalCredits, courses, sections }: Schedule): Static<typeof ScheduleData> => ({
  total_units: totalCredits,
  time_slots: sections.slots.map((slot) => ({
    session: slot.session,
    session_name: slot.name,
    start_time: slot.startTime,
    end_time: slot.endTime,
    time_length: slot.length,
    djjc: slot.block,
  })),
  courses: courses.map((course) => ({
    course_name: course.name,
    course_code: course.code,
    course_sequence: course.sequence,
    teacher_name: course.teachers,
    course_properties: course.nature,
    exam_type: course.examType,
    unit: course.credits,
    time_locations: course.places.map((place) => ({
      class_day: place.weekday,
      class_sessions: place.firstSession,
      continuing_session: place.sessionCount,
      class_week: place.weekMask,
      week_description: place.weekDescription,
      campus_name: place.campus,
      teaching_building_name: place.building,
      classroom_name: place.room,
    })),
    is_no_schedule: course.places.length === 0,
  })),
  semester_info:
    sections.semester === null
      ? {}
      : {
          total_weeks: sections.semester.totalWeeks,
          week_description: sections.semester.weekDescription,
          total_sessions: sections.semester.totalSessions,
          first_day: sections.semester.firstDay,
        },
});
