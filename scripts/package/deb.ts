#!/usr/bin/env node
/**
 * `node scripts/package/deb.ts [--arch x64|arm64] [--out FOLDER]`: builds the Debian package from deploy/debian and
 * the tree of scripts/package/tree.ts. Two runs on the same commit build the same file.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { layOut } from './deb/lay-out.ts';
import { sourceDate } from './tree/checkout.ts';
import { run } from './tree/run.ts';
import { writeTree } from './tree/write-tree.ts';

const USAGE = `usage: node scripts/package/deb.ts [--arch x64|arm64] [--out FOLDER] [--with-address-database]
       node scripts/package/deb.ts --tree TREE …

  --out FOLDER              where the package goes; dist unless given
  --arch x64|arm64          the processor it is for; this machine's unless given
  --with-address-database   adds DB-IP's cities (about 130 MB), which locate callers from the internet
  --tree TREE               takes what scripts/package/tree.ts wrote there
  --fast                    packs in a tenth of the time, a third larger`;

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;

try {
  await build();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 1;
}

async function build(): Promise<void> {
  const { values } = parseArgs({
    options: {
      arch: { type: 'string', default: process.arch },
      out: { type: 'string', default: 'dist' },
      tree: { type: 'string' },
      fast: { type: 'boolean', default: false },
      'with-address-database': { type: 'boolean', default: false },
    },
  });
  const { arch } = values;
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`there is no Node 26 for ${arch}`);
  const root = mkdtempSync(join(tmpdir(), 'longwave-deb-'));
  try {
    const tree = join(root, 'usr/lib/longwave');
    if (values.tree === undefined)
      await writeTree(tree, { arch, withAddressDatabase: values['with-address-database'] });
    else cpSync(values.tree, tree, { recursive: true, preserveTimestamps: true });
    const version = layOut(root, ARCHITECTURES[arch]);
    mkdirSync(values.out, { recursive: true });
    const file = resolve(values.out, `longwave_${version}_${ARCHITECTURES[arch]}.deb`);
    process.env['SOURCE_DATE_EPOCH'] = String(sourceDate().getTime() / 1000);
    const packing = values.fast ? ['-Zgzip', '-z1'] : ['-Zxz'];
    run('dpkg-deb', ['--root-owner-group', ...packing, '--build', root, file]);
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
