import { campusCommand } from './campus-command.ts';
import { person } from './person-at-terminal.ts';

// A person who has typed everything, and looks at what the recording shows until the process is killed.

const [folder = ''] = process.argv.slice(2);
const { world } = person({ 'Student id': 'L2026001', Password: 'lakeside-password' });
const { ask } = world;

process.stdin.resume();
await campusCommand(
  ['record', folder],
  { CAMPUS: 'demo-lakeside' },
  {
    ...world,
    ask: async (question, look) => {
      if (!question.startsWith('Leave out')) return (await ask?.(question, look)) ?? null;
      process.stdout.write('looking\n');
      return new Promise(() => {});
    },
  },
);
