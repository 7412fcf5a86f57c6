#!/usr/bin/env node
/** `node web/build/sizes.ts`: what a browser loads before the first interaction, compressed, and what comes when it is needed. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const MAX_SCRIPT_BYTES = 110_000;
const dist = join(import.meta.dirname, '../dist');

const packedBytes = (name: string): number => {
  const file = join(dist, 'assets', name);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
};

/** Scripts that index.html names, and all that those import outright. */
function scriptsAtOnce(entry: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  const text = readFileSync(join(dist, 'assets', entry), 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
    scriptsAtOnce(name, found);
  return found;
}

const index = readFileSync(join(dist, 'index.html'), 'utf8');
const entries = [...index.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name);
const [home = ''] = readdirSync(join(dist, 'assets')).filter((name) => /^Home-[\w-]+\.js$/.test(name));
const first = new Set([...entries, home].flatMap((entry) => [...scriptsAtOnce(entry)]));
const total = [...first].reduce((sum, name) => sum + packedBytes(name), 0);
for (const name of readdirSync(join(dist, 'assets')).filter((each) => /\.(?:js|css)$/.test(each)))
  console.log(
    `${String(packedBytes(name)).padStart(8)}  ${first.has(name) ? 'at once ' : 'later   '} ${name}`,
  );
console.log(
  `${total} bytes of compressed script before the first interaction on the home page; at most ${MAX_SCRIPT_BYTES}`,
);
process.exitCode = total > MAX_SCRIPT_BYTES ? 1 : 0;
