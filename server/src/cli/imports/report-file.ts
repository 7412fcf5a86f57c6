import { createWriteStream, openSync, statSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { getSystemErrorMessage } from 'node:util';

/**
 * Reports rejected and merged records as JSON lines. Opened before the import starts, so that an unwritable path does
 * not cost an hour; a later failure, such as a full disk, does not stop the import and is reported at the end.
 */
export class ReportFile {
  readonly #path: string;
  readonly #stream: WriteStream;
  #failure: Error | undefined;

  /** `source` is the file being imported: opening the report would truncate it. */
  constructor(path: string, source?: string) {
    if (source !== undefined && isSameFile(path, source))
      throw new Error(
        `--report ${path} is the file to import, which would be overwritten; give another file`,
      );
    this.#path = path;
    this.#stream = createWriteStream(path, { fd: openReport(path) });
    this.#stream.on('error', (error) => (this.#failure ??= error));
  }

  write(notice: object): void {
    if (!this.#failure) this.#stream.write(`${JSON.stringify(notice)}\n`);
  }

  /** Throws when part of the report could not be written. */
  async close(): Promise<void> {
    await finished(this.#stream.end()).catch((error: Error) => (this.#failure ??= error));
    if (!this.#failure) return;
    throw new Error(
      `the import succeeded, but its report is incomplete: ${this.#path}: ${reasonOf(this.#failure)}; ` +
        'free some space or give another file, and import again: known records are skipped, refused ones are reported again',
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
      'give a file in an existing folder that you may write to',
  );
}

function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one?.isFile() === true && one.dev === two?.dev && one.ino === two.ino;
}

/** `no space left on device`, without the code and the system call around it. */
export function reasonOf(error: unknown): string {
  const isNumbered = error instanceof Error && 'errno' in error && typeof error.errno === 'number';
  return isNumbered ? getSystemErrorMessage(Number(error.errno)) : String(error);
}
