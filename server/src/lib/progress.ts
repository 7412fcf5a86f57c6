import type { WriteStream } from 'node:tty';

/** Progress of a long task. Without `fraction` only the count and the rate are shown. */
export interface Progress {
  what: string;
  done: number;
  fraction?: number | undefined;
}

const BAR_WIDTH = 30;
const REDRAW_MS = 100;
const LINE_EVERY_MS = 5000;

/** A bar with rate and time left on a terminal; elsewhere a line every few seconds, so that logs stay readable. */
export class ProgressReport {
  readonly #out: Pick<WriteStream, 'write'> & { isTTY?: boolean };
  readonly #now: () => number;
  readonly #started: number;
  #shown: number;

  constructor(
    out: Pick<WriteStream, 'write'> & { isTTY?: boolean },
    now: () => number = () => performance.now(),
  ) {
    this.#out = out;
    this.#now = now;
    this.#started = now();
    this.#shown = this.#started;
  }

  show(progress: Progress): void {
    const now = this.#now();
    if (now - this.#shown < (this.#out.isTTY ? REDRAW_MS : LINE_EVERY_MS)) return;
    this.#shown = now;
    const line = writeProgress(progress, (now - this.#started) / 1000, this.#out.isTTY ?? false);
    this.#out.write(this.#out.isTTY ? `\r\u001B[2K${line}` : `${line}\n`);
  }

  /** Clears the bar, so that the next output starts on a clean line. */
  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001B[2K');
  }
}

export function writeProgress({ what, done, fraction }: Progress, seconds: number, bar: boolean): string {
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  const parts = [`${done.toLocaleString('en-US')} ${what}`, `${rate.toLocaleString('en-US')}/s`];
  if (fraction === undefined || fraction <= 0) return parts.join('  ');
  const left = Math.round((seconds / fraction) * (1 - fraction));
  const filled = Math.round(Math.min(1, fraction) * BAR_WIDTH);
  const drawn = bar ? `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ` : '';
  return `${drawn}${Math.floor(fraction * 100)} %  ${parts.join('  ')}  ${writeDuration(left)} left`;
}

function writeDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${(seconds / 3600).toFixed(1)} h`;
}
