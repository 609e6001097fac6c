import { describe, expect, it } from 'vitest';
import { parsePlanCompletion, planPageAlive } from '../../../../../src/campus/products/urp/parse-plan-page.ts';
import { type PlanNode, planTree } from '../../../../../src/campus/products/urp/plan-tree.ts';
import type { PlanCategory } from '../../../../../src/domain/academics/plans.ts';
import { failureOf, fieldInput, fixture, unreadablePage } from './fixtures.ts';

const completionOf = (page: string) => {
  const answer = parsePlanCompletion(page);
  if (answer.kind !== 'tree') throw new Error('no tree');
  return answer.completion;
};
const node = (id: string, parentId: string, flagType = '002', name = id): PlanNode => ({
  id,
  parentId,
  flagId: `f${id}`,
  flagType,
  name,
});
const shape = (category: PlanCategory): unknown => [
  category.name,
  ...category.subcategories.map(shape),
  ...category.courses.map(({ name }) => name),
];
const shapeOf = (...nodes: PlanNode[]) => planTree(nodes).tree.categories.map(shape);

describe('a plan page', () => {
  it('keeps what looks like a comment in a name, and the marks of a course', () => {
    const completion = completionOf(fixture('plan-inline.html'));
    expect(completion).toMatchObject({ totalCourses: 4, passedCourses: 2, failedCourses: 1, unreadCourses: 1 });
    const [general, special] = completion.categories;
    expect(general?.subcategories[0]?.courses).toMatchObject([
      { code: 'GEA1101003', name: '思想道德与法治', state: 'passed', score: '87.0', parentId: '11', level: 2 },
      { name: '形势与政策 // 见 http://x.test/*', state: 'unread', credits: null, score: null, type: '' },
    ]);
    expect(special).toMatchObject({ name: '专业教育', minCredits: 0, subcategories: [] });
  });

  it('may name its nodes by a variable, with numbers for ids', () => {
    const completion = completionOf(fixture('plan-variable.html'));
    expect(completion.plan).toMatchObject({ grade: '2023', major: '会计学专升本' });
    expect(completion.categories.map(shape)).toEqual([['通识', '大学英语(一)']]);
  });

  it('may mention its tree elsewhere first', () => {
    const page = fixture('plan-variable.html').replace('<script>', '<script>// zTree.init(a, b) flagId\n');
    expect(completionOf(page).categories).toHaveLength(1);
  });

  it.each([
    ['a line', (old: string) => `// ${old}\n`],
    ['a block', (old: string) => `/* ${old} */`],
  ])('does not take a tree from %s of comment', (_, commented) => {
    const old = '$.fn.zTree.init(a, b, [{"id":"9","pId":"-1","flagId":"9","flagType":"001","name":"示例"}]);';
    const page = fixture('plan-variable.html').replace('<script>', `<script>${commented(old)}`);
    expect(completionOf(page).categories.map(({ name }) => name)).toEqual(['通识']);
    expect(failureOf(() => parsePlanCompletion(`<script>${commented(old)}</script>`))).toMatchObject(unreadablePage);
  });

  it.each([
    ['f02-plan-credits-with-term.html', { code: '304112010', name: '新生研讨课', credits: 1, score: '96.0' }],
    ['f04-plan-status-in-words.html', { code: '31131862', name: '内部审计', state: 'passed', score: '79.0' }],
    ['f03-plan-root-parent-not-listed.html', { code: '31131862', name: '内部审计', credits: 2 }],
  ])('of another campus is read: %s', (name, course) => {
    const [category] = completionOf(fieldInput(name)).categories;
    expect(category?.courses).toEqual([expect.objectContaining(course)]);
  });

  it('shows nodes as its library does: without their parent at the root, and two with one id as two', () => {
    expect(shapeOf(node('A', 'R0', '001'), node('a', 'A', 'kch', '[1]甲'))).toEqual([['A', '甲']]);
    expect(shapeOf(node('A', '-1', '001', '一'), node('A', '-1', '001', '二'), node('a', 'A', 'kch', '[1]甲'))).toEqual(
      [['一'], ['二', '甲']],
    );
    expect(shapeOf(node('A', 'A', '001'))).toEqual([['A']]);
  });

  it('without a title has no name, grade and major', () => {
    const page = fixture('plan-variable.html').replace(/<h4>.*<\/h4>/, '');
    expect(completionOf(page).plan).toEqual({ name: '', major: '', grade: '' });
  });

  const choiceOf = (page: string) => {
    const answer = parsePlanCompletion(page);
    if (answer.kind !== 'choice') throw new Error('no choice');
    return answer.choice;
  };
  const minor = { id: '7410', name: '2024级法学本科培养方案(辅修)', kind: 'minor' };
  const major = { id: '7352', name: '2023级会计学本科培养方案(主修)', kind: 'major' };

  it('offers several plans in its order, with what each one is, and a hint', () => {
    const hint = '提示：您有多个培养方案， 请选择要查看的方案';
    expect(choiceOf(fixture('plan-choice.html'))).toEqual({ hint, options: [minor, major] });
    const bare = fixture('plan-choice.html').replaceAll(/<\/?(?:html|body)>/g, '');
    expect(choiceOf(bare).options).toEqual([minor, major]);
    const cut = bare.slice(0, bare.lastIndexOf('</button>'));
    expect(failureOf(() => parsePlanCompletion(cut))).toMatchObject(unreadablePage);
  });

  it('offers plans by links where it has no button, and only by those that end with an id', () => {
    const page = fixture('plan-links.html');
    const micro = { id: '202503110042', name: '数字法治（微专业）教学计划', kind: 'micro-major' };
    expect(choiceOf(page)).toEqual({
      hint: null,
      options: [{ ...minor, name: '2024级法学本科培养方案 (辅修)' }, micro],
    });
    const button = '<button class="btn btn-round btn-success" onclick="getPyfaIndex(7352)">甲</button></body>';
    expect(choiceOf(page.replace('</body>', button)).options).toEqual([{ id: '7352', name: '甲', kind: 'major' }]);
    const tree = fixture('plan-variable.html').replace('</body>', '<a href="/x/getPyfaIndex/7410">乙</a></body>');
    expect(parsePlanCompletion(tree).kind).toBe('tree');
  });

  it.each([
    ['of another look', '<button class="btn btn-round" onclick="getPyfaIndex(\'7352\')">甲</button>'],
    ['for something else', '<button class="btn-success btn-round" onclick="save(\'7352\')">甲</button>'],
    ['without an id', '<button class="btn-success btn-round" onclick="getPyfaIndex(id)">甲</button>'],
  ])('does not offer a plan by a button %s', (_, button) => {
    expect(failureOf(() => parsePlanCompletion(`<html><body>${button}</body></html>`))).toMatchObject(unreadablePage);
  });

  it.each([
    ['<div class="alert alert-warning">请选择 <div>方案</div> ！</div>', '请选择 方案 ！'],
    ['<p class="alert-warning"><strong>请</strong>选择</p>', '请选择'],
    ['<div class="alert alert-warning"> &nbsp; </div>', null],
    ['<div class="alert">请选择</div>', null],
    ['<div class="alert-warning">请选择', '请选择'],
  ])('has a hint, or none: %s', (alert, hint) => {
    const button = '<button class="btn-success btn-round" onclick="getPyfaIndex(\'7352\')">甲</button>';
    expect(choiceOf(`${alert}${button}`).hint).toBe(hint);
  });

  it('that offers more plans than a student can have is unreadable', () => {
    const button = '<button class="btn-success btn-round" onclick="getPyfaIndex(\'7352\')">甲</button>';
    expect(choiceOf(button.repeat(100)).options).toHaveLength(100);
    expect(failureOf(() => parsePlanCompletion(button.repeat(101)))).toMatchObject(unreadablePage);
  });

  it('that asks for patience is a refusal in its words, and no sign of a dead session', () => {
    const page = '<html><body><div>请勿频繁刷新本页面！</div></body></html>';
    expect(planPageAlive(page)).toBe(true);
    expect(failureOf(() => parsePlanCompletion(page))).toMatchObject({
      kind: 'upstream-refused',
      system: 'academics',
      upstreamMessage: '请勿频繁刷新',
    });
    const tree = fixture('plan-inline.html').replace('</body>', '<p>请勿频繁刷新</p></body>');
    expect(parsePlanCompletion(tree).kind).toBe('tree');
  });

  it.each([
    ['with a list that is broken', '<script>$.fn.zTree.init($("#t"), setting, [{"flagId":"1",]); </script>'],
    ['with a list that is cut', fixture('plan-inline.html').slice(0, 1500)],
    ['with an unknown variable', '<script>$.fn.zTree.init($("#t"), setting, nodes); // flagId</script>'],
    [
      'with nodes but no root',
      '<script>zTree.init(a, b, [{"id":"1","pId":"2","flagId":"x"},{"id":"2","pId":"1"}])</script>',
    ],
  ])('%s is unreadable', (_, page) => {
    expect(failureOf(() => parsePlanCompletion(page))).toMatchObject(unreadablePage);
  });

  it.each([
    ['in the call', '$.fn.zTree.init($("#t"), setting, [\n\n]);'],
    ['by its name', 'var zNodes = [];\n$.fn.zTree.init($("#t"), setting, zNodes);'],
    ['in the last of several calls', 'zTree.init(a, b, nodes);</script><script>zTree.init(a, b, []);'],
  ])('with an empty list %s belongs to a student without a plan', (_, script) => {
    const page = `<script>${script}</script>`;
    expect(planPageAlive(page)).toBe(true);
    expect(failureOf(() => parsePlanCompletion(page))).toMatchObject({ kind: 'upstream-empty', system: 'academics' });
  });

  it('with an empty list beside a filled one shows the filled one', () => {
    const page = fixture('plan-inline.html').replace('<script', '<script>$.fn.zTree.init(a, b, []);</script><script');
    expect(parsePlanCompletion(page)).toEqual(parsePlanCompletion(fixture('plan-inline.html')));
  });
});

describe('the tree', () => {
  it('keeps the order of the list, categories and courses each', () => {
    const nodes = [
      node('2', '-1'),
      node('1', '-1'),
      node('k1', '1', 'kch'),
      node('1b', '1'),
      node('1a', '1'),
      node('k0', '1', 'kch'),
    ];
    expect(shapeOf(...nodes)).toEqual([['2'], ['1', ['1b'], ['1a'], 'k1', 'k0']]);
  });

  it('takes a node of another kind for a category if it has children', () => {
    expect(shapeOf(node('1', '-1'), node('2', '1', '009'), node('3', '2', 'kch'), node('4', '1', '009'))).toEqual([
      ['1', ['2', '3'], '4'],
    ]);
    expect(shapeOf(node('1', '-1', '001'), node('2', '1', '001'))).toEqual([['1', ['2']]]);
  });

  it('keeps every node without an id', () => {
    const nodes = [node('1', '-1', '001'), node('', '1', 'kch', '[A]甲'), node('', '1', 'kch', '[B]乙')];
    expect(shapeOf(...nodes, node('', '', 'kch', '[C]丙'))).toEqual([
      ['1', '甲', '乙'],
      ['丙', '丙'],
    ]);
  });

  it('drops circles', () => {
    const { tree, dropped } = planTree([
      node('1', '-1', '001', '旧'),
      node('1', '-1', '001', '新'),
      node('5', '6'),
      node('6', '5'),
      node('7', '7'),
      node('-1', '-1', '001', '自身'),
    ]);
    expect(tree.categories.map(shape)).toEqual([['旧'], ['新'], ['7'], ['自身']]);
    expect(dropped).toBe(2);
    const circle = [node('5', '6'), node('6', '5'), node('1', '-1', '001')];
    expect(failureOf(() => planTree(circle))).toMatchObject(unreadablePage);
  });

  it('neither loses a course at the root nor shows it as a category', () => {
    const { tree } = planTree([node('1', '-1', 'kch', '[A1]游离课程')]);
    expect(tree).toMatchObject({ totalCourses: 1, categories: [{ name: '游离课程', courses: [{ code: 'A1' }] }] });
  });

  it('of 1,500 nodes in one chain is as deep as its list, without recursion', () => {
    const chain = Array.from({ length: 1_499 }, (_, i) => node(String(i), i === 0 ? '-1' : String(i - 1)));
    const { tree } = planTree([...chain, node('k', '1498', 'kch')]);
    let depth = 0;
    let at: PlanCategory | undefined = tree.categories[0];
    while (at) {
      depth += 1;
      at = at.subcategories[0];
    }
    expect([depth, tree.totalCourses]).toEqual([1_499, 1]);
  });

  it('that is too deep to be serialized is unreadable', () => {
    const chain = Array.from({ length: 2_001 }, (_, i) => node(String(i), i === 0 ? '-1' : String(i - 1)));
    expect(failureOf(() => planTree(chain))).toMatchObject(unreadablePage);
  });
});

it('building a tree looks at each node equally often, however many there are', () => {
  const looksPerNode = (count: number): number => {
    let looks = 0;
    const nodes = Array.from({ length: count }, (_, i) => {
      const parent = i % 50 === 0 ? '-1' : String(i - (i % 50));
      return {
        ...node(String(i), parent, i % 50 === 0 ? '001' : 'kch'),
        get parentId() {
          looks += 1;
          return parent;
        },
      };
    });
    planTree(nodes);
    return looks / count;
  };
  expect(looksPerNode(12_000)).toBeCloseTo(looksPerNode(1_500), 3);
});

it('a plan of 6,000 nodes, four times the largest, is read whole', () => {
  const nodes = Array.from({ length: 6_000 }, (_, i) =>
    JSON.stringify({
      id: i,
      pId: i % 50 === 0 ? -1 : i - (i % 50),
      flagId: `f${i}`,
      flagType: i % 50 === 0 ? '002' : 'kch',
      name: `[A${i}]课程(一)[2学分](必修,87.0(20240705))`,
    }),
  );
  const page = `<h4>2023级会计学本科培养方案</h4><script>zTree.init(t, setting, [${nodes.join()}]);</script>`;
  expect(completionOf(page).totalCourses).toBe(5_880);
});
