import { describe, expect, it } from 'vitest';
import { judgeApplications, searchClubs } from '../../../../src/domain/labor-club/labor-club.ts';
import type { ClubApplication, DirectoryClub } from '../../../../src/domain/labor-club/records.ts';
import { exampleApplication, exampleDirectory } from '../../../support/labor-examples.ts';

const club = (name: string): DirectoryClub => {
  const [example] = exampleDirectory.data;
  if (example === undefined) throw new Error('no example');
  return { ...example, ID: name, Name: name };
};
const clubs = ['Maker 工坊', '木工坊', 'GREEN maker', '帮厨 <A&B>', 'Straße'].map(club);

describe('a search in the directory', () => {
  const names = (keyword: string, page = 1, pageSize = 100) => {
    const { data: found, pageInfo: info } = searchClubs(clubs, { keyword, page, pageSize });
    return [found.map(({ Name }) => Name), info];
  };

  it.each([
    ['maker', ['Maker 工坊', 'GREEN maker']],
    ['MAKER', ['Maker 工坊', 'GREEN maker']],
    ['工', ['Maker 工坊', '木工坊']],
    ['<a&', ['帮厨 <A&B>']],
    ['.*', []],
  ])('%s finds %j', (keyword, found) => {
    expect(names(keyword)).toEqual([found, { TotalItemCount: found.length, PageSize: 100, CurrentPageIndex: 1 }]);
  });

  it('pages what it has found', () => {
    expect(names('工', 2, 1)).toEqual([['木工坊'], { TotalItemCount: 2, PageSize: 1, CurrentPageIndex: 2 }]);
    expect(names('工', 3, 1)).toEqual([[], { TotalItemCount: 2, PageSize: 1, CurrentPageIndex: 3 }]);
  });
});

describe('applications', () => {
  const application = (more: Partial<ClubApplication>): ClubApplication => {
    const { status: _, ...example } = exampleApplication;
    return { ...example, IsAgree: null, ...more };
  };

  it.each([
    [null, '', 'pending'],
    [true, '', 'approved'],
    [false, '', 'rejected'],
    [null, '审核中', 'pending'],
    [true, '已通过', 'approved'],
    ...['已拒绝', '驳回', '未通过', '已失效', '已过期', 'Invalid', 'EXPIRED'].map(
      (name): [boolean | null, string, string] => [true, name, 'rejected'],
    ),
  ])('with agreement %j in the state "%s" are %s', (IsAgree, StateName, status) => {
    expect(judgeApplications([application({ IsAgree, StateName })]).map((each) => each.status)).toEqual([status]);
  });

  it('come newest first, with times in any form, and those of one moment as they were sent', () => {
    const times = [
      '2026-07-16 12:30:00',
      '2026-07-17T12:30:01',
      '2026-07-17',
      '',
      '2026-07-17 12:30:00',
      '2026/07/17 12:30',
    ];
    const found = judgeApplications(times.map((AddTime, at) => application({ AddTime, ID: String(at) })));
    expect(found.map(({ ID }) => Number(ID))).toEqual([1, 4, 5, 2, 0, 3]);
  });

  it('of thousands of digits are sorted as well', () => {
    const found = judgeApplications(['1'.repeat(5_000), '2', '1'].map((AddTime) => application({ AddTime })));
    expect(found.map(({ AddTime }) => AddTime.length)).toEqual([1, 5_000, 1]);
  });
});
