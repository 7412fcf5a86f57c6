import { readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { listMachineAddresses, localAddressTowards } from '../../net/dns/own-addresses.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';

/** What the checks ask of the machine they run on. */
export interface Machine {
  /** The addresses of a name, by the system's resolver. */
  resolve(name: string): Promise<readonly string[]>;
  addresses(): readonly string[];
  /** The address by which other machines reach this one; undefined without a network. */
  outwardAddress(): Promise<string | undefined>;
  /** The port that radios ask. */
  radioPort: number;
  /** Files and sockets that a process may have open; undefined where that cannot be seen. */
  openFiles(): number | undefined;
  memoryBytes(): number;
  /** Of a folder's disk; undefined when the folder cannot be seen. */
  freeBytes(folder: string): Promise<number | undefined>;
  /** The clock cannot be right before this. */
  installedAt(): Temporal.Instant;
}

/** Of no real machine (RFC 5737): the kernel answers by its default route. */
const ELSEWHERE = '192.0.2.1';
const MAIN = join(import.meta.dirname, '../../main.ts');

export const thisMachine: Machine = {
  resolve: (name) => operatorsChoice.resolve(name, { signal: new AbortController().signal }),
  addresses: listMachineAddresses,
  outwardAddress: async () => {
    try {
      return await localAddressTowards(ELSEWHERE);
    } catch {
      return undefined;
    }
  },
  radioPort: 80,
  openFiles: () => {
    try {
      const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
      return limit === undefined ? undefined : Number(limit);
    } catch {
      return undefined;
    }
  },
  memoryBytes: () => {
    const limit = process.constrainedMemory();
    return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  },
  freeBytes: async (folder) => {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  },
  installedAt: () => Temporal.Instant.fromEpochMilliseconds(Math.floor(statSync(MAIN).mtimeMs)),
};
