#!/usr/bin/env node
/**
 * `node scripts/package/tree.ts OUT [--arch x64|arm64] [--with-address-database]`: writes everything that Longwave
 * needs to run into the folder OUT, for packages and images to hold: the server's source, the built site, production
 * dependencies, Node itself and a launcher, `bin/longwave`. Two runs on the same commit write the same bytes.
 */
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TreeOptions } from './tree/checkout.ts';
import { writeTree } from './tree/write-tree.ts';

const USAGE = `usage: node scripts/package/tree.ts OUT [--arch x64|arm64] [--with-address-database]

  OUT                       a folder that does not exist yet, or is empty
  --arch x64|arm64          the processor it is for; this machine's unless given
  --with-address-database   adds DB-IP's cities (about 130 MB), which locate callers from the internet`;

const asked = readCommandLine();
const { parts, digest } = await writeTree(asked.out, asked);
for (const { name, bytes } of parts) console.log(`${(bytes / 1e6).toFixed(1).padStart(8)} MB  ${name}`);
const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`${(total / 1e6).toFixed(1).padStart(8)} MB  ${asked.out} for ${asked.arch}, sha256 ${digest}`);

function readCommandLine(): TreeOptions & { out: string } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        arch: { type: 'string', default: process.arch },
        'with-address-database': { type: 'boolean', default: false },
      },
    });
    const [out, ...rest] = positionals;
    if (out === undefined || rest.length > 0) throw new Error('name one folder to write to');
    const { arch } = values;
    if (arch !== 'x64' && arch !== 'arm64')
      throw new Error(`there is no Node 26 for ${arch}; give --arch x64 or arm64`);
    if (existsSync(out) && readdirSync(out).length > 0)
      throw new Error(`${out} is not empty; remove it first, or name another folder`);
    return { out: resolve(out), arch, withAddressDatabase: values['with-address-database'] };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return process.exit(2);
  }
}
