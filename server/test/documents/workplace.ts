import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { withDeadline } from '../../src/lib/deadlines/deadline.ts';
import { makeSelfSigned } from '../servers/certificates.ts';
import { seededDatabase } from '../database/database.ts';
import { keepLog } from '../processes/keep-log.ts';
import { startService } from '../processes/service-process.ts';
import { TEST_WAIT_FACTOR } from '../time/wait-factor.ts';
import { CHECKOUT } from './read-documents.ts';

const MAX_COMMAND_MS = 240_000;
const MEMBER_KEY = 'the key of a folder in which documents are typed';
/** What is written, when they are ready, by commands that go on until they are told to stop. */
const READY = /"msg":"(?:serving|working|relaying|answering DNS)"/;
const GOES_ON = /\blongwave (?:-- )?(?:serve|work|relay|dns)$/;

interface Typed {
  status: number | null;
  /** Output and errors. */
  said: string;
}

/** Where the commands of a document are typed: a folder like a clone, with `longwave` installed and a small directory. */
export interface Workplace extends AsyncDisposable {
  folder: string;
  pool: Pool;
  /** Types a line in bash, with these settings. What would go on for ever is stopped when it is ready, and has to end well. */
  type(line: string, settings?: NodeJS.ProcessEnv): Promise<Typed>;
  /** Starts the service; `curl` reaches it by whatever name a document gives it, other programs by `$ORIGIN`. */
  serve(): Promise<void>;
}

export async function openWorkplace(): Promise<Workplace> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await seededDatabase());
  const home = mkdtempSync(join(tmpdir(), 'longwave-documents-'));
  opened.defer(() => rmSync(home, { recursive: true, force: true }));
  const folder = makeClone(home);
  const own = { DATABASE_URL: database.url, MEMBER_KEY, ...SMALL };
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...own,
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    NODE_COMPILE_CACHE: join(home, 'compiled'),
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  };
  const kept = opened.move();
  return {
    folder,
    pool: database.pool,
    type: (line, settings) =>
      (GOES_ON.test(line) ? untilReady : toItsEnd)(line, folder, { ...env, ...settings }),
    async serve() {
      const { key, cert } = makeSelfSigned('DNS:radio.example.org,IP:127.0.0.1');
      const [TLS_KEY_FILE, TLS_CERT_FILE] = [join(home, 'key.pem'), join(home, 'cert.pem')];
      writeFileSync(TLS_KEY_FILE, key, { mode: 0o600 });
      writeFileSync(TLS_CERT_FILE, cert);
      const tls = { HTTPS_PORT: '0', TLS_KEY_FILE, TLS_CERT_FILE };
      const { origin, httpsPort } = kept.use(await startService(database.url, { ...own, ...tls }));
      const lines = [
        'silent\nshow-error\nfail-with-body',
        `cacert = ${TLS_CERT_FILE}`,
        `connect-to = "radio.example.org:443:127.0.0.1:${httpsPort}"`,
        `connect-to = "::${new URL(origin).host}"`,
      ];
      writeFileSync(join(home, '.curlrc'), lines.join('\n'));
      const SECURE_ORIGIN = `https://127.0.0.1:${httpsPort}`;
      Object.assign(env, { ORIGIN: origin, SECURE_ORIGIN, NODE_EXTRA_CA_CERTS: TLS_CERT_FILE });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Settings of a machine that other tests use too. */
const SMALL = {
  HTTP_HOST: '127.0.0.1',
  PARTNERS: 'registered',
  CALLS_PER_ADDRESS: '0',
  DATABASE_WAIT_FACTOR: `${TEST_WAIT_FACTOR}`,
  // A name server has to know what to answer, and whom to ask about the rest.
  DNS_HOST: '127.0.0.1',
  DNS_ADDRESS: '192.168.1.20',
  DNS_UPSTREAM: '192.0.2.53',
  ...Object.fromEntries(
    ['HTTP', 'PRIVATE', 'WORK', 'DNS', 'DNS_PRIVATE', 'RELAY', 'RELAY_PRIVATE'].map((name) => [
      `${name}_PORT`,
      '0',
    ]),
  ),
};

/** All of the checkout but its hidden files, and the files that documents speak of; what is written lies beside them. */
function makeClone(home: string): string {
  const [folder, bin] = [join(home, 'longwave'), join(home, 'bin')];
  mkdirSync(bin);
  cpSync(join(import.meta.dirname, 'files'), folder, { recursive: true });
  for (const name of readdirSync(CHECKOUT))
    if (!name.startsWith('.')) symlinkSync(join(CHECKOUT, name), join(folder, name));
  const main = join(CHECKOUT, 'server/src/main.ts');
  writeFileSync(join(bin, 'longwave'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(join(bin, 'longwave'), 0o755);
  return folder;
}

async function toItsEnd(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Typed> {
  const child = spawn('bash', ['-c', `set -euo pipefail; exec 2>&1; ${line}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: MAX_COMMAND_MS,
  });
  const ended = once(child, 'exit');
  const said = await text(child.stdout);
  const [status] = await ended;
  return { status, said };
}

/** In a process group of its own, which is stopped as a whole, as by Ctrl+C. */
async function untilReady(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Typed> {
  const child = spawn('bash', ['-c', `exec 2>&1; ${line}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const end = (signal: NodeJS.Signals): boolean => process.kill(-(child.pid ?? 0), signal);
  let said = '';
  const listen = async (): Promise<void> => {
    for await (const written of createInterface({ input: child.stdout })) {
      keepLog(written);
      said += `${written}\n`;
      if (READY.test(written)) end('SIGTERM');
    }
  };
  await withDeadline(listen(), MAX_COMMAND_MS, () => {
    end('SIGKILL');
    return new Error(`${line} has not ended in time: ${said}`);
  });
  const [status] = await ended;
  // npm and bash themselves end by the signal.
  const isWell = READY.test(said) && said.includes('"msg":"stopped"');
  return { status: isWell ? (status ?? 0) : (status ?? -1) || -1, said };
}
