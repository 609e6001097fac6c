#!/usr/bin/env -S node --disable-sigusr1
import { runCampus } from './run.ts';
import { worldOfProcess } from './world.ts';

process.exitCode = await runCampus(process.argv.slice(2), worldOfProcess());
