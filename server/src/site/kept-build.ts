import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, type SiteFile, readBuild } from './build.ts';

/** How often it is looked whether the site was built anew. */
const LOOK_MS = 1000;

/** The site as it was built last: a build while the server runs is taken into use without a restart. */
export class KeptBuild {
  readonly #folder: string;
  readonly #now: () => number;
  #build: Build | undefined;
  #before: ReadonlyMap<string, SiteFile> = new Map();
  #writtenMs: number | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string, now: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#now = now;
  }

  /** Undefined as long as nothing was built. While it is built anew, the one before. */
  current(): Build | undefined {
    if (this.#now() - this.#lookedMs < LOOK_MS) return this.#build;
    this.#lookedMs = this.#now();
    const writtenMs = statSync(join(this.#folder, 'built'), { throwIfNoEntry: false })?.mtimeMs;
    if (writtenMs === undefined || writtenMs === this.#writtenMs) return this.#build;
    this.#writtenMs = writtenMs;
    this.#before = this.#build?.files ?? this.#before;
    this.#build = readBuild(this.#folder) ?? this.#build;
    return this.#build;
  }

  /** Pages that are open still ask for the files of the build before. */
  find(path: string): SiteFile | undefined {
    return this.#build?.files.get(path) ?? this.#before.get(path);
  }
}
