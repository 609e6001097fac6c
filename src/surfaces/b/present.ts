import type { Static } from '@sinclair/typebox';
import { termDisplayName } from '../../domain/academics/term-names.ts';
import type {
  AcademicSummary,
  ScoreRecord as DomainScore,
  Schedule,
  ScheduledCourse,
  SectionTimes,
  Term,
} from '../../domain/academics/types.ts';
import type { AcademicInfo, ScheduleData, ScoreRecord, TermItem, TermScoreResponse } from './schemas/academics.ts';

export const presentSummary = (summary: AcademicSummary): Static<typeof AcademicInfo> => ({
  completed_courses: summary.coursesTaken,
  failed_courses: summary.coursesFailed,
  pending_courses: summary.coursesPending,
  gpa: summary.gpa,
  current_term: summary.currentTerm,
  current_term_name: termDisplayName(summary.currentTerm),
});

export const presentTerm = ({ code, name, isCurrent }: Term): Static<typeof TermItem> => ({
  term_code: code,
  term_name: name,
  is_current: isCurrent,
});

const presentScore = (score: DomainScore): Static<typeof ScoreRecord> => ({
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

export const presentScores = (scores: readonly DomainScore[]): Static<typeof TermScoreResponse> => ({
  total_count: scores.length,
  records: scores.map(presentScore),
});

const presentCourse = (course: ScheduledCourse): Static<typeof ScheduleData>['courses'][number] => ({
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
});

const presentSemester = (semester: SectionTimes['semester']): Record<string, string> =>
  semester === null
    ? {}
    : {
        total_weeks: semester.totalWeeks,
        week_description: semester.weekDescription,
        total_sessions: semester.totalSessions,
        first_day: semester.firstDay,
      };

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
  courses: courses.map(presentCourse),
  semester_info: presentSemester(sections.semester),
});
