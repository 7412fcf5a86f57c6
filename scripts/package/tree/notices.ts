import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from './checkout.ts';

/** NOTICES of the checkout, with what a package or image holds beside it: Node itself, from the folder of its npm package. */
export function writeNotices(out: string, nodeFolder: string): void {
  const { version, license } = JSON.parse(readFileSync(join(nodeFolder, 'package.json'), 'utf8'));
  const file = readdirSync(nodeFolder).find((name) => /^licen[cs]e/iu.test(name));
  if (file === undefined)
    throw new Error(`${nodeFolder} has no licence, and Node cannot be passed on without`);
  const licence = readFileSync(join(nodeFolder, file), 'utf8').trim();
  const packages = readFileSync(join(CHECKOUT, 'NOTICES'), 'utf8').trimEnd();
  const node = `${'-'.repeat(80)}\nnode ${version} (${license})\n\n${licence}`;
  writeFileSync(join(out, 'NOTICES'), `${packages}\n\n${node}\n`);
}
