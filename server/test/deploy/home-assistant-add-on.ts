import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, '../../../deploy/home-assistant/longwave/run.sh');

/** A start of the script. */
interface Run {
  /** Its exit code. */
  ended: Promise<number>;
  complaints(): string;
  /** As Home Assistant stops it; how many milliseconds that took. */
  stop(): Promise<number>;
}

/**
 * The add-on's own script, with its data in a temporary folder, and stand-ins for PostgreSQL, `longwave` and what needs root. They write
 * down that they were called; `serve` and `work` run until they are told to end.
 */
export class AddOn implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'longwave-add-on-'));
  readonly #started = new Set<number>();

  constructor(options: Readonly<Record<string, unknown>>) {
    for (const name of ['data', 'programs', 'run', 'does']) mkdirSync(this.#at(name));
    writeFileSync(this.#at('data/options.json'), JSON.stringify(options));
    const settings = `[ "$1" != setup ] || env -0 >${this.#at('settings')}`;
    this.#program('longwave', `${this.#note('"$*"')}\n${settings}\n${this.#act('$1')}`);
    this.#program('initdb', `${this.#note('initdb')}\necho 15 >"$2/PG_VERSION"\n${this.#act('initdb')}`);
    this.#program('pg_ctl', this.#note('"pg_ctl $1"'));
    this.#program('psql', '');
    this.#program('install', 'for last; do :; done\nmkdir -p "$last"');
    this.#program('setpriv', 'while [ "${1#--}" != "$1" ]; do shift; done\nexec "$@"');
    this.says('config', 'echo key-of-the-test-that-is-long-enough-to-be-one');
    for (const service of ['serve', 'work']) this.says(service, 'exec sleep 60');
  }

  /** What a stand-in does when it is called with this word. */
  says(word: string, script: string): void {
    writeFileSync(this.#at(`does/${word}`), `${script}\n`);
  }

  start(): Run {
    const child = spawn('bash', [this.#adapted()], {
      env: { PATH: `${this.#at('programs')}:${process.env['PATH']}`, LONGWAVE_DATA: this.#at('data') },
      stdio: ['ignore', 'ignore', 'pipe'],
      // Of a group of its own, as in a container: what it leaves behind can be found.
      detached: true,
    });
    if (child.pid !== undefined) this.#started.add(child.pid);
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const ended = once(child, 'exit').then(([code]) => Number(code));
    return {
      ended,
      complaints: () => complaints,
      async stop() {
        const from = performance.now();
        child.kill('SIGTERM');
        assert.equal(await ended, 0, complaints);
        return performance.now() - from;
      },
    };
  }

  /** What was called, in that order. */
  calls(): string[] {
    const file = this.#at('calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  }

  /** The environment of the last setup, which is that of all. */
  settings(): NodeJS.ProcessEnv {
    const text = readFileSync(this.#at('settings'), 'utf8');
    return Object.fromEntries(
      text.split('\0').flatMap((line) => {
        const [, name, value] = /^([A-Z_]+)=([^]*)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** The groups of its starts in which a process still runs. */
  running(): number[] {
    return [...this.#started].filter((group) => {
      try {
        process.kill(-group, 0);
        return true;
      } catch {
        return false;
      }
    });
  }

  [Symbol.dispose](): void {
    for (const group of this.running()) process.kill(-group, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  #note(words: string): string {
    return `echo ${words} >>${this.#at('calls')}`;
  }

  #act(word: string): string {
    return `[ ! -e ${this.#at('does')}/${word} ] || . ${this.#at('does')}/${word}`;
  }

  #program(name: string, script: string): void {
    const file = this.#at(`programs/${name}`);
    writeFileSync(file, `#!/bin/bash\n${script}\n`);
    chmodSync(file, 0o755);
  }

  /** The script as it is, but for where the image has its programs. */
  #adapted(): string {
    let text = readFileSync(SCRIPT, 'utf8');
    for (const [from, to] of [
      ['/opt/longwave/node/bin/node', process.execPath],
      ['/usr/lib/postgresql/15/bin', this.#at('programs')],
      ['/run/longwave', this.#at('run')],
    ] as const) {
      assert.ok(text.includes(from), from);
      text = text.replaceAll(from, to);
    }
    const file = this.#at('run.sh');
    writeFileSync(file, text);
    return file;
  }
}
