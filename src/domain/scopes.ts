/** The scopes of personal tokens, one row each. None contains another by its name. */
export const scopes = {
  'profile:read': { en: 'profile and theme', zh: '查看资料和主题' },
  'profile:write': { en: 'changes of profile and theme, and images', zh: '修改资料和主题、上传图片' },
  'academics:read': {
    en: 'terms, plans, competitions, offerings, the timetables of classes and the student record',
    zh: '学期、培养方案、竞赛、开课、班级课表、学籍',
  },
  'scores:read': { en: 'everything that holds a mark or an average', zh: '一切含成绩或绩点的数据' },
  'schedule:read': { en: 'the timetable', zh: '课表' },
  'exams:read': { en: 'exams', zh: '考试' },
  'activity:read': { en: 'the activity score', zh: '活动分' },
  'electricity:read': { en: 'rooms and the meter of the chosen room', zh: '房间和已绑定房间的电表' },
  'electricity:write': { en: 'the choice of a room', zh: '绑定房间' },
  'labor:read': { en: 'clubs, activities and progress of the labor club', zh: '劳动俱乐部的俱乐部、活动和进度' },
  'labor:write': { en: 'applications, sign-ups and sign-ins of the labor club', zh: '劳动俱乐部的申请、报名和签到' },
  'evaluation:read': { en: 'the courses to evaluate and the evaluation task', zh: '评教课程和评教任务' },
  'evaluation:write': { en: 'starting and stopping the evaluation task', zh: '启动和停止评教任务' },
  'card:read': { en: 'the campus card', zh: '校园卡' },
  events: { en: 'change events', zh: '变更事件' },
  export: { en: 'the export of everything that is stored of the student', zh: '导出全部数据' },
} as const;

export type Scope = keyof typeof scopes;

export const isScope = (word: string): word is Scope => Object.hasOwn(scopes, word);

export const scopeNames: readonly Scope[] = Object.keys(scopes).filter(isScope);

export const isWriting = (scope: Scope): boolean => scope.endsWith(':write');

/** An operation needs a scope, a token that a login has issued, or any token. */
export type Need = Scope | 'login' | 'any';
