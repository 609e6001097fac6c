import type { Scope } from '../../domain/scopes.ts';
import { isRecord } from '../../lib/records.ts';
import type { Language } from '../languages.ts';
import { chineseSummary } from './openapi.ts';

const tagsZh: Readonly<Record<string, string>> = {
  Authentication: '登录与注册',
  'Academic affairs': '教务',
  'Course offerings': '开课与班级课表',
  Evaluation: '评教',
  'Activity score': '活动分',
  Electricity: '宿舍电费',
  'Campus card': '校园卡',
  'Personal tokens': '个人令牌',
  'Home screen': '首页',
  'Labor club': '劳动俱乐部',
  'Calendar feeds': '日历订阅',
  'Change events': '变更事件',
  'User profile': '个人资料',
  'Client-theme profile': '客户端主题',
  Files: '图片',
  'Home and health': '首页与健康检查',
  'v1 user': 'v1 用户',
  'v1 academics': 'v1 教务',
  'v1 activity score': 'v1 活动分',
  'v1 evaluation': 'v1 评教',
};

/** The scopes of personal tokens in Chinese. */
export const scopesZh: Readonly<Record<Scope, string>> = {
  'profile:read': '查看资料和主题',
  'profile:write': '修改资料和主题、上传图片',
  'academics:read': '学期、培养方案、竞赛、开课、班级课表、学籍',
  'scores:read': '一切含成绩或绩点的数据',
  'schedule:read': '课表',
  'exams:read': '考试',
  'activity:read': '活动分',
  'electricity:read': '房间和已绑定房间的电表',
  'electricity:write': '绑定房间',
  'labor:read': '劳动俱乐部的俱乐部、活动和进度',
  'labor:write': '劳动俱乐部的申请、报名和签到',
  'evaluation:read': '评教课程和评教任务',
  'evaluation:write': '启动和停止评教任务',
  'card:read': '校园卡',
  events: '变更事件',
  export: '导出全部数据',
};

const introZh = [
  '一套接口读取校园的各个系统：门户、统一身份认证、教务等。两套接口，同一个令牌。',
  '**`/api/v1` 以外的路径**：请求头 `Authorization: Bearer <token>`，返回 `{success, message, data, error, timestamp}`。HTTP 状态区分成败，`error.code` 区分失败，`error.retryable` 说明同样的调用能否再发一次。学校自己拒绝的操作（例如报名已满）不算失败：HTTP 200、`success: false`、`error: null`，原因在 `message` 和 `data` 里。',
  '**`/api/v1` 下的路径**：POST，令牌在 JSON 请求体里，返回 `{code, message, data}`。HTTP 状态总是 200，只有 `code` 为 200 才是成功。',
  '以后可能增加新的成员和错误码，客户端应忽略不认识的内容。`message` 是给人看的，程序不应解析。',
].join('\n\n');

type Json = Readonly<Record<string, unknown>>;
const each = (value: unknown, change: (value: Json) => unknown): Json =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, isRecord(one) ? change(one) : one]));

const withChineseGroups = (description: Json): Json => ({
  ...description,
  info: { ...Object(description.info), description: introZh },
  tags: (Array.isArray(description.tags) ? description.tags : []).map((tag) => ({
    ...tag,
    'x-displayName': tagsZh[tag.name] ?? tag.name,
  })),
});

/** The description as it is published: with the summaries of one language, and in Chinese also names of groups. */
export const describedIn = (description: Json, language: Language): Json => {
  const inOne = language === 'zh' ? withChineseGroups(description) : description;
  const paths = each(inOne.paths, (item) =>
    each(item, ({ [chineseSummary]: zh, ...operation }) =>
      language === 'zh' ? { ...operation, summary: zh } : operation,
    ),
  );
  return { ...inOne, paths };
};
