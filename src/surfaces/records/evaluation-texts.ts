import type { EditRefusal, PreviewRefusal, StartRefusal, TerminateRefusal } from '../../domain/evaluation/refusals.ts';
import type { TaskFault } from '../../domain/evaluation/task.ts';
import type { CurrentView, Progress, TaskView } from '../../domain/evaluation/view.ts';
import { personText } from './texts.ts';

/** Fixed words for everything that the evaluation task tells people. */
const causes: Readonly<Record<TaskFault, string>> = {
  'season-closed': '评教尚未开放或已经结束',
  'index-failed': '评教页面读取失败，请稍后重试',
  'list-failed': '没有获取到课程列表，请稍后重试',
  'list-empty': '课程列表为空，没有可评价的课程',
  'sign-in-failed': '登录校园系统失败，请重新登录后再试',
  'person-needed': personText('unknown'),
  interrupted: '服务曾经中断，请重新初始化',
  unexpected: '服务内部错误',
};

/** Why a task failed, without what it was doing. */
export const causeText = (fault: TaskFault): string => causes[fault];

export const initializeFault = (fault: TaskFault): string =>
  fault === 'list-empty' || fault === 'list-failed' ? causes[fault] : `初始化异常: ${causes[fault]}`;

const faultText = ({ fault, ran }: Pick<TaskView, 'fault' | 'ran'>): string => {
  if (fault === null) return '';
  return ran ? `评价任务异常: ${causes[fault]}` : initializeFault(fault);
};

/** Why a task or some of its courses failed; empty where nothing did. */
export const errorText = (view: TaskView): string => {
  if (view.fault !== null || view.endedAt === null || view.failCount === 0) return faultText(view);
  return `${view.failCount} 门课程评价失败，可以重新初始化后再次评价`;
};

const courseUnknown = '课程不在评教列表中';

export const startRefusals: Readonly<Record<StartRefusal, string>> = {
  'under-way': '评价任务已在运行中',
  initializing: '任务启动失败，可能已有任务在运行',
  'not-initialized': '任务管理器不存在，请先初始化',
  'too-many': '当前评价任务过多，请稍后再试',
  'course-unknown': courseUnknown,
};

export const previewRefusals: Readonly<Record<PreviewRefusal | EditRefusal, string>> = {
  initializing: startRefusals.initializing,
  'not-initialized': startRefusals['not-initialized'],
  'course-unknown': courseUnknown,
  'not-now': '该课程当前不能预览',
  'not-shown': '该课程还没有预览，请先预览',
  'season-closed': causes['season-closed'],
};

export const terminateRefusals: Readonly<Record<TerminateRefusal, string>> = {
  'no-task': '任务管理器不存在',
  'not-running': '终止失败',
};

export const busy = '已有评价任务在进行';
export const noTask = '无活跃任务';
export const readyText = (pending: number): string => `初始化完成，找到 ${pending} 门待评价课程`;
export const nothingToDo = '所有课程已评价完成！';
export const coursesText = '评教课程列表获取成功';
export const noCourses = '暂无需要评教的课程';
export const startedText = '任务已启动';
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

export const shortName = (name: string): string => {
  const characters = Array.from(name);
  return characters.length > longestName ? `${characters.slice(0, longestName).join('')}...` : name;
};

export const currentText = ({ status, course }: CurrentView): string => {
  if (status !== 'running') return '当前无评价任务';
  if (course === null) return '准备中...';
  const { index, of, countdown, name, teacher } = course;
  const text = `正在评价(${index + 1}/${of}): ${shortName(name)} - ${teacher}`;
  return countdown > 0 ? `${text} (倒计时: ${countdown}秒)` : text;
};
