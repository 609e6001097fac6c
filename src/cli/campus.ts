#!/usr/bin/env -S node --disable-sigusr1
import { silenceKnownWarnings } from '../lib/warnings.ts';
import { runCampus } from './run.ts';
import { worldOfProcess } from './world.ts';

silenceKnownWarnings(process);
process.exitCode = await runCampus(process.argv.slice(2), worldOfProcess());
