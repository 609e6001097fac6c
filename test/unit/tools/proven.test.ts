import { describe, expect, it } from 'vitest';
import { readRecording } from '../../../src/composition/recordings.ts';
import { proofsIn, withProofs } from '../../../tools/proven.ts';

const step = (page: string, system: string) => ({
  ...{ page, system, method: 'GET', path: '/', query: [], form: [], status: 200, location: null, cookies: [] },
  ...{ charset: 'utf-8', contentType: 'text/html', file: null },
});

const reading = (page: string, failure: string | null = null) => ({ page, parameters: [], record: null, failure });

const recordingOf = (origin: string, now: string, more: object = {}) => {
  const file = {
    ...{ format: 1, origin, version: '1.1.0', timeZone: 'Asia/Shanghai', now, userid: '2099000001' },
    products: [{ system: 'jwc', product: 'jwc' }],
    landed: {},
    steps: [step('academics.terms', 'jwc'), step('academics.exams', 'jwc')],
    readings: [reading('academics.terms'), reading('academics.exams', 'upstream-unreadable')],
    ...more,
  };
  const recorded = readRecording(new Map([['recording.json', Buffer.from(JSON.stringify(file))]]));
  if (typeof recorded === 'string') throw new Error(recorded);
  return recorded;
};

const proven = [{ product: 'jwc', capability: 'academics.terms', month: '2026-05' }];

describe('what is proven', () => {
  it('are the reads of a real campus that gave a record, by the newest month', () => {
    const recordings = [recordingOf('campus', '2026-05-31'), recordingOf('campus', '2026-04-01')];
    expect(proofsIn(recordings)).toEqual(proven);
    expect(proofsIn(recordings.toReversed())).toEqual(proven);
  });

  it('is nothing by a demo campus', () => {
    expect(proofsIn([recordingOf('demo', '2026-05-31')])).toEqual([]);
  });
});

describe('the table of products', () => {
  const readme = [
    '| 正方 (ZFsoft) jwglxt | studies | no driver | – |',
    '| URP 综合教务, entered by CAS | studies | works | five clients of one campus |',
    '',
    'No recording of a real campus has tested a row yet: the rest.',
  ].join('\n');

  it('names the month of a product that is proven, and does not deny it', () => {
    const now = withProofs(readme, 'en', proven);
    expect(now.split('\n')).toEqual([
      '| 正方 (ZFsoft) jwglxt | studies | no driver | – |',
      '| URP 综合教务, entered by CAS | studies | works | recording, 2026-05 |',
      '',
      'A *recording* of a real campus has tested some reads of its row: the rest.',
    ]);
    expect(withProofs(now, 'en', proven)).toBe(now);
  });

  it('stays as it is without proofs', () => {
    expect(withProofs(readme, 'en', [])).toBe(readme);
  });
});
