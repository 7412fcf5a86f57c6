import { Resolver } from 'node:dns/promises';
import type { Waiting } from './late-signal.ts';

const TRIES = { timeout: 1500, tries: 2, maxTimeout: 1500 };

/**
 * All addresses of a name, IPv4 first, by asking name servers directly: the system's own look-up has four threads for the
 * whole process, which names whose servers never answer would hold; and it reads `/etc/hosts`, where others find nothing.
 */
export const lookUpBy =
  (servers?: readonly string[]) =>
  async (host: string, { signal }: Waiting): Promise<string[]> => {
    const resolver = new Resolver(TRIES);
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
