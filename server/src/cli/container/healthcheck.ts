import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../../app/config.ts';
import { type Command, UsageError } from '../command.ts';

const DEADLINE_MS = 2000;

/** What each kind of process is called, and its private port. */
const PROCESSES = new Map<string, { name: string; setting: string; portOf: (config: Config) => number }>([
  ['serve', { name: 'server', setting: 'PRIVATE_PORT', portOf: ({ privatePort }) => privatePort }],
  [
    'dns',
    { name: 'name server', setting: 'DNS_PRIVATE_PORT', portOf: ({ dnsPrivatePort }) => dnsPrivatePort },
  ],
  [
    'relay',
    { name: 'relay', setting: 'RELAY_PRIVATE_PORT', portOf: ({ relayPrivatePort }) => relayPrivatePort },
  ],
  [
    'upnp',
    { name: 'media server', setting: 'UPNP_PRIVATE_PORT', portOf: ({ upnpPrivatePort }) => upnpPrivatePort },
  ],
  ['work', { name: 'worker', setting: 'WORK_PORT', portOf: ({ workPort }) => workPort }],
]);

export const healthcheckCommand: Command = {
  usage: ['healthcheck [serve|work|dns|relay|upnp]'],
  summary:
    'ask the server, the worker, the name server, the relay or the media server on this machine whether it is ready; for containers',
  async run([kind = 'serve'], config) {
    const found = PROCESSES.get(kind);
    if (!found)
      throw new UsageError(
        `healthcheck asks the server (serve), the worker (work), the name server (dns), the relay (relay) or the media server (upnp); it knows no '${kind}'`,
      );
    const { name, setting } = found;
    const port = found.portOf(config);
    if (port === 0)
      throw new Error(`${setting} is 0, any free port, so the ${name} cannot be found; set one`);
    const host = reachable(config.privateHost);
    const { status, body } = await askReady(host, port).catch((cause: unknown) => {
      throw new Error(
        `the ${name} does not answer at ${host}:${port} (PRIVATE_HOST, ${setting}); is longwave ${kind} running?`,
        { cause },
      );
    });
    if (status !== 200) throw new Error(`the ${name} at ${host}:${port} is not ready: ${body}`);
    console.log(`the ${name} at ${host}:${port} is ready`);
  },
};

/** An address that means every address of the machine is no address to call. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host);

/** Not `fetch`, whose loading takes longer than all else here. */
async function askReady(host: string, port: number): Promise<{ status: number | undefined; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  const request = get({
    host,
    port,
    path: '/readyz',
    agent: false,
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    text(response).then((body) => resolve({ status: response.statusCode, body: body.trim() }), reject);
  });
  return await promise;
}
