import { writeFileSync, mkdirSync } from 'node:fs';
import { it } from 'vitest';
import { recordDemo } from '../../../support/recorded-demo.ts';
import { look, reduce, scrub, scrubPages } from '../../../../src/campus/recordings/scrub.ts';

const diff = (a: unknown, b: unknown, path: string, out: string[]): void => {
  if (out.length > 12) return;
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    for (const k of new Set([...Object.keys(a), ...Object.keys(b)])) diff((a as any)[k], (b as any)[k], `${path}.${k}`, out);
  } else if (a !== b) out.push(`${path}: expected ${JSON.stringify(a)} got ${JSON.stringify(b)}`);
};

it('x', async () => {
  const want = process.env.WANT ?? 'demo-lakeside';
  for (const [campus, userid, password, vpnPassword] of [['demo','2023000001','demo-password','demo-vpn'],['demo','2023000002','demo-password-2','demo-vpn-2'],['demo-lakeside','L2026001','lakeside-password',''],['demo-seaside','S2026001','seaside-password',''],['demo-shuwei','S2026001','shuwei-password','']] as const) {
    if (!want.split(',').includes(campus) && want !== 'all') continue;
    const { recorded, replay } = await recordDemo(campus, { userid, password, vpnPassword });
    let t = performance.now(); let n = 0;
    const counting = (...a: any) => { n += 1; return (replay as any)(...a); }; const work = await look(recorded, counting); const reduced = await reduce(work, counting, new Set()); const scrubbed = await scrubPages(reduced, counting);
    console.log(campus, userid, 'ms', performance.now() - t, 'replays', n, 'exchanges', recorded.exchanges.length, reduced.recorded.exchanges.length, 'bytes', scrubbed.exchanges.reduce((s, e) => s + e.body.length, 0));
    { const tt = performance.now(); const s = await scrub(recorded, replay); console.log('SCRUB', 'refused' in s ? JSON.stringify(s.refused) : `files ${s.files.size} bytes ${[...s.files.values()].reduce((n, f) => n + f.length, 0)} recjson ${s.files.get('recording.json')?.length} kept ${s.keptWords.join(' ')} shapes ${s.shapes.length}`, performance.now() - tt); if (!('refused' in s)) writeFileSync(`/tmp/shapes-${userid}`, s.shapes.join('\n')); }
    const dir = `/tmp/out/${campus}-${userid}`; mkdirSync(dir, { recursive: true });
    scrubbed.exchanges.forEach((e, i) => writeFileSync(`${dir}/${String(i).padStart(3,'0')}-${e.page}`, JSON.stringify([e.method, e.path, e.query, e.form]) + '\n' + e.text + '\n\n' + reduced.recorded.exchanges[i]?.text));
    writeFileSync(`${dir}/readings.json`, JSON.stringify(scrubbed.readings, null, 1));
    scrubbed.readings.forEach((r, i) => {
      const out: string[] = [];
      if (r.failure !== recorded.readings[i]?.failure) out.push(`FAILED ${r.failure} was ${recorded.readings[i]?.failure}, reduced ${reduced.recorded.readings[i]?.failure}`);
      else diff(scrubbed.expected[i], r.record, r.page, out);
      if (out.length) console.log(r.page, out.join('\n   '));
    });
  }
}, 200000);
