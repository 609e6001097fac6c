/** A node of a plan tree as its page writes it. */
interface PlanNode {
  readonly id: string;
  readonly pId: string;
  readonly flagId: string;
  readonly flagType: string;
  readonly name: string;
}

export interface DemoPlan {
  readonly id: string;
  /** Of the tree page. */
  readonly title: string;
  /** Text of the button among several plans, as HTML; the title where left out. */
  readonly button?: string;
  readonly nodes: readonly PlanNode[];
  /** How the page hands the nodes to its tree: in the call, or by the name of a variable. */
  readonly shape: 'inline' | 'variable';
}

/** The training plans of one student. */
export interface StudentPlans {
  /** Rows of the short list: name as HTML, number. */
  readonly rows: readonly (readonly [string, string])[];
  readonly plans: readonly DemoPlan[];
  /** Ids that were asked for without having been offered. */
  readonly foreignIds: string[];
}

const icons = {
  category: "<i class='fa fa-kz fa-1x blue'></i> &nbsp;",
  passed: "<i class='fa fa-smile-o fa-1x green'></i> &nbsp;",
  failed: "<i class='fa fa-frown-o fa-1x red'></i> &nbsp;",
  unread: "<i class='fa fa-meh-o fa-1x light-grey'></i> &nbsp;",
} as const;

const category = (id: string, pId: string, flagType: string, text: string): PlanNode => ({
  id,
  pId,
  flagId: `F${id}`,
  flagType,
  name: `${icons.category}${text}`,
});

const course = (id: string, pId: string, state: 'passed' | 'failed' | 'unread', text: string): PlanNode => ({
  id,
  pId,
  flagId: /\[([^\]]*)\]/.exec(text)?.[1] ?? id,
  flagType: 'kch',
  name: `${icons[state]}${text}`,
});

const sums = (least: string, gained: string, taken: number, passed: number, failed: number, missing: number): string =>
  `(最低修读学分:${least},通过学分:${gained},已修课程门数:${taken},已及格课程门数:${passed},未及格课程门数:${failed},必修课缺修门数:${missing})`;

const majorOfOne = (code: (number: string) => string): readonly PlanNode[] => [
  category('1', '-1', '001', `通识通修${sums('68', '34.4', 26, 25, 1, 12)}`),
  category('11', '1', '002', `通识教育(限选)${sums('16', '6.3', 3, 3, 0, 2)}`),
  course('111', '11', 'passed', `[${code('1101001')}]思想道德与法治[3学分](必修,87.0(20240705))`),
  course('112', '11', 'unread', `[${code('1101009')}]大学英语(一)`),
  category(
    '113',
    '11',
    '002',
    `美育类（最低修读学分：2，通过学分：.5，已修课程门数：1，已及格课程门数：1，未及格课程门数：0，必修课缺修门数：0）`,
  ),
  course('1131', '113', 'passed', `[${code('1101030')}]影视鉴赏[.5学分](任选,优秀(20240105))`),
  course('12', '1', 'failed', `[${code('1102004')}]线性代数(B)[2.5学分](必修,52.0(20250112))`),
  course('13', '1', 'passed', `[${code('1102007')}]体育(一)[1学分](任选,合格(20240105))`),
  category('2', '-1', '001', '专业教育 // 含实践/*必修*/'),
  course('21', '2', 'passed', `[${code('2101001')}]程序设计[4学分](85.0(20250626 说明，缓考，另一名称))`),
  course('22', '2', 'unread', `[${code('2101002')}][2学分](必修)`),
  { id: '23', pId: '2', flagId: 'F23', flagType: '003', name: '创新实践&#40;自选&#41;' },
  { id: '24', pId: '2', flagId: 'F24', flagType: '009', name: '实践环节' },
  course('241', '24', 'passed', `[${code('2101040')}]毕业实习[6学分](必修,良好(20250620))`),
  course('99', '98', 'passed', '[XX9999999]父节点不存在的课程[2学分](必修,90.0(20250112))'),
  category('71', '72', '002', '互为上级的一类'),
  category('72', '71', '002', '互为上级的另一类'),
];

const minorOfOne = (code: (number: string) => string): readonly PlanNode[] => [
  category('1', '-1', '001', `辅修课程${sums('30', '3', 1, 1, 0, 9)}`),
  course('11', '1', 'passed', `[${code('5101001')}]法理学[3学分](必修,78.0(20250112))`),
];

/**
 * A plan that the campus shows all zero, though the courses have been taken: make-up and retake (better and worse), words,
 * marks that say nothing, codes in another spelling and in two categories.
 */
const microMajorOfOne = (code: (number: string) => string): readonly PlanNode[] => [
  category('1', '-1', '001', `法学基础${sums('12', '0', 0, 0, 0, 6)}`),
  course('101', '1', 'unread', `[${code('2202002')}]C++程序设计[3学分]`),
  course('102', '1', 'unread', `[${code('1201004')}]数字经济导论[2学分]`),
  course('103', '1', 'unread', `[${code('1201005')}]法律文书写作`),
  category('11', '1', '002', `证据与数据${sums('6', '0', 0, 0, 0, 4)}`),
  course('111', '11', 'unread', `[${code('3201004')}]概率论与数理统计`),
  course('112', '11', 'unread', `[${code('1201006')}]电子证据实务[2学分]`),
  course('113', '11', 'unread', `[${code('2202003')}]离散数学[3学分]`),
  course('114', '11', 'unread', `[${code('2202005')}]数字逻辑[2.5学分]`),
  course('115', '11', 'unread', `[${code('3201003')}]软件工程导论[3学分](必修)`),
  category('2', '-1', '001', `选修课程${sums('4', '0', 0, 0, 0, 2)}`),
  course('21', '2', 'unread', `[${code('3201003')}]软件工程导论[3学分](选修)`),
  course('22', '2', 'unread', `[${code('1201001').toLowerCase()}]高等数学（上）[5学分]`),
  course('23', '2', 'unread', `[${code('2201003')}]大学英语（三）[2学分]`),
];

/** A minor before the major one, in the major one every odd text, and a micro-major whose title is none of a plan. */
export const studentOnePlans = (code: (number: string) => string): StudentPlans => ({
  rows: [
    ['2023级计算机科学与技术&nbsp;本科培养方案', '7352'],
    ['2024级法学本科培养方案(辅修)', '7410'],
  ],
  plans: [
    {
      id: '7410',
      title: '2024级法学本科培养方案(辅修)',
      button: '2024级法学本科培养方案\n    (辅修)',
      nodes: minorOfOne(code),
      shape: 'variable',
    },
    { id: '7352', title: '2023级计算机科学与技术&nbsp;本科培养方案(主修)', nodes: majorOfOne(code), shape: 'inline' },
    { id: '202503110042', title: '数字法治（微专业）教学计划', nodes: microMajorOfOne(code), shape: 'variable' },
  ],
  foreignIds: [],
});

const PARTS = 20;
const COURSES_PER_PART = 73;

/** One plan of 1,500 nodes in twenty parts. */
const planOfTwo = (): readonly PlanNode[] =>
  Array.from({ length: PARTS }, (_, part) => {
    const id = String(part + 1);
    const courses = Array.from({ length: COURSES_PER_PART }, (_each, index) => {
      const number = `${String(part + 10)}${String(index).padStart(3, '0')}`;
      const states = ['passed', 'unread', 'unread', 'failed', 'passed'] as const;
      const state = states[index % states.length] ?? 'unread';
      const mark = { passed: '88.0(20250112)', failed: '41.0(20250112)', unread: '' }[state];
      const parent = index === 0 ? `${id}-1` : id;
      return course(
        `${id}-c${index}`,
        parent,
        state,
        `[RW90${number}]研读${number}[2学分](必修${mark ? `,${mark}` : ''})`,
      );
    });
    return [
      category(id, '-1', '001', `第${id}部分${sums('10', '4', 40, 30, 10, 33)}`),
      category(`${id}-1`, id, '002', `第${id}部分（导论）${sums('2', '0', 1, 0, 0, 1)}`),
      ...courses,
    ];
  }).flat();

export const studentTwoPlans = (): StudentPlans => ({
  rows: [['2023级汉语言文学专升本培养方案', '6120']],
  plans: [{ id: '6120', title: '2023级汉语言文学专升本培养方案', nodes: planOfTwo(), shape: 'variable' }],
  foreignIds: [],
});
