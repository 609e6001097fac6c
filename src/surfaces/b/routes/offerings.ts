import { type Static, Type } from '@sinclair/typebox';
import {
  AdministrativeClass,
  ClassFilters,
  ClassMajors,
  classesPageSize,
  OfferedCourse,
  OfferingTerms,
} from '../../../domain/offerings/records.ts';
import type { OfferedClass } from '../../../domain/offerings/search.ts';
import { flag, integer, listOf, object, text } from '../../../domain/record.ts';
import { trimmed, withPattern } from '../../../http/requests/findings.ts';
import { createTimestamper } from '../../../lib/time.ts';
import { courseMembers, presentCourse, presentPlaces } from '../../common/timetable.ts';
import type { SurfaceBDeps } from '../described.ts';
import { type Operation, operation } from '../operation.ts';
import { TermCode } from './academics.ts';

const code = (description: string, longest: number, example: string) =>
  withPattern(
    { pattern: `^[A-Za-z0-9_-]{1,${longest}}$`, description, examples: [example] },
    {
      en: `Input should be 1 to ${longest} letters, digits, _ or -`,
      zh: `应为 1 至 ${longest} 个字母、数字、_ 或 -`,
    },
  );

const words = (description: string, example: string) =>
  Type.Optional(text(description, example, { maxLength: 50, [trimmed]: true }));

const { time_locations, is_no_schedule } = courseMembers(object, flag('True: the class has no concrete time.', false));
const { course_code, course_sequence, course_name, ...rest } = OfferedCourse.properties;

const ShownClass = object(
  'OfferedClass',
  'A class that is offered in a term. What the campus does not state is null.',
  {
    course_code,
    course_sequence,
    course_name,
    teacher_name: text('Several names are joined with one blank.', '许静'),
    ...rest,
    time_locations,
    is_no_schedule,
  },
);

const ShownPage = object('OfferingPage', 'Classes that match, over what has been read of the term.', {
  term_code: text('As asked.', '2025-2026-2-1'),
  page_index: integer('As asked.', 1),
  page_size: integer('As asked.', 20),
  total_count: integer('Classes that match.', 1),
  complete: flag(
    'Everything was read within its freshness. False: more is on its way (`Retry-After`), or could not be had; a class may be missing or lack a place.',
    true,
  ),
  pages_read: integer('Pages of the campus that this is made of.', 1),
  page_count: integer('Pages that the campus has; 1 where one course was asked for.', 1),
  read_at: text('Start of the oldest reading in it, `YYYY-MM-DD HH:MM:SS`.', '2026-01-05 09:00:02'),
  classes: listOf(ShownClass, 'In the order of the campus; empty behind the last page.'),
});

const presentClass = ({ course, teachers, places }: OfferedClass): Static<typeof ShownClass> => ({
  ...course,
  teacher_name: teachers.join(' '),
  time_locations: presentPlaces(places),
  is_no_schedule: places.length === 0,
});

const defaults = {
  level: 'TU',
  tag: 'Course offerings',
  scope: 'academics:read',
  parts: ['busy'],
} as const;

const trimmedOf = (value: string | undefined): string | undefined => value?.trim() || undefined;

const ClassSchedule = object('ClassSchedule', 'The timetable of an administrative class.', {
  term_code: text('As asked.', '2025-2026-2-1'),
  class_code: text('As asked.', '230714'),
  read_at: text('Start of the reading, `YYYY-MM-DD HH:MM:SS`.', '2026-01-05 09:00:02'),
  courses: listOf(
    object('ClassScheduleCourse', 'A course of the class. `course_properties` is empty: the campus does not tell it.', {
      ...courseMembers(object, flag('True: the course has no concrete time.', false)),
      course_properties: text('Empty.', ''),
    }),
    'Empty for a class without courses, and for one that the campus does not know.',
  ),
});

const department = code('A `department_code` of the filters.', 20, '08');

export const offeringsOperations = ({ services: { offerings }, timeZone }: SurfaceBDeps): Operation[] => {
  const timestamp = createTimestamper(timeZone);
  return [
    operation('GET /jwc/offerings/terms', 'listOfferingTerms', {
      ...defaults,
      needs: ['offerings.offeringTerms'],
      summary: { en: 'Terms whose offerings can be searched', zh: '可查开课的学期' },
      description: 'May hold the next term, before it has a timetable.',
      data: OfferingTerms,
      message: '获取开课学期成功',
      run: (call) => offerings.offeringTerms(call.student, call),
    }),
    operation('GET /jwc/offerings', 'searchOfferings', {
      ...defaults,
      needs: ['offerings.offerings', 'offerings.offeringsOf'],
      summary: { en: 'Search the course offerings of a term', zh: '查询开课信息' },
      description:
        'The offerings of a term are read once for everybody, page after page and slowly, because the campus limits how often it is asked; all filters work on what has been read. The first search of a term waits for the first page and says `complete: false` with `Retry-After` while the others are read.',
      query: Type.Object({
        term_code: TermCode,
        course_code: Type.Optional(
          code(
            'The whole code. It is asked for at the campus by itself while the term is not read yet.',
            40,
            'MAT1102004',
          ),
        ),
        course_name: words('Part of the name, in any case and width.', '线性代数'),
        teacher: words('Part of the name of a teacher.', '许静'),
        weekday: Type.Optional(integer('1 is Monday, 7 Sunday, as in `class_day`.', 1, { minimum: 1, maximum: 7 })),
        session: Type.Optional(
          integer('A session that it covers, on `weekday` if given.', 2, { minimum: 1, maximum: 20 }),
        ),
        department: words('Exactly.', '数学学院'),
        category: words('Exactly.', '专业必修课'),
        campus_name: words('Exactly.', '东校区'),
        places_left: Type.Optional(
          Type.Literal(true, { description: 'Only classes with places left.', examples: [true] }),
        ),
        page_index: integer('From 1.', 1, { default: 1, minimum: 1, maximum: 200 }),
        page_size: integer('Classes on a page.', 20, { default: 20, minimum: 1, maximum: 100 }),
      }),
      data: ShownPage,
      message: '获取开课信息成功',
      answerHeaders: {
        'Retry-After': { type: 'integer', description: 'Seconds after which there may be more; while pages are read.' },
      },
      async run(call) {
        const { query } = call;
        const wanted = {
          termCode: query.term_code,
          courseCode: query.course_code,
          courseName: trimmedOf(query.course_name),
          teacher: trimmedOf(query.teacher),
          weekday: query.weekday,
          session: query.session,
          department: trimmedOf(query.department),
          category: trimmedOf(query.category),
          campusName: trimmedOf(query.campus_name),
          hasPlaces: query.places_left,
          page: query.page_index,
          pageSize: query.page_size,
        };
        const found = await offerings.search(call.student, wanted, call);
        if (!found.isComplete) {
          // No entity tag: the answer will be another one in a moment.
          call.reads?.lacksPart();
          const { retryAfterSeconds } = found;
          if (retryAfterSeconds !== null) call.answer.headers({ 'Retry-After': String(Math.ceil(retryAfterSeconds)) });
        }
        return {
          term_code: query.term_code,
          page_index: query.page_index,
          page_size: query.page_size,
          total_count: found.total,
          complete: found.isComplete,
          pages_read: found.pagesRead,
          page_count: found.pageCount,
          read_at: timestamp(found.readAt),
          classes: found.classes.map(presentClass),
        };
      },
    }),
    operation('GET /jwc/classes/filters', 'getClassFilters', {
      ...defaults,
      needs: ['offerings.classFilters'],
      summary: { en: 'By what classes can be looked up', zh: '班级筛选条件' },
      data: ClassFilters,
      message: '获取班级筛选条件成功',
      run: (call) => offerings.classFilters(call.student, call),
    }),
    operation('GET /jwc/classes/majors', 'listClassMajors', {
      ...defaults,
      needs: ['offerings.classMajors'],
      summary: { en: 'Majors of a department', zh: '院系的专业' },
      query: Type.Object({ department_code: department }),
      data: ClassMajors,
      message: '获取专业列表成功',
      run: (call) => offerings.classMajors(call.student, call.query.department_code, call),
    }),
    operation('GET /jwc/classes', 'listClasses', {
      ...defaults,
      needs: ['offerings.classes'],
      summary: { en: 'Administrative classes of a department', zh: '班级列表' },
      description: `Pages of ${classesPageSize}. A department has to be named: no client needs the whole campus in one answer.`,
      query: Type.Object({
        term_code: TermCode,
        department_code: department,
        major_code: Type.Optional(code('A `major_code` of the department.', 20, '0801')),
        grade: Type.Optional(
          withPattern(
            { pattern: '^\\d{4}$', description: 'Year of entry.', examples: ['2023'] },
            { en: 'Input should be a year such as 2023', zh: '应为四位年份，例如 2023' },
          ),
        ),
        page_index: integer('From 1.', 1, { default: 1, minimum: 1, maximum: 50 }),
      }),
      data: object('ClassPage', 'A page of administrative classes.', {
        total_count: integer('Classes of all pages.', 1),
        page_index: integer('As asked.', 1),
        page_count: integer(`Pages of ${classesPageSize}.`, 1),
        classes: listOf(AdministrativeClass, 'In the order of the campus.'),
      }),
      message: '获取班级列表成功',
      async run(call) {
        const { term_code, department_code, major_code = '', grade = '', page_index } = call.query;
        const asked = { termCode: term_code, departmentCode: department_code, majorCode: major_code, grade };
        const { total_count, classes } = await offerings.classes(call.student, { ...asked, page: page_index }, call);
        return { total_count, page_index, page_count: Math.max(1, Math.ceil(total_count / classesPageSize)), classes };
      },
    }),
    operation('GET /jwc/classes/:class_code/schedule', 'getClassSchedule', {
      ...defaults,
      needs: ['offerings.classSchedule'],
      summary: { en: 'Timetable of an administrative class', zh: '班级课表' },
      description: 'The sessions of a day are in the caller’s own schedule.',
      params: Type.Object({ class_code: code('A `class_code` of the classes.', 40, '230714') }),
      query: Type.Object({ term_code: TermCode }),
      data: ClassSchedule,
      message: '获取班级课表成功',
      async run(call) {
        const { class_code } = call.params;
        const { term_code } = call.query;
        const { value, readAt } = await offerings.classSchedule(call.student, term_code, class_code, call);
        return { term_code, class_code, read_at: timestamp(readAt), courses: value.map(presentCourse) };
      },
    }),
  ];
};
