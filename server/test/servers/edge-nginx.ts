import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/services/service.ts';
import { closedPort } from './port-of.ts';

const DEPLOYED = join(import.meta.dirname, '../../../deploy/edge');
const MODULES = '/usr/lib/nginx/modules';
const START_MS = 60_000;

export interface Edge extends AsyncDisposable {
  origin: string;
  port: number;
  pid: number;
  readLog(): string;
}

/** `deploy/edge` as it is, in Debian's nginx on a free port, in front of a service on this machine. */
export async function startEdge(
  service: { origin: string },
  key: string,
  wrapper: readonly string[] = [],
): Promise<Edge> {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-edge-'));
  const port = await closedPort();
  writeFileSync(join(folder, 'key.conf'), `set $longwave_edge_key '${key}';`);
  const adapted = adapt({
    '"/etc/nginx/lua/?.lua;;"': `"${DEPLOYED}/?.lua;;"`,
    '192.0.2.10:8700': new URL(service.origin).host,
    'listen 80 default_server': `listen 127.0.0.1:${port} default_server`,
    '/etc/nginx/longwave-edge-key.conf': join(folder, 'key.conf'),
  });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (path) => `${path}_temp_path ${folder}/${path};`,
  );
  const log = join(folder, 'error.log');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${log};
     load_module ${MODULES}/ndk_http_module.so; load_module ${MODULES}/ngx_http_lua_module.so;
     events { worker_connections 1024; } http { access_log off; ${paths.join(' ')}\n${adapted}\n}`,
  );
  const command = [...wrapper, '/usr/sbin/nginx', '-e', log, '-c', join(folder, 'nginx.conf')];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(`${origin}/livez`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await waitUntil('the edge', isUp, START_MS);
  return {
    origin,
    port,
    pid: child.pid ?? 0,
    readLog: () => readFileSync(log, 'utf8'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An example that no longer has what is changed here would be tested as something else. */
function adapt(changes: Record<string, string>): string {
  let text = readFileSync(join(DEPLOYED, 'nginx.conf'), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`deploy/edge/nginx.conf has no ${from}`);
    text = text.replaceAll(from, to);
  }
  return text;
}
