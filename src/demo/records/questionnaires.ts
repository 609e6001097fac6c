export interface DemoRating {
  readonly name: string;
  readonly category: string;
  readonly text: string;
}

export interface DemoComment {
  readonly name: string;
  readonly text: string;
  readonly maxLength?: number;
}

export interface DemoQuestionnaire {
  readonly title: string;
  /** The same options for every rating, best first. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly ratings: readonly DemoRating[];
  readonly comments: readonly DemoComment[];
}

const number = (first: number, texts: readonly (readonly [category: string, text: string])[]): DemoRating[] =>
  texts.map(([category, text], index) => ({ name: String(first + index).padStart(10, '0'), category, text }));

const lecture: DemoQuestionnaire = {
  title: '理论课评教问卷',
  options: [
    { value: '5_1', label: '非常同意' },
    { value: '5_0.8', label: '同意' },
    { value: '5_0.6', label: '一般' },
    { value: '5_0.4', label: '不同意' },
    { value: '5_0.2', label: '很不同意' },
  ],
  ratings: number(180, [
    ['教学态度', '老师备课充分，按时上下课，教学投入'],
    ['教学态度', '老师关心学生，耐心解答课内外的问题'],
    ['教学态度', '老师对课堂有明确的要求，管理得当'],
    ['教学态度', '老师尊重每一位同学，公平对待大家'],
    ['教学内容', '课程目标清楚，内容与目标相符合'],
    ['教学内容', '内容充实，难易程度适中，重点突出'],
    ['教学内容', '老师介绍学科的新进展和实际的应用'],
    ['教学内容', '教材和参考资料选用得当，有帮助'],
    ['教学内容', '理论联系实际，例子贴近我们的生活'],
    ['教学方法', '讲解条理清楚，语言生动，容易听懂'],
    ['教学方法', '老师善于提问，引导我们主动地思考'],
    ['教学方法', '课堂互动充分，讨论的组织有成效'],
    ['教学方法', '板书和多媒体使用得当，清晰美观'],
    ['教学方法', '作业布置合理，批改认真，反馈及时'],
    ['教学方法', '考核方式合理，能反映真实的水平'],
    ['教学效果', '我掌握了这门课程的基本知识与方法'],
    ['教学效果', '我分析和解决问题的能力有所提高'],
    ['教学效果', '我对这个领域产生了更大的学习兴趣'],
    ['教学效果', '我愿意向其他同学推荐这门课程'],
    ['教学效果', '总的来说，我对这门课的教学感到满意'],
  ]),
  comments: [
    { name: '0000000200', text: '这门课给你最大的启发是什么' },
    { name: '0000000201', text: '你对这门课有什么意见和建议' },
    { name: 'zgpj', text: '总体评价', maxLength: 500 },
  ],
};

const practice: DemoQuestionnaire = {
  title: '实践课评教问卷',
  options: [
    { value: '10_1', label: '优' },
    { value: '10_0.85', label: '良' },
    { value: '10_0.7', label: '中' },
    { value: '10_0.5', label: '差' },
  ],
  ratings: number(310, [
    ['组织', '实践环节安排合理，设备材料准备充分'],
    ['组织', '安全要求讲解清楚，检查到位'],
    ['指导', '老师示范规范，指导耐心细致'],
    ['指导', '出现问题时能及时得到帮助'],
    ['收获', '动手能力得到了锻炼和提高'],
    ['收获', '报告批改认真，反馈有针对性'],
  ]),
  comments: [
    { name: '0000000320', text: '实践中印象最深的内容', maxLength: 60 },
    { name: '0000000321', text: '希望改进的地方' },
    { name: 'zgpj', text: '总体评价', maxLength: 100 },
  ],
};

/** By number. Their questions are numbered differently. */
export const questionnaires: ReadonlyMap<string, DemoQuestionnaire> = new Map([
  ['0000000121', lecture],
  ['0000000134', practice],
]);
