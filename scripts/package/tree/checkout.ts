import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const CHECKOUT = join(import.meta.dirname, '../../..');

export type Arch = 'x64' | 'arm64';

export interface TreeOptions {
  arch: Arch;
  withAddressDatabase: boolean;
}

/** SOURCE_DATE_EPOCH, else the last commit's, so that the same source gives the same files. */
export function sourceDate(): Date {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const seconds =
    given ?? spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: CHECKOUT, encoding: 'utf8' }).stdout;
  const date = new Date(Number.parseInt(seconds, 10) * 1000);
  if (Number.isNaN(date.getTime()))
    throw new Error(
      'the date of the source is unknown: build in a git checkout, or set SOURCE_DATE_EPOCH to seconds since 1970',
    );
  return date;
}
