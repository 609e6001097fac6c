import { isRecord } from '../../lib/text.ts';
import type { Language } from '../languages.ts';
import { chineseSummary, NO_OPERATOR } from './openapi.ts';
import type { OpenApiObject } from './openapi-answers.ts';
import { mapValues } from './openapi-schemas.ts';

const tagsZh: Readonly<Record<string, { readonly name: string; readonly description: string }>> = {
  Authentication: { name: '登录与注册', description: '注册、登录、令牌和注销账号。' },
  'Academic affairs': { name: '教务', description: '学业概况、学期、成绩、课表、培养方案、考试和竞赛。' },
  'Course offerings': { name: '开课与班级课表', description: '一个学期的开课和班级课表，读取一次供所有人使用。' },
  Evaluation: { name: '评教', description: '自动评教，可预览。' },
  'Activity score': { name: '活动分', description: '活动分总分和明细。' },
  Electricity: { name: '宿舍电费', description: '房间，以及已绑定房间的电量。' },
  'Campus card': { name: '校园卡', description: '余额、流水和购电记录，只读。' },
  'Personal tokens': { name: '个人令牌', description: '给学生自己的程序用的令牌。' },
  'Home screen': { name: '首页', description: '一次调用得到应用首页。' },
  'Labor club': { name: '劳动俱乐部', description: '俱乐部、活动、报名和签到。' },
  'Calendar feeds': { name: '日历订阅', description: '给日历程序用的课表、考试和活动。' },
  'Change events': { name: '变更事件', description: '看到的变化：列表、实时流和推送地址。' },
  'User profile': { name: '个人资料', description: '昵称、签名和头像。' },
  'Client-theme profile': { name: '客户端主题', description: '客户端的颜色和背景。' },
  Files: { name: '图片', description: '带签名地址的图片。' },
  'Home and health': { name: '首页与健康检查', description: '文档、服务状态，以及服务是否可用。' },
  'v1 user': { name: 'v1 用户', description: '邀请码、注册、登录、令牌检查和应用资料。' },
  'v1 academics': { name: 'v1 教务', description: '学业概况、学期、成绩、课表、培养方案和考试。' },
  'v1 activity score': { name: 'v1 活动分', description: '活动分总分和明细。' },
  'v1 evaluation': { name: 'v1 评教', description: '在后台逐门评教的任务。' },
};

const introZh = [
  '一套接口读取校园的各个系统：门户、统一身份认证、教务等。两套接口，同一个令牌。',
  '**`/api/v1` 以外的路径**：请求头 `Authorization: Bearer <token>`，返回 `{success, message, data, error, timestamp}`。HTTP 状态区分成败，`error.code` 区分失败，`error.retryable` 说明同样的调用能否再发一次。学校自己拒绝的操作（例如报名已满）不算失败：HTTP 200、`success: false`、`error: null`，原因在 `message` 和 `data` 里。',
  '**`/api/v1` 下的路径**：POST，令牌在 JSON 请求体里，返回 `{code, message, data}`。HTTP 状态总是 200，只有 `code` 为 200 才是成功。',
  '以后可能增加新的成员和错误码，客户端应忽略不认识的内容。`message` 是给人看的，程序不应解析。各接口和成员的详细说明是英文。',
].join('\n\n');

const bearerZh = '`/auth/login/next` 得到的令牌，或 `/auth/tokens` 的个人令牌；内容不透明。';

const each = (value: unknown, change: (value: OpenApiObject) => unknown): OpenApiObject =>
  mapValues(value, (one) => (isRecord(one) ? change(one) : one));

const contactZh = (contact: unknown): unknown =>
  isRecord(contact) && contact.name === NO_OPERATOR ? { ...contact, name: '本服务的运营者' } : contact;

/** Everything around the operations; the details of each operation and member are in English. */
const withChineseFrame = (description: OpenApiObject): OpenApiObject => {
  const { contact, ...info } = Object(description.info);
  const { securitySchemes, ...components } = Object(description.components);
  return {
    ...description,
    info: { ...info, ...(contact === undefined ? {} : { contact: contactZh(contact) }), description: introZh },
    components: {
      ...components,
      securitySchemes: each(securitySchemes, (scheme) => ({ ...scheme, description: bearerZh })),
    },
    tags: (Array.isArray(description.tags) ? description.tags : []).map((tag) => ({
      ...tag,
      'x-displayName': tagsZh[tag.name]?.name ?? tag.name,
      description: tagsZh[tag.name]?.description ?? tag.description,
    })),
  };
};

/** The description with the summaries of one language; in Chinese with names of groups too. */
export const describeIn = (description: OpenApiObject, language: Language): OpenApiObject => {
  const inOne = language === 'zh' ? withChineseFrame(description) : description;
  const paths = each(inOne.paths, (item) =>
    each(item, ({ [chineseSummary]: zh, ...operation }) =>
      language === 'zh' ? { ...operation, summary: zh } : operation,
    ),
  );
  return { ...inOne, paths };
};
