import { measureEvaluation } from './evaluation.ts';
import { measureFairShare } from './fair-share.ts';
import { measureFloor } from './floor.ts';
import { measureHttp, profileHttp } from './http.ts';
import { measureMemory } from './memory.ts';
import { measureComparison } from './news.ts';
import { measureOverhead } from './overhead.ts';
import { measureParsers } from './parsers.ts';
import { measureRoomTree } from './room-tree.ts';
import { measureRoundTrips } from './round-trips.ts';
import { measureScoreNight } from './score-night.ts';
import { measureStart } from './start-up.ts';
import { measureStreams } from './streams.ts';
import { measureWalk } from './walk.ts';

const SCORE_NIGHT_STUDENTS = 2_000;
const STREAMS = 5_000;

const say = (title: string, lines: readonly string[]): void => {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
};

// One run, one machine, side by side: the ratios count, the bare numbers only describe the machine.
const [, , what, wanted] = process.argv;
const said = process.argv.slice(3);
const number = said.find((word) => /^\d+$/.test(word));
if (what === '--profile') {
  say('Where the processor time goes, the ten most expensive functions of each call', await profileHttp(wanted));
} else if (what === '--http') {
  say('Processor time per call, bare Fastify with the same schemas as a share of ours', await measureHttp(wanted));
} else if (what === '--floor') {
  say('Processor time per call, with what no promise lets us leave out', await measureFloor(wanted));
} else if (what === '--campus') {
  say('Calls that ask the campus', await measureOverhead(wanted === '--profile'));
} else if (process.argv.includes('fair-share')) {
  say("One student's crowd, and another student's token check", await measureFairShare());
} else if (process.argv.includes('streams')) {
  say('Comparing scores', measureComparison());
  say('Open streams', await measureStreams(Number(number ?? STREAMS), said.includes('postgres')));
} else if (what === 'walk') {
  say('Own code that one call runs through', await measureWalk(wanted === 'all'));
} else if (process.argv.includes('score-night')) {
  const students = Number(number ?? SCORE_NIGHT_STUDENTS);
  const row = said.find((word) => !/^\d+$/.test(word));
  say(`Score night, ${students} students`, await measureScoreNight(students, row));
} else {
  say(
    'Processor time per call, bare Fastify with the same schemas as a share of the whole service',
    await measureHttp(),
  );
  say('Requests at the campus per operation', await measureRoundTrips());
  say('Reading all rooms of the campus', await measureRoomTree());
  say('Calls that ask the campus', await measureOverhead());
  say('Parsers', measureParsers());
  say('Memory', await measureMemory());
  say('200 evaluation runs at once', await measureEvaluation());
  say('Start', await measureStart());
}
