import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { EvaluationRefusal } from '../../domain/evaluation/evaluation.ts';
import { type EvaluationCourse, type TaskFault, TaskStatus } from '../../domain/evaluation/task.ts';
import type { CurrentView, Progress, TaskCourse, TaskView } from '../../domain/evaluation/view.ts';
import { flag, integer, type NamedObject, orNull, text } from '../../domain/record.ts';
import { campusDateTime } from '../../lib/time.ts';
import { personText } from './texts.ts';

const moment = (description: string, example: string | null) =>
  orNull(Type.String({ format: 'date-time' }), description, example);

export const evaluationCourseMembers = (object: NamedObject) => ({
  id: orNull(
    object('CourseId', 'What identifies a course to evaluate.', {
      evaluatedPeople: text('Number of the person evaluated, not a name.', 'T0012'),
      coureSequenceNumber: text('Course sequence number.', '01'),
      evaluationContentNumber: text('Course number.', 'CS1001'),
    }),
    'Identifiers; null where the campus sends none.',
  ),
  questionnaire: orNull(
    object('Questionnaire', 'What is filled in for a course.', {
      questionnaireNumber: text('Questionnaire id.', 'Q001'),
      questionnaireName: text('Questionnaire title.', '理论课评价'),
    }),
    'What is filled in; null where the campus sends none.',
  ),
  evaluatedPeople: text('Name of the teacher.', '李四'),
  isEvaluated: text('`是` is done; anything else, also empty, is pending.', '否'),
  evaluationContent: text('Course name.', '程序设计'),
});

export const taskStatus = {
  ...TaskStatus,
  title: 'TaskStatusEnum',
  description: 'State of the task. `paused` is never sent.',
  examples: ['running'],
};

export const courseInfoMembers = {
  course_id: text('Sequence number; not unique.', '01'),
  course_name: text('Course.', '程序设计'),
  teacher_name: text('Teacher.', '李四'),
  is_evaluated: text('`是` or `否`, as the campus writes it.', '否'),
  evaluation_content: text('Same as `course_name`.', '程序设计'),
};

const courseListOf = <T extends TSchema>(course: T) =>
  Type.Array(course, { description: 'The full list, evaluated courses included.' });

export const initializedMembers = <T extends TSchema>(course: T) => ({
  total_courses: integer('Courses in the list.', 1),
  pending_courses: integer('Courses not evaluated yet.', 1),
  course_list: courseListOf(course),
});

export const taskMembers = <T extends TSchema>(course: T) => ({
  total_courses: integer('Courses in the latest list.', 1),
  pending_courses: integer('Courses of the latest list not evaluated yet.', 1),
  success_count: integer('Courses evaluated by this run.', 0),
  fail_count: integer('Courses that this run could not evaluate.', 0),
  current_index: integer('Attempts that have ended: place of the current one, from 0.', 0),
  status: taskStatus,
  current_countdown: integer('Seconds until the current course is submitted.', 95),
  start_time: moment('Begin of the run.', '2025-06-20T10:15:30+08:00'),
  end_time: moment('End of the run.', null),
  error_message: text('Why the task failed; of an ended run, how many courses failed.', ''),
  course_list: courseListOf(course),
});

export const currentMembers = {
  is_evaluating: flag('True exactly while the task is `running`.', true),
  course_name: text('At most 20 characters, then `...`.', '程序设计'),
  teacher_name: text('Teacher.', '李四'),
  progress_text: text('For people.', '正在评价(1/1): 程序设计 - 李四 (倒计时: 95秒)'),
  countdown_seconds: integer('Seconds until this course is submitted.', 95),
  current_index: integer('-1: no current course.', 0),
  total_pending: integer('Courses not evaluated yet.', 1),
};

const causeTexts: Readonly<Record<TaskFault, string>> = {
  'season-closed': '评教尚未开放或已经结束',
  'index-failed': '评教页面读取失败，请稍后重试',
  'list-failed': '没有获取到课程列表，请稍后重试',
  'list-empty': '课程列表为空，没有可评价的课程',
  'sign-in-failed': '登录校园系统失败，请重新登录后再试',
  'person-needed': personText('unknown'),
  interrupted: '评教曾经中断，请重新开始',
  unexpected: '服务内部错误',
};

export const initializeFault = (fault: TaskFault): string =>
  fault === 'list-empty' || fault === 'list-failed' ? causeTexts[fault] : `初始化异常: ${causeTexts[fault]}`;

const faultText = ({ fault, ran }: Pick<TaskView, 'fault' | 'ran'>): string => {
  if (fault === null) return '';
  // Before its run began nothing can have been submitted.
  if (!ran) return initializeFault(fault);
  return `评价任务异常: ${causeTexts[fault]}${fault === 'interrupted' ? '，已提交的课程仍然有效' : ''}`;
};

const errorText = (view: TaskView): string => {
  if (view.endedAt === null) return faultText(view);
  const unknown = view.failed.filter(({ isUnknown }) => isUnknown).length;
  const failed = view.failCount - unknown;
  const texts = [
    faultText(view),
    view.fault === null && failed > 0 ? `${failed} 门课程评价失败，可以重新初始化后再次评价` : '',
    unknown > 0 ? `有${unknown === 1 ? '一' : ` ${unknown} `}门课程的提交结果未知，请以课程列表为准` : '',
  ];
  return texts.filter((text) => text !== '').join('；');
};

export const refusalTexts: Readonly<Record<EvaluationRefusal, string>> = {
  busy: '已有评价任务在进行',
  'under-way': '评价任务已在运行中',
  initializing: '任务启动失败，可能已有任务在运行',
  'not-initialized': '任务管理器不存在，请先初始化',
  'too-many': '当前评价任务过多，请稍后再试',
  'course-unknown': '课程不在评教列表中',
  'not-now': '该课程当前不能预览',
  'not-shown': '该课程还没有预览，请先预览',
  'season-closed': causeTexts['season-closed'],
  'list-empty': causeTexts['list-empty'],
  'no-task': '任务管理器不存在',
  'not-running': '终止失败',
};

export const noTask = '无活跃任务';
export const readyText = (pending: number): string => `初始化完成，找到 ${pending} 门待评价课程`;
const nothingToDo = '所有课程已评价完成！';
/** A run with nothing to do is over at once. */
export const startedText = (status: TaskStatus): string => (status === 'completed' ? nothingToDo : '任务已启动');
export const noCourses = '暂无需要评教的课程';
export const coursesText = ({ length }: readonly unknown[]): string =>
  length === 0 ? noCourses : '评教课程列表获取成功';
export const terminatedText = '任务已终止';

export const progressText = (progress: Progress): string => {
  switch (progress.kind) {
    case 'nothing':
      return '';
    case 'loading-list':
      return '正在获取课程列表...';
    case 'ready':
      return readyText(progress.pending);
    case 'opening':
      return `正在处理第 ${progress.position}/${progress.of} 门课程: ${progress.questionnaire}`;
    case 'countdown':
      return `服务器倒计时: ${progress.seconds} 秒`;
    case 'submitting':
      return '正在提交评价...';
    case 'person-needed':
      return '学校VPN门户要求本人验证，请在30分钟内重新登录，之后自动继续';
    case 'reading-list':
      return '正在更新课程列表...';
    case 'attempt-ended':
      return `课程评价${progress.success ? '成功' : '失败'}: ${progress.courseName}`;
    case 'completed':
      return progress.nothingToDo ? nothingToDo : `评价完成！成功: ${progress.success}，失败: ${progress.failed}`;
    case 'terminated':
      return terminatedText;
    case 'failed':
      return faultText({ fault: progress.fault, ran: progress.ran });
  }
};

const longestName = 20;

const shortName = (name: string): string => {
  const characters = Array.from(name);
  return characters.length > longestName ? `${characters.slice(0, longestName).join('')}...` : name;
};

const currentText = ({ status, course }: CurrentView): string => {
  if (status !== 'running') return '当前无评价任务';
  if (course === null) return '准备中...';
  const { index, of, countdown, name, teacher } = course;
  const text = `正在评价(${index + 1}/${of}): ${shortName(name)} - ${teacher}`;
  return countdown > 0 ? `${text} (倒计时: ${countdown}秒)` : text;
};

export const presentEvaluationCourse = (
  course: EvaluationCourse,
): Static<TObject<ReturnType<typeof evaluationCourseMembers>>> => ({
  id: course.id && {
    evaluatedPeople: course.id.staffNumber,
    coureSequenceNumber: course.id.sequence,
    evaluationContentNumber: course.id.contentNumber,
  },
  questionnaire: course.questionnaire && {
    questionnaireNumber: course.questionnaire.number,
    questionnaireName: course.questionnaire.name,
  },
  evaluatedPeople: course.teacher,
  isEvaluated: course.evaluated,
  evaluationContent: course.courseName,
});

export const presentCourseInfo = ({
  id,
  courseName,
  teacher,
  evaluated,
}: EvaluationCourse): Static<TObject<typeof courseInfoMembers>> => ({
  course_id: id?.sequence ?? '',
  course_name: courseName,
  teacher_name: teacher,
  is_evaluated: evaluated,
  evaluation_content: courseName,
});

export const presentInitialized = <T>({ total, pending, courses }: TaskView, present: (course: TaskCourse) => T) => ({
  total_courses: total,
  pending_courses: pending,
  course_list: courses.map(present),
});

export const presentTask = <T>(view: TaskView, timeZone: string, present: (course: TaskCourse) => T) => {
  const moment = (at: number | null): string | null => (at === null ? null : campusDateTime(at, timeZone));
  return {
    ...presentInitialized(view, present),
    success_count: view.successCount,
    fail_count: view.failCount,
    current_index: view.currentIndex,
    status: view.status,
    current_countdown: view.countdown,
    start_time: moment(view.startedAt),
    end_time: moment(view.endedAt),
    error_message: errorText(view),
  };
};

export const presentCurrent = (view: CurrentView): Static<TObject<typeof currentMembers>> => ({
  is_evaluating: view.status === 'running',
  course_name: shortName(view.course?.name ?? ''),
  teacher_name: view.course?.teacher ?? '',
  progress_text: currentText(view),
  countdown_seconds: view.course?.countdown ?? 0,
  current_index: view.course?.index ?? -1,
  total_pending: view.pending,
});
