#!/usr/bin/env node
import { keepCompiledCode } from './cli/compile-cache.ts';
import { expectHangups } from './cli/hangups.ts';

const words = process.argv.slice(2);
if (words[0] === 'serve') expectHangups();
keepCompiledCode();
// Imported late: loading the rest takes seconds on a small machine.
const { runCommand } = await import('./cli/run-command.ts');
process.exitCode = await runCommand(words);
