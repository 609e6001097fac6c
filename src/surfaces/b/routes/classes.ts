import { Type } from '@sinclair/typebox';
import type { Offerings } from '../../../domain/offerings/offerings.ts';
import { classesPageSize } from '../../../domain/offerings/ports.ts';
import { AdministrativeClass, ClassFilters, ClassMajors } from '../../../domain/offerings/records.ts';
import { flag, integer, listOf, object, text } from '../../../domain/record.ts';
import { createTimestamper } from '../../../lib/campus-time.ts';
import { patterned } from '../../../platform/requests/findings.ts';
import { courseMembers, presentCourse } from '../../records/timetable.ts';
import { type Operation, operation } from '../operation.ts';
import { TermCode } from './academics.ts';
import { code, shared } from './offerings.ts';

const ClassPage = object('ClassPage', 'A page of administrative classes.', {
  total_count: integer('Classes of all pages.', 1),
  page_index: integer('As asked.', 1),
  page_count: integer(`Pages of ${classesPageSize}.`, 1),
  classes: listOf(AdministrativeClass, 'In the order of the campus.'),
});

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

const ClassesQuery = Type.Object({
  term_code: TermCode,
  department_code: department,
  major_code: Type.Optional(code('A `major_code` of the department.', 20, '0801')),
  grade: Type.Optional(
    patterned(
      { pattern: '^\\d{4}$', description: 'Year of entry.', examples: ['2023'] },
      { en: 'Input should be a year such as 2023', zh: '应为四位年份，例如 2023' },
    ),
  ),
  page_index: Type.Integer({ default: 1, minimum: 1, maximum: 50, description: 'From 1.', examples: [1] }),
});

/** Administrative classes and their timetables: read once for everybody. */
export const classOperations = (offerings: Offerings, timeZone: string): Operation[] => {
  const timestamp = createTimestamper(timeZone);
  return [
    operation({
      ...shared,
      route: 'GET /jwc/classes/filters',
      needs: ['offerings.classFilters'],
      operationId: 'getClassFilters',
      summary: 'By what classes can be looked up',
      data: ClassFilters,
      message: '获取班级筛选条件成功',
      run: (call) => offerings.classFilters(call.student, call),
    }),
    operation({
      ...shared,
      route: 'GET /jwc/classes/majors',
      needs: ['offerings.classMajors'],
      operationId: 'listClassMajors',
      summary: 'Majors of a department',
      query: Type.Object({ department_code: department }),
      data: ClassMajors,
      message: '获取专业列表成功',
      run: (call) => offerings.classMajors(call.student, call.query.department_code, call),
    }),
    operation({
      ...shared,
      route: 'GET /jwc/classes',
      needs: ['offerings.classes'],
      operationId: 'listClasses',
      summary: 'Administrative classes of a department',
      description: `Pages of ${classesPageSize}. A department has to be named: nobody needs the whole campus in one answer.`,
      query: ClassesQuery,
      data: ClassPage,
      message: '获取班级列表成功',
      async run(call) {
        const { term_code, department_code, major_code = '', grade = '', page_index } = call.query;
        const asked = { termCode: term_code, departmentCode: department_code, majorCode: major_code, grade };
        const { total_count, classes } = await offerings.classes(call.student, { ...asked, page: page_index }, call);
        return { total_count, page_index, page_count: Math.max(1, Math.ceil(total_count / classesPageSize)), classes };
      },
    }),
    operation({
      ...shared,
      route: 'GET /jwc/classes/:class_code/schedule',
      needs: ['offerings.classSchedule'],
      operationId: 'getClassSchedule',
      summary: 'Timetable of an administrative class',
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
