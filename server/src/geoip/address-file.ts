import { readFile, stat } from 'node:fs/promises';
import { Reader, type Response } from 'maxmind';
import type { Log } from '../lib/log.ts';

/** By the format's definition the part that begins with the marker ends the file and is no longer than this. */
const LONGEST_METADATA = 128 * 1024;
const METADATA_MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');

/**
 * One .mmdb file, in memory from the first question on, since a house that asks none should not pay for it. What
 * cannot be read leaves what was read before in use.
 */
export class AddressFile {
  readonly #path: string;
  readonly #log: Log;
  #reader: Reader<Response> | undefined;
  /** The state of the file that was last read, well or badly; each is read once. */
  #seen: string | undefined;
  #isWanted = false;
  #readings = 0;
  #reading: Promise<void> | undefined;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** The record of an address, undefined until the file is read: an answer never waits for it. */
  find(address: string, family: 4 | 6): unknown {
    if (!this.#isWanted) {
      this.#isWanted = true;
      void this.refresh();
    }
    // A tree of IPv4 addresses would take the first 32 bits of an IPv6 one for an answer.
    if (!this.#reader || (family === 6 && this.#reader.metadata.ipVersion === 4)) return undefined;
    try {
      return this.#reader.get(address) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** How often another file was taken into use; moves only then. */
  get state(): number {
    return this.#readings;
  }

  /** Reads the file again when it has changed, or whatever it is when `always`. Never throws. */
  refresh(always = false): Promise<void> {
    if (!this.#isWanted) return Promise.resolve();
    if (always) this.#seen = undefined;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Until nothing is being read any more. */
  async idle(): Promise<void> {
    await this.#reading;
  }

  async #read(): Promise<void> {
    const state = await stateOf(this.#path);
    if (state === this.#seen) return;
    try {
      const bytes = await readFile(this.#path);
      // Still being written: looked at again when it rests.
      if ((await stateOf(this.#path)) !== state) return;
      this.#reader = openReader(bytes);
      this.#readings += 1;
      const { databaseType, buildEpoch } = this.#reader.metadata;
      this.#log.info({ file: this.#path, databaseType, built: buildEpoch }, 'the address database was read');
    } catch (error) {
      const stays = this.#reader ? 'the one read before stays in use' : 'callers are not placed by address';
      this.#log.warn(
        { err: error, file: this.#path },
        `the address database could not be read, ${stays}; set ADDRESS_DATABASE to a readable .mmdb file, or to none`,
      );
    }
    this.#seen = state;
  }
}

/** Changes whenever the file does, also when another is moved to its place. */
async function stateOf(path: string): Promise<string> {
  const file = await stat(path, { bigint: true }).catch(() => undefined);
  return file ? [file.ino, file.size, file.mtimeNs].join() : 'missing';
}

/** A file cut short lacks its end. Looked for here, since the reader would go through all of it byte by byte. */
function openReader(bytes: Buffer): Reader<Response> {
  if (!bytes.subarray(-LONGEST_METADATA).includes(METADATA_MARKER))
    throw new Error('it is no .mmdb file, or not all of one');
  const reader = new Reader<Response>(bytes);
  if (reader.metadata.searchTreeSize > bytes.length) throw new Error('it is shorter than it says');
  return reader;
}
