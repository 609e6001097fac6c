import { type Attended, hasPassed, markOf } from './attended.ts';
import { dayDigits } from './calendar.ts';
import type { DemoCourse } from './courses.ts';
import { type PlanPart, type Programme, type ProgrammePlan, planNameOf } from './programmes.ts';

export interface DemoPlan {
  readonly id: string;
  readonly title: string;
  /** Text of the button among several plans, as HTML; the title where left out. */
  readonly button?: string;
  readonly nodes: readonly PlanNode[];
  /** How the page gives the nodes to its tree: in the call, or by the name of a variable. */
  readonly shape: 'inline' | 'variable';
}

export interface StudentPlans {
  /** Rows of the short list, the major plan first: name as HTML, number. */
  readonly rows: readonly (readonly [string, string])[];
  readonly plans: readonly DemoPlan[];
}

const icons = {
  category: "<i class='fa fa-kz fa-1x blue'></i> &nbsp;",
  passed: "<i class='fa fa-smile-o fa-1x green'></i> &nbsp;",
  failed: "<i class='fa fa-frown-o fa-1x red'></i> &nbsp;",
  unread: "<i class='fa fa-meh-o fa-1x light-grey'></i> &nbsp;",
} as const;

export const categoryNode = (id: string, pId: string, flagType: string, text: string) => ({
  id,
  pId,
  flagId: `F${id}`,
  flagType,
  name: `${icons.category}${text}`,
});

type PlanNode = ReturnType<typeof categoryNode>;

export type CourseState = 'passed' | 'failed' | 'unread';

export const courseNode = (id: string, pId: string, state: CourseState, text: string): PlanNode => ({
  id,
  pId,
  flagId: /\[([^\]]*)\]/.exec(text)?.[1] ?? id,
  flagType: 'kch',
  name: `${icons[state]}${text}`,
});

/** Credits needed and gained; courses taken, passed, failed, and required ones that are missing. */
export const sums = (
  [least, gained]: readonly [number, number],
  counts: readonly [number, number, number, number],
): string => {
  const [taken, passed, failed, missing] = counts;
  return `(最低修读学分:${least},通过学分:${gained},已修课程门数:${taken},已及格课程门数:${passed},未及格课程门数:${failed},必修课缺修门数:${missing})`;
};

const creditsOf = (courses: readonly DemoCourse[]): number => courses.reduce((sum, { credits }) => sum + credits, 0);

/** A mark as the plan writes it: numbers with a decimal. */
const planMark = (course: DemoCourse): string => {
  const mark = markOf(course);
  return Number.isFinite(Number(mark)) ? Number(mark).toFixed(1) : mark;
};

const planTree = (
  { parts }: ProgrammePlan,
  courses: readonly DemoCourse[],
  done: ReadonlyMap<string, Attended>,
): readonly PlanNode[] => {
  const stateOf = (course: DemoCourse): CourseState => {
    if (!done.has(course.code)) return 'unread';
    return hasPassed(course) ? 'passed' : 'failed';
  };
  const below = (id: string): readonly PlanPart[] => parts.filter((each) => each.id === id || each.pId === id);
  return parts.flatMap(({ id, pId, name, part }) => {
    const covered = below(id);
    const all = courses.filter((course) => covered.some((each) => each.part === course.part));
    const passed = all.filter((course) => stateOf(course) === 'passed');
    const failed = all.filter((course) => stateOf(course) === 'failed');
    const required = all.filter(({ nature }) => nature === '必修');
    const least = creditsOf(required) + covered.reduce((sum, { chosen }) => sum + chosen, 0);
    const missing = required.filter((course) => stateOf(course) === 'unread').length;
    const taken = passed.length + failed.length;
    const text = sums([least, creditsOf(passed)], [taken, passed.length, failed.length, missing]);
    const own = all.filter((course) => course.part === part);
    return [
      categoryNode(id, pId, pId === '-1' ? '001' : '002', name + text),
      ...own.map((course, index) => {
        const attended = done.get(course.code);
        const result = attended ? `,${planMark(course)}(${dayDigits(attended.examDay)})` : '';
        const label = `[${course.code}]${course.name}[${course.credits}学分](${course.nature}${result})`;
        return courseNode(`${id}c${index + 1}`, id, stateOf(course), label);
      }),
    ];
  });
};

export const plansOf = (programme: Programme, entry: number, attended: readonly Attended[]): StudentPlans => {
  const done = new Map(attended.filter(({ isPublished }) => isPublished).map((each) => [each.course.code, each]));
  const { plans, courses } = programme;
  return {
    rows: plans.toReversed().map((plan) => [planNameOf(plan, entry), plan.id]),
    plans: plans.map((plan) => ({
      id: plan.id,
      title: `${planNameOf(plan, entry)}${plan.kind}`,
      nodes: planTree(plan, courses, done),
      shape: plan.kind === '(主修)' ? 'inline' : 'variable',
    })),
  };
};
