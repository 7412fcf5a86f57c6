#!/usr/bin/env -S node --max-semi-space-size=16
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { endOnSignals } from './cli/end-on-signals.ts';
import { expectHangups } from './cli/hangups.ts';

const words = process.argv.slice(2);
endOnSignals();
if (words[0] === 'serve') expectHangups();
// Node keeps what it compiled, so that the next start takes half the time: beside the code, where only those can write
// who could change the code itself. `NODE_COMPILE_CACHE` names another folder; where none can be written, nothing is kept.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/longwave'));
// Imported late: loading the rest takes seconds on a small machine.
const { runCommand } = await import('./cli/run-command.ts');
process.exitCode = await runCommand(words);
