import { describe, expect, it } from 'vitest';
import { trainingPlanOf } from '../../../../src/domain/academics/plans.ts';

describe('the name of a training plan', () => {
  it.each([
    ['2023级会计学本科培养方案', '2023', '会计学'],
    ['2024级法学本科培养方案(辅修)', '2024', '法学'],
    ['2023级会计学专升本培养方案', '2023', '会计学专升本'],
    ['2023级 软件工程 本科培养方案', '2023', '软件工程'],
    ['2023级本科会计学本科培养方案', '2023', ''],
    ['2023级法学培养方案(本科)', '2023', '法学'],
    ['会计学本科培养方案', '', ''],
    ['2023级会计学', '2023', ''],
    ['', '', ''],
  ])('%j: grade %j, major %j', (name, grade, major) => {
    expect(trainingPlanOf(name)).toEqual({ name, grade, major });
  });
});
