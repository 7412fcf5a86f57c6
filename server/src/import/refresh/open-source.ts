import { type FileHandle, open, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conditionsOf, type Validators, validatorsOf } from '../../lib/answer-headers.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';

/** Far above the 30 MB of radio-browser's dump. */
export const SOURCE_LIMITS = {
  deadlineMs: 30 * 60_000,
  firstByteMs: 60_000,
  silenceMs: 60_000,
  maxWireBytes: 512 * 2 ** 20,
  maxBytes: 2 * 2 ** 30,
};
export type SourceLimits = typeof SOURCE_LIMITS;

/** The contents of a source; disposing of it closes the file. */
export interface OpenSource extends AsyncDisposable {
  bytes: AsyncIterable<Uint8Array>;
  validators: Validators;
}

const CHUNK = 256 * 1024;

const opened = (file: FileHandle, validators: Validators): OpenSource => ({
  bytes: file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK }),
  validators,
  [Symbol.asyncDispose]: () => file.close(),
});

export async function openFileSource(path: string): Promise<OpenSource> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot open ${path} (${error.code}): correct STATION_SOURCES, or make it readable`);
  });
  if (!(await file.stat()).isFile()) {
    await file.close();
    throw new Error(`${path} is not a file: correct STATION_SOURCES`);
  }
  return opened(file, {});
}

interface FetchedSource {
  fetcher: Pick<SafeFetcher, 'fetch'>;
  address: string;
  /** Of the last time; undefined when all of it is wanted. */
  validators: Validators;
  limits: SourceLimits;
  signal: AbortSignal | undefined;
}

/**
 * Fetches a source completely before it is read, so that a slow database does not keep its server waiting. Undefined
 * when it has not changed.
 */
export async function fetchSource({
  fetcher,
  address,
  validators,
  limits,
  signal,
}: FetchedSource): Promise<OpenSource | undefined> {
  const conditions = conditionsOf(validators);
  const file = await openScratchFile();
  try {
    const { status, headers } = await fetcher.fetch(address, {
      ...limits,
      headers: conditions,
      saveTo: file,
      signal,
    });
    if (status === 200) return opened(file, validatorsOf(headers));
    // A 304 to an unconditional request is an error, not an answer.
    if (status !== 304 || Object.keys(conditions).length === 0)
      throw new Error(`its server answers ${status}: check the address in STATION_SOURCES`);
    await file.close();
    return undefined;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** It has no name from the start, so that nothing of it is left however the process ends. */
async function openScratchFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `longwave-source-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
