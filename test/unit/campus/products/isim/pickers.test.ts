import { describe, expect, it } from 'vitest';
import {
  buildingsPageAlive,
  parseBound,
  parseBuildings,
  parseFloors,
  parseRooms,
} from '../../../../../src/campus/products/isim/parse-rooms.ts';
import { failureOf } from '../urp/fixtures.ts';
import { pickerPage, unreadable } from './fixtures.ts';

describe('the building page', () => {
  it('gives codes and names in page order', () => {
    expect(parseBuildings(pickerPage())).toEqual([
      { code: '02', name: '松园2号' },
      { code: '01', name: '松园1号' },
      { code: '11', name: '竹园11号' },
    ]);
  });

  it.each([
    ['more codes than names', '["01","02"]', '["松园1号"]', ['01 松园1号']],
    ['an empty code in the middle', '["01","","03"]', '["甲","乙","丙"]', ['01 甲', '03 丙']],
    ['an empty name', '["01","02"]', '[""," 乙 "]', ['02 乙']],
    ['a code twice', '["01","01"]', '["甲","乙"]', ['01 甲']],
    ['bare codes, whose zeros stay', '[01,2]', '["甲","乙"]', ['01 甲', '2 乙']],
    ['codes that could lead elsewhere', '["..","a/b","a b","01?x","01"]', '["甲","乙","丙","丁","戊"]', ['01 戊']],
    ['comments', '[/* "99", */ "01", // "98",\n "02"]', '["甲","乙"]', ['01 甲', '02 乙']],
    ['what looks like comments', '["1","2"]', '["松//1", "/* 园 */"]', ['1 松//1', '2 /* 园 */']],
    ['nothing but the placeholder', '[""]', '["请选择"]', []],
    ['empty lists', '[]', '[]', []],
  ])('is read with %s', (_, values, names, expected) => {
    expect(parseBuildings(pickerPage(values, names)).map(({ code, name }) => `${code} ${name}`)).toEqual(expected);
  });

  it('is read from a later script when the first that mentions the picker has no lists', () => {
    const page = pickerPage().replace('<body>', '<body><script>var pickerBuilding; var values = 1;</script>');
    expect(parseBuildings(page)).toHaveLength(3);
  });

  it('does not take a list in a comment for the picker', () => {
    const before = '// values: ["99"], displayValues: ["旧"]\n/* values: ["98"] */ input: ';
    expect(parseBuildings(pickerPage().replace('input: ', before))).toHaveLength(3);
    const old = '<!-- <script>var pickerBuilding = { values: ["99"], displayValues: ["旧"] };</script> -->';
    expect(parseBuildings(pickerPage().replace('<body>', `<body>${old}`))).toHaveLength(3);
  });

  it('is alive by its script only', () => {
    expect(buildingsPageAlive(pickerPage())).toBe(true);
    expect(buildingsPageAlive('<input id="pickerBuilding">')).toBe(false);
  });

  it.each([
    ['no list of names', pickerPage().replace('displayValues', 'labels')],
    ['no list of codes', pickerPage().replaceAll('values:', 'codes:')],
    ['a list that is not closed', pickerPage('["", "01"', '["x", "y"').replaceAll(']', '')],
  ])('with %s is unreadable', (_, page) => {
    expect(failureOf(() => parseBuildings(page))).toEqual(unreadable);
  });
});

describe('a picker', () => {
  it('skips its first item by position, not by its text', () => {
    expect(parseFloors('[{floordm:["0100","0101"],floorname:["全部","1-1层"]}]')).toEqual({
      entries: [{ code: '0101', name: '1-1层' }],
      doubtful: false,
    });
    expect(parseRooms('[{roomdm:["","010102","010101"],roomname:["请选择","1-102","1-101"]}]').entries).toEqual([
      { code: '010102', name: '1-102' },
      { code: '010101', name: '1-101' },
    ]);
  });

  it('with later elements is read from the first', () => {
    expect(parseRooms('[{roomdm:["","1"],roomname:["","a"]},{roomdm:["","2"],roomname:["","b"]}]').entries).toEqual([
      { code: '1', name: 'a' },
    ]);
  });

  it('of which no code can be used is unreadable: its floor or building would vanish from the tree', () => {
    const codes = '["","../1","01 01"]';
    expect(failureOf(() => parseFloors(`[{floordm:${codes},floorname:["请选择","一","二"]}]`))).toEqual(unreadable);
    expect(failureOf(() => parseRooms('[{roomdm:["","010101"],roomname:["请选择"]}]'))).toEqual(unreadable);
    expect(parseFloors('[{floordm:["","../1","0102"],floorname:["请选择","一","二"]}]').entries).toHaveLength(1);
    expect(parseFloors('[{floordm:[""," "],floorname:["请选择",""]}]').entries).toEqual([]);
  });

  it('that offers only its placeholder is empty; a bare list leaves doubt', () => {
    expect(parseFloors('[{floordm:[""],floorname:["请选择"]}]')).toEqual({ entries: [], doubtful: false });
    expect(parseFloors('[]')).toEqual({ entries: [], doubtful: true });
  });

  it.each([
    '[1]',
    '[{}]',
    '[{floordm:["","1"]}]',
    '[{floordm:"x",floorname:["","a"]}]',
    '[{floordm:null,floorname:null}]',
    '[{roomdm:["","1"],roomname:["","a"]}]',
    '[{floordm:["","1"],floorname:["","a"]}',
  ])('%s is a failure, never an empty list', (text) => {
    expect(failureOf(() => parseFloors(text))).toEqual(unreadable);
  });
});

describe('the answer to a binding', () => {
  it.each([
    ['[{bindinginfo:"松园1号学生公寓/1-1层/1-101"}]', true],
    ['[{"bindinginfo":"x"}]', true],
    ['{bindinginfo:"x"}', true],
    ['[{bindinginfo:""}]', false],
    ['[{bindinginfo:" "}]', false],
    ['[{bindinginfo:null}]', false],
    ['[]', null],
    ['[{}]', null],
    ['', null],
    ['<html>bindinginfo</html>', null],
  ])('%s means %s', (text, expected) => {
    expect(parseBound(text)).toBe(expected);
  });
});
