import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../../scripts/services/service.ts';
import { closedPort } from '../../test/servers/port-of.ts';
import { processesOf } from './processes-of.ts';

/** One menu of every caller, filled in by another program than the one in `deploy/edge`; reads no parameter but the query. */
export interface Engine extends AsyncDisposable {
  origin: string;
  pids: readonly number[];
}

/** nginx with njs: the template comes from `proxy_cache` by a subrequest, since this njs has no memory that requests share. */
export async function startNjs(folder: string, templateUrl: string): Promise<Engine> {
  const port = await closedPort();
  writeFileSync(
    join(folder, 'fill.js'),
    `async function fill(r) {
       const template = await r.subrequest('/template');
       const body = template.responseText.split('\\u0001').join('&amp;' + r.variables.args.replace(/&/g, '&amp;'));
       r.headersOut['Content-Type'] = 'text/xml; charset=utf-8';
       r.return(200, body);
     }
     export default { fill };`,
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (path) => `${path}_temp_path ${folder}/${path};`,
  );
  writeFileSync(
    join(folder, 'njs.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/njs.pid; error_log ${folder}/njs.log;
     load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
     events { worker_connections 512; }
     http {
       access_log off; ${temporary.join(' ')}
       proxy_cache_path ${folder}/njs-cache keys_zone=menus:8m;
       js_path ${folder}; js_import fill from fill.js;
       server {
         listen 127.0.0.1:${port};
         location / { js_content fill.fill; }
         location /template {
           internal; subrequest_output_buffer_size 1m; proxy_buffers 64 16k;
           proxy_pass ${templateUrl}; proxy_cache menus; proxy_cache_key menu; proxy_cache_valid 200 10m; proxy_ignore_headers Cache-Control;
         }
       }
     }`,
  );
  const child = spawn(
    'taskset',
    ['-c', '0', '/usr/sbin/nginx', '-e', `${folder}/njs.log`, '-c', `${folder}/njs.conf`],
    {
      stdio: 'ignore',
    },
  );
  return ready(child, port);
}

/** Varnish with ESI: each hole is an include, which is answered without a request to anybody. */
export async function startVarnish(folder: string, templatePort: number): Promise<Engine> {
  const port = await closedPort();
  writeFileSync(
    join(folder, 'edge.vcl'),
    `vcl 4.1;
     backend template { .host = "127.0.0.1"; .port = "${templatePort}"; }
     sub vcl_recv {
       if (req.esi_level > 0) { return (synth(200, "suffix")); }
       set req.http.x-suffix = "&" + regsub(req.url, "^[^?]*\\?", "");
       set req.url = "/esi";
       return (hash);
     }
     sub vcl_backend_response { set beresp.do_esi = true; set beresp.ttl = 10m; }
     sub vcl_synth { unset resp.http.retry-after; synthetic(req_top.http.x-suffix); return (deliver); }`,
  );
  const args = ['-F', '-a', `127.0.0.1:${port}`, '-f', `${folder}/edge.vcl`, '-n', `${folder}/varnish`];
  const small = ['-s', 'malloc,64m', '-p', 'feature=+esi_disable_xml_check', '-T', 'none'];
  const child = spawn('taskset', ['-c', '0', 'varnishd', ...args, ...small], { stdio: 'ignore' });
  return ready(child, port);
}

async function ready(child: ChildProcess, port: number): Promise<Engine> {
  const origin = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(`${origin}/menu?serial=1`)
      .then(({ ok }) => ok)
      .catch(() => false);
  await waitUntil('an edge', isUp, 60_000);
  return {
    origin,
    pids: processesOf(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
