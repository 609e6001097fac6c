import type { StudentMarks } from '../../src/domain/context.ts';

/** Of a student whose pair is good and for whom nothing has been written. */
export const plainMarks = (more: Partial<StudentMarks> = {}): StudentMarks => ({
  generation: 1,
  refusedStep: null,
  roomCode: null,
  writes: {
    academics: { count: 0, until: 0 },
    'labor-club': { count: 0, until: 0 },
    electricity: { count: 0, until: 0 },
  },
  ...more,
});
