import { campusName, changeLines } from '../../config/campus-identity.ts';
import { demoTraces, studentsOf } from '../../config/demo.ts';
import { storageName } from '../../config/structured.ts';
import { type CampusIdentity, isDemo, isSameCampus } from '../../lib/campus-identity.ts';
import { argumentsOf } from '../arguments.ts';
import type { Operator } from '../operator.ts';
import { Refused } from '../usage.ts';
import { type Command, onDatabase } from '../world.ts';
import { inUse } from './copies.ts';

const demoStudentsOf = ({ CAMPUS = 'demo' }: CampusIdentity): string =>
  studentsOf(CAMPUS)
    .map(({ userid }) => userid)
    .join(', ');

const planLines = (owner: CampusIdentity, campus: CampusIdentity): string[] => [
  ...changeLines(owner, campus),
  ...(isDemo(owner)
    ? [
        `deletes the demo students ${demoStudentsOf(owner)} with their tokens and everything of theirs`,
        `deletes the invite code ${demoTraces.code} and the invite tokens made from it`,
        'deletes the list of rooms, and which rooms students have chosen',
      ]
    : []),
  'ends the campus sessions of all students; tokens stay valid, the next call signs in anew',
  `keeps all other accounts; their passwords will be sent to ${campusName(campus)}`,
];

const outcome = (adoption: Awaited<ReturnType<Operator['adopt']>>): string =>
  `deleted: ${adoption.demoStudents} demo students, ${adoption.demoCodes} invite codes, ` +
  `${adoption.roomTrees} room lists, ${adoption.chosenRooms} chosen rooms; ` +
  `campus sessions of ${adoption.students} students ended`;

export const adopt: Command = (args) => {
  const { values } = argumentsOf(args, { yes: { type: 'boolean' } }, 0);
  return onDatabase('current', async ({ world: { out }, config, operator }) => {
    const [campus, storage] = [config.campus.identity, storageName(config.storage)];
    const owner = await operator.owner();
    if (owner !== null && isSameCampus(owner, campus)) {
      out(`${storage} belongs to ${campusName(campus)} already; nothing to do`);
      return;
    }
    if (isDemo(campus)) throw new Refused('the demo campus takes no database over; set the addresses of the campus');
    if (owner === null) {
      out(`${storage} belongs to no campus yet; the first start makes it that of ${campusName(campus)}`);
      return;
    }
    out(`${storage} belongs to ${campusName(owner)}. Taking it over for ${campusName(campus)}:`);
    for (const line of planLines(owner, campus)) out(`  ${line}`);
    if (values.yes !== true)
      throw new Refused('nothing was changed; end the service, make a backup, and run `campus adopt --yes`');
    const running = await operator.replicas();
    if (running.length > 0) throw new Refused(inUse(running), 'nothing was changed');
    out(outcome(await operator.adopt()));
    out(`${storage} belongs to ${campusName(campus)} now`);
  });
};
