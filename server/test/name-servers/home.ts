import { join } from 'node:path';
import { type House, openHouse } from '../house/house.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';

/** Addresses of a home with a line to the internet, all on one machine. */
export const HERE = '192.168.7.20';
export const RADIO = '192.168.7.77';
export const ROUTER = '192.168.7.1';
/** Of somebody else, as it would arrive on a port that is open to the internet. */
export const STRANGER = '203.0.113.9';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

export interface Home {
  house: House;
  /** The resolver of the provider, at the router's address. */
  upstream: Program;
  /** `longwave dns` with these settings, once it answers. */
  startDns(settings?: NodeJS.ProcessEnv): Promise<Program>;
  /** What `dig` says, asked from this address; fails when there is no answer. */
  dig(args: readonly string[], from?: string): Promise<string>;
}

/** Whoever starts in this home asks `longwave dns` about names, and then the router. */
export async function openHome(opened: AsyncDisposableStack): Promise<Home> {
  const files = {
    '/etc/hosts': '127.0.0.1 localhost\n',
    '/etc/resolv.conf': `nameserver ${HERE}\nnameserver ${ROUTER}\n`,
  };
  const house = opened.use(await openHouse({ files }));
  for (const address of [`${HERE}/24`, `${RADIO}/24`, `${ROUTER}/24`, `${STRANGER}/32`])
    await house.run('ip', ['address', 'add', address, 'dev', 'lo']);
  const upstream = house.start(process.execPath, [join(import.meta.dirname, 'upstream.ts'), ROUTER]);
  const dig: Home['dig'] = (args, from = RADIO) =>
    house.run('dig', ['-b', from, `@${HERE}`, '+tries=1', '+time=10', ...args]);
  await waitFor(upstream, 'the upstream', () => house.run('dig', [`@${ROUTER}`, 'a.example']));
  return {
    house,
    upstream,
    dig,
    async startDns(settings = {}) {
      const env = { DNS_HOST: HERE, ...settings };
      const program = house.start(process.execPath, [MAIN, 'dns'], { env });
      await waitFor(program, 'longwave dns', async () =>
        program.said().includes('answering DNS') ? true : undefined,
      );
      return program;
    },
  };
}
