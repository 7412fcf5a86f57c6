import { RelayKeys } from '../core/streams/relay/relay-address.ts';
import { RelayLinks } from '../core/streams/relay/relay-links.ts';
import { RelayWatch } from './relay-watch.ts';
import type { Log } from '../lib/log.ts';
import type { Config } from './config.ts';

/** Addresses at the relay, for `longwave serve`; undefined without one. */
export async function openRelayLinks(
  config: Config,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<RelayLinks | undefined> {
  const { relay, relayKey, relayAddress, relaySiteAddress, relayPort } = config;
  if (relay === 'off' || relayKey === undefined) return undefined;
  const origin = relayAddress === undefined ? undefined : new URL(relayAddress).origin;
  const watch = opened.use(new RelayWatch(origin ?? `http://127.0.0.1:${relayPort}`, log));
  await watch.look();
  return new RelayLinks({
    keys: new RelayKeys(relayKey),
    origin,
    port: relayPort,
    secureOrigin: relaySiteAddress === undefined ? undefined : new URL(relaySiteAddress).origin,
    isReady: watch.isReady,
  });
}
