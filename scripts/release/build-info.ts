#!/usr/bin/env node
/** `node scripts/release/build-info.ts`: writes build.json, from which `longwave --version` and the metrics know the commit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitOf, timeOf } from './commit.ts';
import { CHECKOUT } from './packages.ts';

const build = { commit: commitOf(CHECKOUT), committedAt: timeOf(CHECKOUT) };
writeFileSync(join(CHECKOUT, 'build.json'), `${JSON.stringify(build, undefined, 2)}\n`);
