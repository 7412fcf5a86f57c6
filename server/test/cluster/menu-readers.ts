import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

/** How readers of menus were answered. */
export interface MenusRead {
  whole: number;
  /** Answered, but not with a menu. */
  other: number;
  unanswered: number;
  seconds: number;
}

const SCRIPT = join(import.meta.dirname, 'menus.lua');
const CONNECTIONS = 200;
/** A call that waits longer is one that nobody answered. */
const TIMEOUT = '10s';
const MAX_SECONDS = 3600;
const PATHS = [
  '/Browse.ashx',
  '/Browse.ashx?c=music',
  '/Browse.ashx?id=g1000',
  '/Browse.ashx?id=r0',
  '/Browse.ashx?c=local&latlon=51.9,-8.47',
  '/Browse.ashx?id=s1',
  '/Describe.ashx?id=s1',
  '/Describe.ashx?c=countries',
];

/** Reads menus over and over until it is stopped, so many a second, or as many as the machine carries. */
export class MenuReaders implements AsyncDisposable {
  readonly #wrk: ChildProcess;
  readonly #said: Promise<string>;

  constructor(origin: string, perSecond: number) {
    const load = ['-t1', `-c${CONNECTIONS}`, `-d${MAX_SECONDS}s`, '--timeout', TIMEOUT, '-s', SCRIPT];
    const wrk = spawn('wrk', [...load, origin, '--', `${perSecond}`, ...PATHS], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#wrk = wrk;
    this.#said = text(wrk.stdout);
  }

  async stop(): Promise<MenusRead> {
    this.#wrk.kill('SIGINT');
    const said = await this.#said;
    const found = /^menus (\{.*\})$/m.exec(said)?.[1];
    if (found === undefined) throw new Error(`wrk told nothing of menus: ${said}`);
    const read: MenusRead = JSON.parse(found);
    return read;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wrk.kill('SIGKILL');
    await this.#said;
  }
}
