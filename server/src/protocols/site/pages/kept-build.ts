import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Build, type SiteFile, readBuild } from './build.ts';

/** How often to check for a new build. */
const LOOK_MS = 1000;

/** The latest build of the site; a new one is picked up without a restart. */
export class KeptBuild {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #hasPages: boolean;
  #build: Build | undefined;
  #before: ReadonlyMap<string, SiteFile> = new Map();
  #writtenMs: number | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(folder: string, now: () => number = () => performance.now(), hasPages = false) {
    this.#folder = folder;
    this.#now = now;
    this.#hasPages = hasPages;
  }

  /** Undefined when there is no build yet. During a build, the previous one. */
  current(): Build | undefined {
    if (this.#now() - this.#lookedMs < LOOK_MS) return this.#build;
    this.#lookedMs = this.#now();
    const writtenMs = statSync(join(this.#folder, 'built'), { throwIfNoEntry: false })?.mtimeMs;
    if (writtenMs === undefined || writtenMs === this.#writtenMs) return this.#build;
    this.#writtenMs = writtenMs;
    this.#before = this.#build?.files ?? this.#before;
    this.#build = readBuild(this.#folder, this.#hasPages) ?? this.#build;
    return this.#build;
  }

  /** Open pages still request files of the previous build. */
  find(path: string): SiteFile | undefined {
    return this.#build?.files.get(path) ?? this.#before.get(path);
  }
}
