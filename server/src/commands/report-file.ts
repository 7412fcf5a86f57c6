import { type WriteStream, createWriteStream, openSync, statSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';

/**
 * What an import tells of single records, a line of JSON each. It is opened before the import begins, so that a path that
 * cannot be written costs nobody an hour; one that fails later, as on a full disk, leaves the import alone and is told of
 * at the end.
 */
export class ReportFile {
  readonly #path: string;
  readonly #stream: WriteStream;
  #failure: Error | undefined;

  /** `source` is what is read meanwhile: opening the report empties it. */
  constructor(path: string, source?: string) {
    if (source !== undefined && isSameFile(path, source))
      throw new Error(`--report ${path} is the file to import, which it would empty; name another file`);
    this.#path = path;
    this.#stream = createWriteStream(path, { fd: openReport(path) });
    this.#stream.on('error', (error) => (this.#failure ??= error));
  }

  write(notice: object): void {
    if (!this.#failure) this.#stream.write(`${JSON.stringify(notice)}\n`);
  }

  /** Throws when some of it could not be written. */
  async close(): Promise<void> {
    await finished(this.#stream.end()).catch((error: Error) => (this.#failure ??= error));
    if (!this.#failure) return;
    throw new Error(
      `the import is done and stays, but its report is not whole: ${this.#path}: ${reasonOf(this.#failure)}; ` +
        'make room or name another file, and import again: what is there is skipped, what is refused is told again',
    );
  }
}

function openReport(path: string): number {
  let reason: string;
  try {
    return openSync(path, 'w');
  } catch (error) {
    reason = reasonOf(error);
  }
  throw new Error(
    `nothing was imported: the report cannot be written to ${path}: ${reason}; ` +
      'name a file in a folder that is there and may be written to',
  );
}

function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one?.isFile() === true && one.dev === two?.dev && one.ino === two.ino;
}

/** `no space left on device`, without the code and the call around it. */
function reasonOf(error: unknown): string {
  const isNumbered = error instanceof Error && 'errno' in error && typeof error.errno === 'number';
  return isNumbered ? getSystemErrorMessage(Number(error.errno)) : String(error);
}
