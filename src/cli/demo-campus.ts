import { campusClockOf, startConfiguredDemo } from '../composition/campus.ts';
import { loadConfig } from '../config/config.ts';
import { demoPhone } from '../config/demo.ts';
import { keyFiles } from '../config/process-files.ts';
import { withoutCreating } from '../config/secrets.ts';
import { reasonOf } from '../lib/text.ts';

const say = (text: string): void => void process.stdout.write(text);

/** Serves one demo campus to several replicas. What students have done there ends with the process. */
const start = async (): Promise<void> => {
  const config = loadConfig({ ...process.env, CAMPUS: 'demo' }, withoutCreating(keyFiles));
  const place = config.demoHost;
  if (place === null) throw new Error('DEMO_HOST is missing: the name by which the service finds this demo campus');
  const demo = await startConfiguredDemo(config, { place, clock: campusClockOf(config), onMessage: demoPhone(say) });
  say(`the demo campus listens at ${demo.wiring.vpnUrl} and the seven ports behind it\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void demo.close());
};

try {
  await start();
} catch (error) {
  process.stderr.write(`The demo campus cannot start: ${reasonOf(error)}\n`);
  process.exit(1);
}
