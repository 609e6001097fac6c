import { ScoreRecord } from '../../src/domain/academics/records.ts';
import { unsaidOf } from '../../src/domain/record.ts';
import { sha256 } from '../../src/lib/hash.ts';

export const benchToken = 'YmVuY2gtdG9rZW4tYmVuY2gtdG9rZW4tYmVuY2gtdG9';
export const benchTokenHash = sha256(benchToken);
export const benchUserid = '2023000009';
export const benchPair = { password: 'bench-password', vpnPassword: 'bench-vpn' };
export const timestamp = '2026-03-18 10:00:00';

/** 500 rows as a long-time student has them. */
export const scoreRows: readonly ScoreRecord[] = Array.from({ length: 500 }, (_, i) => ({
  sequence: i + 1,
  term_id: '2025-2026-1-1',
  course_code: `KJ${1000 + i}`,
  course_class: '01',
  course_name_cn: `示例课程（${i}）`,
  course_name_en: `Example Course ${i}`,
  credits: '2.5',
  hours: 40,
  course_type: '必修',
  exam_type: '考试',
  score: i % 7 === 0 ? '优秀' : String(60 + (i % 40)),
  ...unsaidOf(ScoreRecord),
  makeup_score: i % 11 === 0 ? '63' : null,
}));

/** As many students as calls are in flight at once. */
export const benchStudents = Array.from({ length: 400 }, (_, i) => ({
  userid: String(2023100000 + i),
  password: 'bench-password',
  vpnPassword: 'bench-vpn',
}));
