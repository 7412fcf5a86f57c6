#!/usr/bin/env node
/** `npm run bench -- NAME`: the measured comparisons. Each prints ratios against the bare engine of the same run. */
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';

const envFile = join(import.meta.dirname, '../../.env.services');
if (!process.env['DATABASE_URL'] && existsSync(envFile)) process.loadEnvFile(envFile);

const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => !['bench', 'run-bare'].includes(name) && !name.endsWith('.test'));
const [name = '', ...args] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join(' | ')}`);
  process.exit(2);
}
const { run }: { run: (args: string[]) => Promise<void> } = await import(`./${name}.ts`);
await run(args);
