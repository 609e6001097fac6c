import { courseTable, type DemoCourse } from './courses.ts';
import { COMPUTING } from './courses-computing.ts';
import { LITERATURE } from './courses-literature.ts';

/** A part of a plan: where it hangs in the tree, and the credits to be chosen beyond what is required. */
export interface PlanPart {
  readonly id: string;
  readonly pId: string;
  readonly name: string;
  readonly part: string;
  readonly chosen: number;
}

export interface ProgrammePlan {
  readonly id: string;
  /** Years after the student's entry. */
  readonly since: number;
  readonly name: string;
  readonly kind: string;
  readonly parts: readonly PlanPart[];
}

export interface Programme {
  readonly courses: readonly DemoCourse[];
  /** In the order of the selection page; the last one is the major plan. */
  readonly plans: readonly ProgrammePlan[];
  /** How many of a term's courses are evaluated: its first ones. */
  readonly evaluated: number;
  /** The campus shows grade points, figures of the class and weights beside the marks of a term. */
  readonly isDetailed: boolean;
  readonly rank: readonly [rank: number, students: number];
  /** Where its students belong; the class is numbered by year of entry. */
  readonly home: {
    readonly department: string;
    readonly college: string;
    readonly majorCode: string;
    readonly major: string;
    readonly classPrefix: string;
  };
}

/** `计科231`: the first class of the students who entered in 2023. */
export const classNameOf = ({ home }: Programme, entry: number, number = 1): string =>
  `${home.classPrefix}${String(entry % 100).padStart(2, '0')}${number}`;

/** Lines of id, parent, name, part of the courses, credits to choose. */
const parts = (lines: string): readonly PlanPart[] =>
  lines.split(', ').map((line) => {
    const [id = '', pId = '', name = '', part = '', chosen = '0'] = line.split(' ');
    return { id, pId, name, part, chosen: Number(chosen) };
  });

const computing = courseTable('KJ', COMPUTING);

export const computerScience: Programme = {
  courses: computing,
  plans: [
    { id: '7410', since: 1, name: '级法学本科培养方案', kind: '(辅修)', parts: parts('1 -1 辅修课程 辅修') },
    {
      id: '7352',
      since: 0,
      name: '级计算机科学与技术本科培养方案',
      kind: '(主修)',
      parts: parts(
        '1 -1 通识通修, 11 1 思政类 思政, 12 1 外语类 外语, 13 1 体育类 体育, 14 1 美育类(任选) 美育 2, ' +
          '2 -1 学科基础 数理, 3 -1 专业核心 核心, 4 -1 专业选修 选修 12, 5 -1 实践环节 实践',
      ),
    },
  ],
  evaluated: 3,
  isDetailed: true,
  rank: [21, 118],
  home: {
    department: '08',
    college: '信息工程学院',
    majorCode: '0801',
    major: '计算机科学与技术',
    classPrefix: '计科',
  },
};

export const chineseLiterature: Programme = {
  courses: courseTable('RW', LITERATURE),
  plans: [
    {
      id: '6120',
      since: 0,
      name: '级汉语言文学本科培养方案',
      kind: '',
      parts: parts(
        '1 -1 通识教育 通识 4, 2 -1 专业基础 基础, 3 -1 专业核心 核心 3, 31 3 经典研读(限选) 研读 8, 4 -1 实践环节 实践',
      ),
    },
  ],
  evaluated: 4,
  isDetailed: false,
  rank: [6, 64],
  home: {
    department: '05',
    college: '文学院',
    majorCode: '0501',
    major: '汉语言文学',
    classPrefix: '汉文',
  },
};

export const planNameOf = ({ since, name }: ProgrammePlan, entry: number): string => `${entry + since}${name}`;

export const planOf = ({ plans }: Programme, { part }: DemoCourse): ProgrammePlan | undefined =>
  plans.find(({ parts: all }) => all.some((each) => each.part === part));

const READINGS = 120;

/** A class of readers whose second spring has more courses than any page holds. */
export const manyReadings: Programme = {
  ...chineseLiterature,
  courses: [
    ...chineseLiterature.courses.filter(({ when }) => !(when?.year === 2 && when.season === 2)),
    ...courseTable(
      'RX',
      Array.from({ length: READINGS }, (_, index) => {
        const mark = 60 + ((index * 7) % 40);
        return `2b|研读|01|经典研读（第${index + 1}讲）|Classics Reading ${index + 1}|0.5|任选|考查|严青||||${mark}`;
      }).join('\n'),
    ),
  ],
};

/** The same classes under other codes, so that the records of a copy differ from all others. */
export const withMark = (programme: Programme, mark: string): Programme => ({
  ...programme,
  courses: programme.courses.map((course) => ({ ...course, code: course.code + mark })),
});

const teachers = [
  ...new Set([computerScience, chineseLiterature].flatMap(({ courses }) => courses.flatMap((each) => each.teachers))),
];

export const staffNumberOf = (teacher: string): string => String(20080100 + teachers.indexOf(teacher));
