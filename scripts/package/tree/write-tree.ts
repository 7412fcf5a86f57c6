import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { CHECKOUT, sourceDate, type TreeOptions } from './checkout.ts';
import { installDependencies, installNode } from './dependencies.ts';
import { normalize } from './normalize.ts';
import { run } from './run.ts';

export interface Tree {
  parts: { name: string; bytes: number }[];
  /** Of every path, mode and content. */
  digest: string;
}

/** Writes all that Longwave needs to run into an empty folder. */
export async function writeTree(out: string, options: TreeOptions): Promise<Tree> {
  mkdirSync(out, { recursive: true });
  copyServer(out);
  cpSync(buildSite(), join(out, 'web/dist'), { recursive: true });
  installDependencies(out, options);
  installNode(out, options.arch);
  cpSync(join(CHECKOUT, 'LICENSE'), join(out, 'LICENSE'));
  mkdirSync(join(out, 'bin'));
  writeFileSync(join(out, 'bin/longwave'), LAUNCHER, { mode: 0o755 });
  const digest = await normalize(out, sourceDate());
  const parts = readdirSync(out)
    .toSorted()
    .map((name) => ({ name, bytes: bytesOf(join(out, name)) }));
  return { parts, digest };
}

/** Follows links, so that /usr/bin/longwave may lead here. */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/../node/bin/node" --max-semi-space-size=16 "$here/../server/src/main.ts" "$@"
`;

/** Tests, what they compare with, and pages for readers of the source stay behind. */
const isRunTime = (path: string): boolean =>
  !path.endsWith('.test.ts') && !path.endsWith('.md') && basename(path) !== 'golden';

function copyServer(out: string): void {
  cpSync(join(CHECKOUT, 'server/src'), join(out, 'server/src'), { recursive: true, filter: isRunTime });
  for (const file of ['package.json', 'server/package.json']) {
    const { name, version, license, type } = JSON.parse(readFileSync(join(CHECKOUT, file), 'utf8'));
    writeFileSync(
      join(out, file),
      `${JSON.stringify({ name, version, private: true, license, type }, null, 2)}\n`,
    );
  }
}

/** Builds the site unless the last build is newer than everything it is made of. */
function buildSite(): string {
  const dist = join(CHECKOUT, 'web/dist');
  const built = statSync(join(dist, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(
    ['web/{src,public,build}/**', 'web/*.{ts,html,json}', 'client/src/**', 'package-lock.json'],
    {
      cwd: CHECKOUT,
    },
  );
  if (sources.some((path) => statSync(join(CHECKOUT, path)).mtimeMs > built)) {
    // A fresh clone has nothing to build with.
    if (!existsSync(join(CHECKOUT, 'node_modules/vite')))
      run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: CHECKOUT });
    run('npm', ['run', '--silent', 'build'], { cwd: CHECKOUT });
  }
  return dist;
}

const bytesOf = (path: string): number =>
  statSync(path).isFile()
    ? statSync(path).size
    : readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
