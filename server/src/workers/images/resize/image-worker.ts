import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PictureRefused } from './kind-of.ts';
import type { ResizedImage } from './resize-image.ts';
import type { ResizeAnswer } from './resize-process.ts';

const MODULE = fileURLToPath(new URL('resize-process.ts', import.meta.url));
/**
 * Address space for the child: 700 MB that Node reserves and hardly touches, and twice what the largest accepted
 * picture takes when decoded. A child that allocates more fails and exits.
 */
const MAX_KILOBYTES = (700 + 500) * 1024;
const BOUNDED = `ulimit -d ${MAX_KILOBYTES}; exec "$0" "$@"`;
/** Of the processor, thirty times what a usual picture takes. */
const MAX_MS = 5_000;
/** A picture may take so many times that by the clock: on a busy machine a good one waits for its turn. */
const MAX_WAIT_FACTOR = 6;
/** The kernel counts a process's time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Resizes pictures in a child process, one after the other. Decoders are where hostile bytes do harm: one that hangs,
 * swells or crashes costs only that process, which has no secrets and no connections, and the next picture gets a new
 * one.
 */
export class ImageWorker implements AsyncDisposable {
  readonly #longestMs: number;
  #child: Promise<ChildProcess> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ longestMs = MAX_MS }: { longestMs?: number } = {}) {
    this.#longestMs = longestMs;
  }

  /** Throws `PictureRefused` with the reason. */
  resize(bytes: Uint8Array): Promise<ResizedImage> {
    const turn = this.#last.then(() => this.#resizeNext(bytes));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #resizeNext(bytes: Uint8Array): Promise<ResizedImage> {
    const answer = await this.#ask(await (this.#child ??= this.#start()), bytes);
    if ('refused' in answer) throw new PictureRefused(answer.refused);
    return answer.resized;
  }

  async #ask(child: ChildProcess, bytes: Uint8Array): Promise<ResizeAnswer> {
    const done = new AbortController();
    const { signal } = done;
    const stopWatching = killAfter(child, this.#longestMs);
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new PictureRefused(
        'decoding it takes too long or too much memory; use a simpler picture of 600 x 600',
      );
    });
    keepAlive(child, true);
    try {
      child.send(bytes);
      const [answer]: ResizeAnswer[] = await Promise.race([once(child, 'message', { signal }), ended]);
      if (answer === undefined) throw new Error('the resize process sent no answer');
      return answer;
    } finally {
      stopWatching();
      done.abort();
      keepAlive(child, false);
    }
  }

  async #start(): Promise<ChildProcess> {
    const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
    const command = ['-c', BOUNDED, process.execPath, MODULE];
    const child = spawn('/bin/sh', command, { serialization: 'advanced', env: {}, stdio });
    const forget = (): void => {
      this.#child = undefined;
    };
    child.once('exit', forget);
    // It exited before it read the message; its `exit` event reports that.
    child.on('error', forget);
    const words = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (words[0] !== 'ready')
      throw new Error('pictures cannot be decoded here; is `sharp` installed for this machine?');
    keepAlive(child, false);
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    const child = await this.#child;
    if (!child) return;
    keepAlive(child, true);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

/** Kills the child when it has used that much of the processor from now on; gives what stops watching it. */
function killAfter(child: ChildProcess, longestMs: number): () => void {
  const start = performance.now();
  const usedBefore = cpuMs(child);
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const waited = performance.now() - start;
    const used = Math.min(waited, cpuMs(child) - usedBefore);
    if (used >= longestMs || waited >= longestMs * MAX_WAIT_FACTOR) child.kill('SIGKILL');
    else timer = setTimeout(look, Math.max(longestMs - used, TICK_MS));
  };
  timer = setTimeout(look, longestMs);
  return () => clearTimeout(timer);
}

/** What a process has used of the processor; where the system does not tell, as if it had never waited. */
function cpuMs({ pid }: ChildProcess): number {
  try {
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    const [user, system] = after.split(' ').slice(11, 13).map(Number);
    return (user! + system!) * TICK_MS;
  } catch {
    return performance.now();
  }
}

/** An idle child must not keep a worker alive that has nothing else to do. */
function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  for (const handle of [child, child.channel]) {
    if (isNeeded) handle?.ref();
    else handle?.unref();
  }
}
