import { CONVERTED_TO } from '../../core/streams/relay/relay-links.ts';
import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Turns the sound of a station into MP3, for radios that lack its format: an ffmpeg that reads from one pipe and writes to
 * another. It never sees an address, opens no file, and knows only the formats that stations send. It is started anew with every
 * connection to the station, since Ogg and FLAC cannot be joined in the middle:
 *
 *   start -> sound in, MP3 out -> (ended, or 10 s without a byte out) -> failed, and started anew by whoever uses it
 */

const FFMPEG = 'ffmpeg';
const FORMATS = 'aac,mp3,ogg,flac,wav,asf,asf_o,mpegts,mov';
/** Of addresses, which are more than what is used: about 50 MB are. */
const MAX_MEMORY_BYTES = 2 ** 30;
const IN = ['-protocol_whitelist', 'pipe', '-format_whitelist', FORMATS, '-i', 'pipe:0', '-map', '0:a:0'];
const OUT = ['-c:a', 'libmp3lame', '-b:a', `${CONVERTED_TO.bitrate}k`, '-compression_level', '7', '-ac', '2'];
const AS_IT_COMES = ['-f', 'mp3', '-write_xing', '0', '-id3v2_version', '0', '-flush_packets', '1'];
/** What ffmpeg is told of the sound that comes out. */
export const CONVERTED = [...OUT, ...AS_IT_COMES] as const;
const ARGS = [
  '-nostdin',
  '-hide_banner',
  '-loglevel',
  'error',
  '-threads',
  '1',
  ...IN,
  ...CONVERTED,
  'pipe:1',
];
/** The limits are set by programs that then become ffmpeg. */
const COMMAND = ['nice', '-n', '5', 'prlimit', `--as=${MAX_MEMORY_BYTES}`, FFMPEG, ...ARGS] as const;

const MAX_WAITING_BYTES = 512 * 1024;
/** Of MP3, until `goOn`: twenty times what is played meanwhile. With what a listener may have unsent, less than one may be behind. */
const MAX_GIVEN_BYTES = 128 * 1024;
const MAX_SILENT_MS = 10_000;

export interface ConverterOptions {
  /** The MP3, piece by piece. */
  take: (piece: Buffer) => void;
  /** It ended by itself, or hung; nothing comes until it is started again. */
  failed: (why: string) => void;
}

/** From one start to its end; without a child it could not be started. */
interface Run {
  child: ChildProcess | undefined;
}

export class Converter {
  readonly #options: ConverterOptions;
  #run: Run | undefined;
  /** When the first byte came in that nothing came out for. */
  #waitingSinceMs: number | undefined;
  /** Bytes since `goOn`. */
  #given = 0;

  constructor(options: ConverterOptions) {
    this.#options = options;
  }

  /** Ends what was under way: another connection to the station begins. Failures are told later, also those of the start itself. */
  start(): void {
    this.stop();
    const run: Run = { child: undefined };
    this.#run = run;
    const ended = (why: string): void => {
      if (this.#run !== run) return;
      this.stop();
      this.#options.failed(why);
    };
    try {
      run.child = this.#spawn(run, ended);
    } catch (error) {
      // The system has no memory for it.
      setImmediate(() => ended(error instanceof Error ? error.message : String(error)));
    }
  }

  #spawn(run: Run, ended: (why: string) => void): ChildProcess {
    const [program, ...args] = COMMAND;
    const child: ChildProcess = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let complaint = '';
    child.on('error', (error) => ended(error.message));
    child.on('close', () => ended(complaint.trim() || 'ffmpeg ended'));
    // Where no more files can be opened it has no pipes, and tells its error later.
    child.stdin?.on('error', () => undefined);
    child.stderr?.on('data', (text: Buffer) => (complaint = (complaint + text.toString()).slice(-500)));
    child.stdout?.on('data', (piece: Buffer) => {
      if (this.#run !== run) return;
      this.#waitingSinceMs = undefined;
      this.#given += piece.length;
      if (this.isWaiting) child.stdout?.pause();
      this.#options.take(piece);
    });
    return child;
  }

  /** Gives false while ffmpeg cannot follow. */
  push(piece: Buffer): boolean {
    const { stdin } = this.#run?.child ?? {};
    if (!stdin) return true;
    this.#waitingSinceMs ??= performance.now();
    if (!this.isFull) stdin.write(Buffer.from(piece));
    return !this.isFull;
  }

  /** It takes nothing for the moment. */
  get isFull(): boolean {
    return (this.#run?.child?.stdin?.writableLength ?? 0) >= MAX_WAITING_BYTES;
  }

  /** It has given so much that a station that is faster than it plays can wait: nothing more comes until `goOn`. */
  get isWaiting(): boolean {
    return this.#given >= MAX_GIVEN_BYTES;
  }

  /** Called every now and then, while listeners have room. */
  goOn(): void {
    // While it was kept waiting it did not hang.
    if (this.isWaiting && this.#waitingSinceMs !== undefined) this.#waitingSinceMs = performance.now();
    this.#given = 0;
    this.#run?.child?.stdout?.resume();
  }

  /** Called every now and then: ends one that hangs. */
  check(nowMs: number): void {
    if (this.#waitingSinceMs === undefined || this.isWaiting || nowMs - this.#waitingSinceMs < MAX_SILENT_MS)
      return;
    this.stop();
    this.#options.failed(`ffmpeg gave nothing for ${MAX_SILENT_MS / 1000} seconds`);
  }

  stop(): void {
    const run = this.#run;
    this.#run = undefined;
    this.#waitingSinceMs = undefined;
    this.#given = 0;
    run?.child?.kill('SIGKILL');
    // One that waits would be kept open for what nobody reads.
    run?.child?.stdout?.destroy();
  }
}

/** Throws with what to do where there is no ffmpeg. */
export async function requireFfmpeg(): Promise<void> {
  const child = spawn('prlimit', ['--as=unlimited', FFMPEG, '-version'], { stdio: 'ignore' });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.on('error', () => resolve(false)).on('exit', (code) => resolve(code === 0));
  if (!(await promise))
    throw new Error(
      'RELAY_CONVERSIONS needs ffmpeg and prlimit, which cannot be run here; install the Debian packages ffmpeg and util-linux, or set it to 0',
    );
}
