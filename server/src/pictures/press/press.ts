import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Pressed } from './press-picture.ts';
import type { PressAnswer } from './press-process.ts';
import { PictureRefused } from './refused.ts';

const MODULE = fileURLToPath(new URL('press-process.ts', import.meta.url));
/**
 * What it may ask the kernel for: 700 MB that Node sets aside and hardly touches, and twice what the largest picture that
 * is decoded takes. Who asks for more is not given it, and ends.
 */
const MOST_KILOBYTES = (700 + 500) * 1024;
const BOUNDED = `ulimit -d ${MOST_KILOBYTES}; exec "$0" "$@"`;
/** Thirty times what a usual picture takes. */
const LONGEST_MS = 5_000;

/**
 * Makes pictures in a process of its own, one after the other. Decoders are where hostile bytes do harm: one that hangs,
 * swells or crashes costs that process, which has no secrets and no connections, and the next picture gets a new one.
 */
export class Press implements AsyncDisposable {
  readonly #longestMs: number;
  #child: Promise<ChildProcess> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ longestMs = LONGEST_MS }: { longestMs?: number } = {}) {
    this.#longestMs = longestMs;
  }

  /** Throws `PictureRefused` with the reason. */
  press(bytes: Uint8Array): Promise<Pressed> {
    const turn = this.#last.then(() => this.#press(bytes));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #press(bytes: Uint8Array): Promise<Pressed> {
    const answer = await this.#ask(await (this.#child ??= this.#start()), bytes);
    if ('refused' in answer) throw new PictureRefused(answer.refused);
    return answer.pressed;
  }

  async #ask(child: ChildProcess, bytes: Uint8Array): Promise<PressAnswer> {
    const done = new AbortController();
    const { signal } = done;
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#longestMs);
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new PictureRefused(
        'decoding it takes too long or too much memory; give a simpler picture of 600 x 600',
      );
    });
    keepAlive(child, true);
    try {
      child.send(bytes);
      const [answer]: PressAnswer[] = await Promise.race([once(child, 'message', { signal }), ended]);
      if (answer === undefined) throw new Error('the press answered nothing');
      return answer;
    } finally {
      clearTimeout(timer);
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
    // A message that it did not live to read; that it has ended is told by its exit.
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

/** An idle child must not keep alive a worker that has nothing else to do. */
function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  for (const handle of [child, child.channel]) {
    if (isNeeded) handle?.ref();
    else handle?.unref();
  }
}
