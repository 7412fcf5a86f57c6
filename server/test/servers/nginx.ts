import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/services/service.ts';
import { closedPort } from './port-of.ts';

export interface Nginx extends AsyncDisposable {
  origin: string;
  /** What it wrote to its error log: servers that refused, and were passed over. */
  readLog(): string;
}

/** Debian's nginx in front of servers on these ports, as docs/upgrading.md advises. */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-nginx-'));
  const port = await closedPort();
  const upstreams = ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join(' ');
  const isRoot = process.getuid?.() === 0;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${isRoot ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 512; }
     http {
       access_log off;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       upstream longwave { ${upstreams} keepalive 16; }
       server {
         listen 127.0.0.1:${port};
         location / {
           proxy_pass http://longwave;
           proxy_http_version 1.1;
           proxy_set_header Connection "";
           proxy_set_header Host $host;
           proxy_set_header X-Forwarded-For $remote_addr;
           proxy_next_upstream error timeout;
         }
       }
     }`,
  );
  const child = spawn(
    '/usr/sbin/nginx',
    ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
    {
      stdio: 'ignore',
    },
  );
  const origin = `http://127.0.0.1:${port}`;
  await waitUntil(
    'nginx',
    () =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    60_000,
  );
  return {
    origin,
    readLog: () => readFileSync(join(folder, 'error.log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
