import type { Static, TObject } from '@sinclair/typebox';
import type { Exam } from '../../domain/academics/exams.ts';
import type {
  CourseScore,
  Schedule,
  ScheduledCourse,
  ScoreRecord,
  SectionTimes,
} from '../../domain/academics/types.ts';
import type { ActivityCategory, ActivityTotal } from '../../domain/activity-score/types.ts';
import type {
  activityCategoryMembers,
  activityItemMembers,
  activityTotalMembers,
  examMembers,
  scheduleSchema,
  scoreMembers,
} from './schemas.ts';

type ScheduleValue = Static<ReturnType<typeof scheduleSchema>>;
type ActivityItem = TObject<typeof activityItemMembers>;

/** The members that scores of all terms share. */
export const presentCourseScore = (score: CourseScore) => ({
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
});

export const presentScore = (score: ScoreRecord): Static<TObject<typeof scoreMembers>> => ({
  ...presentCourseScore(score),
  sequence: score.sequence,
  retake_score: score.retakeScore,
  makeup_score: score.makeupScore,
});

const presentCourse = (course: ScheduledCourse): ScheduleValue['courses'][number] => ({
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

export const presentSchedule = ({ totalCredits, courses, sections }: Schedule): ScheduleValue => ({
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

const examTypes: Readonly<Record<Exam['kind'], string>> = { university: '校统考', other: '其他考试' };

export const presentExam = (exam: Exam): Static<TObject<typeof examMembers>> => ({
  course_name: exam.courseName,
  exam_date: exam.date,
  exam_time: exam.time,
  exam_location: exam.location,
  exam_type: examTypes[exam.kind],
  note: exam.note,
});

export const presentActivityTotal = (total: ActivityTotal): Static<TObject<typeof activityTotalMembers>> => ({
  TotalScore: total.score,
  IsTypeAdopt: total.requirementMet,
  TypeAdoptResult: total.explanation,
});

export const presentActivityCategory = (
  category: ActivityCategory,
): Static<TObject<ReturnType<typeof activityCategoryMembers<ActivityItem>>>> => ({
  ID: category.id,
  ShowNum: category.displayNumber,
  TypeName: category.name,
  TotalScore: category.score,
  children: category.items.map((item) => ({
    ID: item.id,
    Title: item.title,
    TypeName: item.category,
    UserNo: item.studentId,
    Score: item.score,
    AddTime: item.addedAt,
  })),
});
