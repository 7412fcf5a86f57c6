import { readFileSync } from 'node:fs';

const EVERY_MS = 1000;

/**
 * The memory of services and all their processes that the kernel cannot take back: their own, and what they share,
 * counted once. Looks every second.
 */
export class PeakMemory implements Disposable {
  readonly #pids: Readonly<Record<string, number>>;
  readonly #peaks = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #peakOfAll = 0;

  constructor(pids: Readonly<Record<string, number>>) {
    this.#pids = pids;
    this.#look();
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /** In bytes, by service; `together` is the most that all had at one moment. */
  read(): Record<string, number> {
    return { ...Object.fromEntries(this.#peaks), together: this.#peakOfAll };
  }

  #look(): void {
    let sum = 0;
    for (const [name, pid] of Object.entries(this.#pids)) {
      const bytes = familyOf(pid)
        .map(bytesOf)
        .reduce((a, b) => a + b, 0);
      sum += bytes;
      this.#peaks.set(name, Math.max(bytes, this.#peaks.get(name) ?? 0));
    }
    this.#peakOfAll = Math.max(sum, this.#peakOfAll);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** A process and all below it. */
export function familyOf(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** Of memory that several processes share each has its part. */
function bytesOf(pid: number): number {
  const text = readProc(`${pid}/smaps_rollup`);
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0);
  return (kilobytes('Pss_Anon') + kilobytes('Pss_Shmem')) * 1024;
}

/** Empty for a process that has ended meanwhile. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
