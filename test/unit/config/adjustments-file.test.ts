import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingLine } from '../../../src/config/finding.ts';
import { load as loadWith, memoryFiles, problems } from './support.ts';

const path = '/etc/campus/adjustments.json';
const env = { CALENDAR_ADJUSTMENTS: path };
const filesWith = (text: string) => memoryFiles({ [path]: text }).files;
const load = (text: string) => loadWith(env, filesWith(text));
const complaints = (value: unknown): string[] => problems(env, filesWith(JSON.stringify(value))).map(findingLine);

describe('the file of CALENDAR_ADJUSTMENTS', () => {
  it('gives days off, ranges written out, and moved days', () => {
    const text = JSON.stringify({
      days_off: ['2026-04-30/2026-05-02', '2026-05-02', '2026-06-19'],
      moved: [{ from: '2026-05-01', to: '2026-05-09' }],
    });
    expect(load(`\uFEFF${text}`).calendar.adjustments).toEqual({
      daysOff: ['2026-04-30', '2026-05-01', '2026-05-02', '2026-06-19'],
      moved: [{ from: '2026-05-01', to: '2026-05-09' }],
    });
    expect(load('{}').calendar.adjustments).toEqual({ daysOff: [], moved: [] });
  });

  it('is not needed', () => {
    expect(loadWith({}).calendar.adjustments).toEqual({ daysOff: [], moved: [] });
  });

  it('is complained about all at once, each fault with its place', () => {
    const wrong = {
      days_off: ['2026-02-30', '2026-05-05/2026-05-01', '2026-01-01/2026-12-31', 7, '2026-05-01/2026-05-02/x'],
      moved: [
        { from: '2026-05-01', to: '2026-05-01' },
        { from: '2026-05-02' },
        'x',
        { from: '2026-05-03', to: '2026-05-04', why: '' },
      ],
      holidays: [],
    };
    expect(complaints(wrong)).toEqual(
      [
        '"holidays" is not one of days_off, moved',
        'days_off[0]: "2026-02-30" is no day and no range of days',
        'days_off[1]: "2026-05-05/2026-05-01" ends before it begins',
        'days_off[2]: "2026-01-01/2026-12-31" has more than 100 days',
        'days_off[3]: 7 is no day and no range of days',
        'days_off[4]: "2026-05-01/2026-05-02/x" is no day and no range of days',
        'moved[1].to: is not a day, YYYY-MM-DD',
        'moved[2]: "x" is no object with from and to',
        'moved[3]: "why" is not one of from, to',
        'moved[0]: 2026-05-01 is moved to itself',
      ].map((fault) => `CALENDAR_ADJUSTMENTS: ${path}: ${fault}; correct it in the file`),
    );
  });

  it('may not contradict itself', () => {
    const moved = [
      { from: '2026-05-01', to: '2026-05-09' },
      { from: '2026-05-01', to: '2026-05-10' },
    ];
    expect(complaints({ days_off: ['2026-05-10'], moved })).toEqual([
      `CALENDAR_ADJUSTMENTS: ${path}: moved[1]: 2026-05-01 is moved twice; correct it in the file`,
      `CALENDAR_ADJUSTMENTS: ${path}: moved[1]: 2026-05-10 is among days_off; correct it in the file`,
    ]);
  });

  it('is refused with no list of days, and with more entries than a year can need', () => {
    expect(complaints({ days_off: {}, moved: Array(1_001).fill(1) })).toEqual([
      `CALENDAR_ADJUSTMENTS: ${path}: days_off: is no list; correct it in the file`,
      `CALENDAR_ADJUSTMENTS: ${path}: moved: has more than 1000 entries; correct it in the file`,
    ]);
  });

  it('has an example that is right', () => {
    const example = readFileSync(join(import.meta.dirname, '../../../docs/run/adjustments.example.json'), 'utf8');
    expect(load(example).calendar.adjustments.moved.length).toBeGreaterThan(0);
  });
});
