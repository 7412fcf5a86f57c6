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
  const keys = openRelayKeys(config);
  if (!keys) return undefined;
  const machines = listRelays(config);
  const watches = machines.map(({ asked }) => opened.use(new RelayWatch(asked, machines.length, log)));
  await Promise.all(watches.map((watch) => watch.look()));
  return new RelayLinks({
    keys,
    port: config.relayPort,
    relays: machines.map(({ origin, secureOrigin }, n) => ({
      origin,
      secureOrigin,
      isReady: watches[n]!.isReady,
    })),
    isHome: isHomeAddress,
    isInCountry: config.relay === 'partners' ? inCountry(config.relayCountry, placeOf) : undefined,
    converts: config.relayConversions > 0,
  });
}

/** The relays of the settings: where radios and pages reach each, and where it is asked whether it is ready. */
export function listRelays(
  config: Pick<Config, 'relayAddresses' | 'relayReadyAddresses' | 'relaySiteAddresses' | 'relayPort'>,
): { origin: string | undefined; secureOrigin: string | undefined; asked: string }[] {
  const origins = originsOf(config.relayAddresses);
  const asked = originsOf(config.relayReadyAddresses);
  const secure = originsOf(config.relaySiteAddresses);
  return Array.from({ length: Math.max(origins.length, 1) }, (_none, n) => ({
    origin: origins[n],
    secureOrigin: secure[n] ?? secure[0],
    asked: asked[n] ?? origins[n] ?? `http://127.0.0.1:${config.relayPort}`,
  }));
}

const originsOf = (addresses: readonly string[]): string[] =>
  addresses.map((address) => new URL(address).origin);

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
