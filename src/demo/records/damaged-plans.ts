import { categoryNode, courseNode, type StudentPlans, sums } from './plans.ts';

/** Every odd text that a plan may hold, a node without its parent, a cycle of two. */
const MAJOR = [
  categoryNode('1', '-1', '001', `通识通修${sums([68, 34.4], [26, 25, 1, 12])}`),
  categoryNode('11', '1', '002', `通识教育(限选)${sums([16, 6.3], [3, 3, 0, 2])}`),
  courseNode('111', '11', 'passed', '[SY1101001]思想道德与法治[3学分](必修,87.0(20240705))'),
  courseNode('112', '11', 'unread', '[SY1101009]大学英语(一)'),
  categoryNode(
    '113',
    '11',
    '002',
    '美育类（最低修读学分：2，通过学分：.5，已修课程门数：1，已及格课程门数：1，未及格课程门数：0，必修课缺修门数：0）',
  ),
  courseNode('1131', '113', 'passed', '[SY1101030]影视鉴赏[.5学分](任选,优秀(20240105))'),
  courseNode('12', '1', 'failed', '[SY1102004]线性代数(B)[2.5学分](必修,52.0(20250112))'),
  courseNode('13', '1', 'passed', '[SY1102007]体育(一)[1学分](任选,合格(20240105))'),
  categoryNode('2', '-1', '001', '专业教育 // 含实践/*必修*/'),
  courseNode('21', '2', 'passed', '[SY2101001]程序设计[4学分](85.0(20250626 说明，缓考，另一名称))'),
  courseNode('22', '2', 'unread', '[SY2101002][2学分](必修)'),
  { id: '23', pId: '2', flagId: 'F23', flagType: '003', name: '创新实践&#40;自选&#41;' },
  { id: '24', pId: '2', flagId: 'F24', flagType: '009', name: '实践环节' },
  courseNode('241', '24', 'passed', '[SY2101040]毕业实习[6学分](必修,良好(20250620))'),
  courseNode('99', '98', 'passed', '[XX9999999]父节点不存在的课程[2学分](必修,90.0(20250112))'),
  categoryNode('71', '72', '002', '互为上级的一类'),
  categoryNode('72', '71', '002', '互为上级的另一类'),
];

const MINOR = [
  categoryNode('1', '-1', '001', `辅修课程${sums([30, 3], [1, 1, 0, 9])}`),
  courseNode('11', '1', 'passed', '[SY5101001]法理学[3学分](必修,78.0(20250112))'),
];

/**
 * A plan that the campus shows as all zero, though the courses were taken: make-up, retake (better and worse), words,
 * meaningless marks, codes in another spelling and in two categories.
 */
const MICRO_MAJOR = [
  categoryNode('1', '-1', '001', `法学基础${sums([12, 0], [0, 0, 0, 6])}`),
  courseNode('101', '1', 'unread', '[SY2202002]C++程序设计[3学分]'),
  courseNode('102', '1', 'unread', '[SY1201004]数字经济导论[2学分]'),
  courseNode('103', '1', 'unread', '[SY1201005]法律文书写作'),
  categoryNode('11', '1', '002', `证据与数据${sums([6, 0], [0, 0, 0, 4])}`),
  courseNode('111', '11', 'unread', '[SY3201004]概率论与数理统计'),
  courseNode('112', '11', 'unread', '[SY1201006]电子证据实务[2学分]'),
  courseNode('113', '11', 'unread', '[SY2202003]离散数学[3学分]'),
  courseNode('114', '11', 'unread', '[SY2202005]数字逻辑[2.5学分]'),
  courseNode('115', '11', 'unread', '[SY3201003]软件工程导论[3学分](必修)'),
  categoryNode('2', '-1', '001', `选修课程${sums([4, 0], [0, 0, 0, 2])}`),
  courseNode('21', '2', 'unread', '[SY3201003]软件工程导论[3学分](选修)'),
  courseNode('22', '2', 'unread', '[sy1201001]高等数学（上）[5学分]'),
  courseNode('23', '2', 'unread', '[SY2201003]大学英语（三）[2学分]'),
];

/** A minor before the major one, in the major one every odd text, and a micro-major whose title is not of a plan. */
export const damagedPlans = (entry: number): StudentPlans => {
  const major = `${entry}级计算机科学与技术&nbsp;本科培养方案`;
  const minor = `${entry + 1}级法学本科培养方案`;
  return {
    rows: [
      [major, '7352'],
      [`${minor}(辅修)`, '7410'],
    ],
    plans: [
      { id: '7410', title: `${minor}(辅修)`, button: `${minor}\n    (辅修)`, nodes: MINOR, shape: 'variable' },
      { id: '7352', title: `${major}(主修)`, nodes: MAJOR, shape: 'inline' },
      { id: '202503110042', title: '数字法治（微专业）教学计划', nodes: MICRO_MAJOR, shape: 'variable' },
    ],
  };
};
