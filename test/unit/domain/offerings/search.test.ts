import { describe, expect, it } from 'vitest';
import type { OfferedCourse, OfferingRow } from '../../../../src/domain/offerings/records.ts';
import { classesOf, filterClasses, type OfferingFilter } from '../../../../src/domain/offerings/search.ts';
import { exampleOffered } from '../../../support/fake-services.ts';
import { place } from '../calendar/support.ts';

const row = (
  sequence: string,
  more: Partial<Omit<OfferingRow, 'course'>> & { course?: Partial<OfferedCourse> } = {},
): OfferingRow => ({
  teachers: ['许静'],
  place: place(),
  ...more,
  course: { ...exampleOffered, course_sequence: sequence, ...more.course },
});

describe('rows of a term', () => {
  it('become classes in the order of their first row, over pages, with each place and teacher once', () => {
    const classes = classesOf([
      row('05'),
      row('06'),
      row('05', { place: place({ weekday: 3, firstSession: 5 }), teachers: ['周明', '许静'] }),
      row('05'),
      row('05', { place: null }),
    ]);
    expect(classes.map(({ course, teachers, places }) => [course.course_sequence, teachers, places])).toEqual([
      ['05', ['许静', '周明'], [place(), place({ weekday: 3, firstSession: 5 })]],
      ['06', ['许静'], [place()]],
    ]);
  });

  it('fill in what the first of them does not say', () => {
    const bare = { hours: null, remark: null, capacity: 0 };
    const [found] = classesOf([row('05', { course: bare }), row('05', { course: { hours: 40, capacity: 60 } })]);
    expect(found?.course).toMatchObject({ hours: 40, remark: null, capacity: 0 });
  });
});

describe('a search', () => {
  const classes = classesOf([
    row('01', { course: { course_name: 'Ｃ＋＋程序设计', places_left: 3 }, teachers: ['Anna Weiss'] }),
    row('02', {
      place: place({ weekday: 2, firstSession: 3 }),
      course: { places_left: null, department: '外国语学院' },
    }),
    row('03', { place: null, course: { course_code: 'X', category: '任选', campus_name: '西校区', places_left: 0 } }),
  ]);
  it.each<[OfferingFilter, string[]]>([
    [{}, ['01', '02', '03']],
    [{ courseName: 'c++' }, ['01']],
    [{ courseName: '线性代数（b）' }, ['02', '03']],
    [{ teacher: 'weiss' }, ['01']],
    [{ weekday: 1 }, ['01']],
    [{ session: 2 }, ['01']],
    [{ session: 4 }, ['02']],
    [{ session: 5 }, []],
    [{ weekday: 1, session: 3 }, []],
    [{ hasPlaces: true }, ['01']],
    [{ department: '数学学院' }, ['01', '03']],
    [{ department: '数学' }, []],
    [{ category: '任选' }, ['03']],
    [{ campusName: '西校区' }, ['03']],
    [{ courseCode: 'X' }, ['03']],
    [{ courseCode: 'x' }, []],
    [{ courseName: '代数', teacher: '许', weekday: 2 }, ['02']],
  ])('for %j', (filter, found) => {
    expect(filterClasses(classes, filter).map(({ course }) => course.course_sequence)).toEqual(found);
  });
});
