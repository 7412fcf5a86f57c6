import { execFileSync } from 'node:child_process';

/** What git says in a checkout, without the line end. */
export const git = (checkout: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

export const commitOf = (checkout: string): string => git(checkout, 'rev-parse', 'HEAD');

/** When the commit was made, so that what is built from it twice is the same. */
export const timeOf = (checkout: string): string =>
  new Date(1000 * Number(git(checkout, 'show', '-s', '--format=%ct', 'HEAD'))).toISOString();
