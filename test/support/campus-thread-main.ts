import { parentPort } from 'node:worker_threads';
import { startDemoCampus } from '../../src/demo/demo-campus.ts';
import { TEST_KEY_PEM } from '../unit/demo/test-key.ts';
import type { Notice, Student } from './campus-thread-messages.ts';

const campus = await startDemoCampus({ portalKeyPem: TEST_KEY_PEM });
const tell = (notice: Notice) => parentPort?.postMessage(notice);

parentPort?.on('message', (students: readonly Student[]) => {
  for (const student of students) campus.addStudent(student);
  // The log of requests has no reader here.
  campus.resetRequests();
  tell({ kind: 'admitted' });
});
tell({ kind: 'listening', wiring: campus.wiring });
