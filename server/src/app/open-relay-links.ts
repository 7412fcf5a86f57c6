import { RelayKeys, relayKeyFrom } from '../core/streams/relay/relay-address.ts';
import { RelayLinks } from '../core/streams/relay/relay-links.ts';
import { RelayWatch } from './relay-watch.ts';
import { isHomeAddress } from '../net/dns/own-addresses.ts';
import type { AddressPlaces } from '../core/places/address-places.ts';
import type { Log } from '../lib/log.ts';
import type { Config } from './config.ts';

/** Addresses at the relay, for `longwave serve`; undefined without one. */
export async function openRelayLinks(
  config: Config,
  log: Log,
  placeOf: AddressPlaces['find'],
  opened: AsyncDisposableStack,
): Promise<RelayLinks | undefined> {
  const { relayAddress, relayReadyAddress, relaySiteAddress, relayPort } = config;
  const keys = openRelayKeys(config);
  if (!keys) return undefined;
  const [origin, asked] = [relayAddress, relayReadyAddress ?? relayAddress].map(
    (address) => address && new URL(address).origin,
  );
  const watch = opened.use(new RelayWatch(asked ?? `http://127.0.0.1:${relayPort}`, log));
  await watch.look();
  return new RelayLinks({
    keys,
    origin,
    port: relayPort,
    secureOrigin: relaySiteAddress === undefined ? undefined : new URL(relaySiteAddress).origin,
    isReady: watch.isReady,
    isHome: isHomeAddress,
    isInCountry: config.relay === 'partners' ? inCountry(config.relayCountry, placeOf) : undefined,
    converts: config.relayConversions > 0,
  });
}

/** Whether an address is in that country, as far as anybody knows. */
export const inCountry =
  (country: string | undefined, placeOf: AddressPlaces['find']) =>
  (address: string): boolean =>
    country !== undefined && placeOf(address)?.countryCode === country;

/** Undefined where the relay is off. Without a key of its own it has one that follows from that of the accounts. */
export function openRelayKeys(
  config: Pick<Config, 'relay' | 'relayKey' | 'relayKeyOld' | 'memberKey' | 'memberKeyOld'>,
): RelayKeys | undefined {
  const { relay, relayKey, relayKeyOld, memberKey, memberKeyOld } = config;
  const derived = [memberKey, memberKeyOld].map((key) => (key === undefined ? undefined : relayKeyFrom(key)));
  const [current, ...older] = [relayKey, relayKeyOld, ...derived].flatMap((key) => key ?? []);
  return relay === 'off' || current === undefined ? undefined : new RelayKeys(current, older);
}
