#!/usr/bin/env node
import { expectHangups } from './commands/hangups.ts';

const words = process.argv.slice(2);
if (words[0] === 'serve') expectHangups();
// Only now: it takes seconds on a small machine until all of the rest is loaded.
const { runCommand } = await import('./run-command.ts');
process.exitCode = await runCommand(words);
