/**
 * Calls that come when they come, whether or not the ones before are answered: `open-loop.ts PORT PLAN`, where the plan is the
 * JSON of a `Storm`. Each call's time counts from when it was due. Prints a `StormReport` as JSON.
 */
import { connect, type Socket } from 'node:net';

export interface Storm {
  /** One after another. */
  phases: readonly { name: string; seconds: number; perSecond: number }[];
  /** What is asked for: in turn, each as often as its share. */
  calls: readonly { kind: string; share: number; paths: readonly string[] }[];
}

/** What became of the calls of one kind in one phase. */
export interface Told {
  phase: string;
  kind: string;
  sent: number;
  /** Answered with 200. */
  served: number;
  /** Of those, within a quarter of a second of being due. */
  servedInTime: number;
  /** 503 or 429 with Retry-After. */
  toldWhen: number;
  /** Neither: another status, a lost connection, or nothing within ten seconds. */
  failed: number;
  /** Of the served, in milliseconds. */
  p50: number;
  p99: number;
  p999: number;
}

export type StormReport = Told[];

const IN_TIME_MS = 250;
const GIVEN_UP_MS = 10_000;
const MAX_LINES = 6000;

interface Tally extends Omit<Told, 'p50' | 'p99' | 'p999'> {
  took: number[];
}

interface Call {
  tally: Tally;
  dueMs: number;
}

/** One connection, used again and again. */
class Line {
  readonly #socket: Socket;
  readonly #idle: Line[];
  #call: Call | undefined;
  #status = 0;
  #hasRetryAfter = false;
  /** The server hangs up after this answer. */
  #isLast = false;
  #head = '';
  /** Of the body, still to come. */
  #left = -1;

  constructor(port: number, idle: Line[]) {
    this.#idle = idle;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (piece: Buffer) => this.#read(piece));
    this.#socket.on('error', () => undefined).on('close', () => this.#over());
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  ask(path: string, call: Call): void {
    this.#call = call;
    this.#head = '';
    this.#left = -1;
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: radio.example\r\n\r\n`);
  }

  giveUp(nowMs: number): void {
    if (this.#call && nowMs - this.#call.dueMs > GIVEN_UP_MS) this.#socket.destroy();
  }

  #read(piece: Buffer): void {
    if (this.#left < 0) {
      this.#head += piece.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#head.slice(0, end);
      this.#status = Number(head.slice(9, 12));
      this.#hasRetryAfter = /\r\nretry-after: *\d/i.test(head);
      this.#isLast = /\r\nconnection: *close/i.test(head);
      this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0) - (this.#head.length - end - 4);
    } else this.#left -= piece.length;
    if (this.#left <= 0) this.#answered();
  }

  #answered(): void {
    const call = this.#call;
    if (!call) return;
    this.#call = undefined;
    const { tally, dueMs } = call;
    const took = performance.now() - dueMs;
    if (this.#status === 200) {
      tally.served += 1;
      if (took <= IN_TIME_MS) tally.servedInTime += 1;
      tally.took.push(took);
    } else if (this.#hasRetryAfter && (this.#status === 503 || this.#status === 429)) tally.toldWhen += 1;
    else tally.failed += 1;
    if (this.#isLast) this.#socket.destroy();
    else if (this.isOpen) this.#idle.push(this);
  }

  #over(): void {
    if (this.#call) this.#call.tally.failed += 1;
    this.#call = undefined;
  }
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function play(port: number, { phases, calls }: Storm): Promise<StormReport> {
  const idle: Line[] = [];
  const lines: Line[] = [];
  const tallies: Tally[] = [];
  const shares = calls.reduce((sum, { share }) => sum + share, 0);
  let count = 0;
  const patience = setInterval(() => {
    for (const line of lines) line.giveUp(performance.now());
  }, 1000);
  for (const { name, seconds, perSecond } of phases) {
    const ofPhase = calls.map(({ kind }): Tally => {
      const tally = {
        phase: name,
        kind,
        sent: 0,
        served: 0,
        servedInTime: 0,
        toldWhen: 0,
        failed: 0,
        took: [],
      };
      tallies.push(tally);
      return tally;
    });
    const startMs = performance.now();
    const total = Math.floor(seconds * perSecond);
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * perSecond) + 1);
      for (; sent < due; sent += 1) {
        const at = kindAt(calls, (count * GOLDEN) % shares);
        const paths = calls[at]?.paths ?? [];
        const tally = ofPhase[at];
        if (!tally) continue;
        const path = paths[count % paths.length] ?? '/';
        count += 1;
        tally.sent += 1;
        const call = { tally, dueMs: startMs + (sent * 1000) / perSecond };
        let line = idle.pop();
        while (line && !line.isOpen) line = idle.pop();
        if (!line) {
          if (lines.length >= MAX_LINES) {
            tally.failed += 1;
            continue;
          }
          line = new Line(port, idle);
          lines.push(line);
        }
        line.ask(path, call);
      }
      await new Promise((resolve) => void setTimeout(resolve, 1));
    }
  }
  const endMs = performance.now() + GIVEN_UP_MS;
  const isOpen = ({ sent, served, toldWhen, failed }: Tally): boolean => sent > served + toldWhen + failed;
  while (tallies.some(isOpen) && performance.now() < endMs)
    await new Promise((resolve) => void setTimeout(resolve, 50));
  clearInterval(patience);
  return tallies.map(({ took, ...told }) => {
    const sorted = took.toSorted((one, other) => one - other);
    return { ...told, p50: part(sorted, 0.5), p99: part(sorted, 0.99), p999: part(sorted, 0.999) };
  });
}

/** Spreads the kinds evenly over time. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

function kindAt(calls: Storm['calls'], at: number): number {
  let rest = at;
  return Math.max(
    0,
    calls.findIndex(({ share }) => (rest -= share) < 0),
  );
}

if (import.meta.main) {
  const [, , port = '', plan = ''] = process.argv;
  process.stdout.write(JSON.stringify(await play(Number(port), JSON.parse(plan))));
  process.exit(0);
}
