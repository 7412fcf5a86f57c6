import { readFileSync } from 'node:fs';

/** A process and those it started. */
export function processesOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [
    pid,
    ...(children === '' ? [] : children.split(' ').flatMap((child) => processesOf(Number(child)))),
  ];
}
