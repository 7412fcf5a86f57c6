import { MIN_RELAY_KEY_LENGTH } from '../../core/streams/relay/relay-address.ts';
import {
  choiceSetting,
  integerSetting,
  portSetting,
  secretSetting,
  textSetting,
  urlListSetting,
} from './setting.ts';

/** Each is asked every five seconds. */
const MAX_RELAYS = 64;

/** Settings of `longwave relay`, and of `longwave serve` about it: docs/relay.md. */
export const RELAY_SETTINGS = {
  relay: choiceSetting({
    name: 'RELAY',
    values: ['off', 'home', 'partners'],
    unset: 'off',
    description:
      'Whether radios that cannot play a station get its sound through `longwave relay`. `home`: radios of private networks do, one connection to the station for each. `partners`: those too that call from elsewhere with the id of a partner for whom `longwave partner set ID --relay on` was said.',
  }),
  relayKey: secretSetting({
    name: 'RELAY_KEY',
    shortest: MIN_RELAY_KEY_LENGTH,
    unset: undefined,
    description:
      'The secret with which `longwave serve` signs addresses at the relay; `longwave config key` prints a new one. The same for `longwave relay`. Unset, one that follows from `MEMBER_KEY`: set it where the relay is another machine, which has no need of that.',
  }),
  relayKeyOld: secretSetting({
    name: 'RELAY_KEY_OLD',
    shortest: MIN_RELAY_KEY_LENGTH,
    unset: undefined,
    description: 'While `RELAY_KEY` is being replaced: the key before it, whose addresses are still good.',
  }),
  relayPort: portSetting({
    name: 'RELAY_PORT',
    unset: 8704,
    description: 'The port of `longwave relay`, by plain HTTP.',
  }),
  relayPrivatePort: portSetting({
    name: 'RELAY_PRIVATE_PORT',
    unset: 8705,
    description:
      'The port of `PRIVATE_HOST` at which `longwave relay` answers `/livez`, `/readyz` and `/metrics`.',
  }),
  relayAddresses: urlListSetting({
    name: 'RELAY_ADDRESS',
    schemes: ['http://'],
    most: MAX_RELAYS,
    description:
      'Where radios reach the relay, such as `http://192.168.1.20:8704`. Unset, at the host by which they reached the directory, and `RELAY_PORT`. Several, separated by commas: each station has one of them, and while that does not answer another.',
  }),
  relayReadyAddresses: urlListSetting({
    name: 'RELAY_READY_ADDRESS',
    schemes: ['http://'],
    most: MAX_RELAYS,
    description:
      'Where `longwave serve` asks the relay whether it is ready, such as `http://relay:8704` among containers; with several at `RELAY_ADDRESS` as many, in the same order. Unset, at `RELAY_ADDRESS`, or on this machine.',
  }),
  relaySiteAddresses: urlListSetting({
    name: 'RELAY_SITE_ADDRESS',
    schemes: ['https://'],
    most: MAX_RELAYS,
    description:
      'Where the site reaches the relay by HTTPS, behind a proxy that does TLS. Then its pages play stations that send plain HTTP, which browsers otherwise block there. With several at `RELAY_ADDRESS` one for all of them, or as many in the same order.',
  }),
  relayConnections: choiceSetting({
    name: 'RELAY_CONNECTIONS',
    values: ['each', 'shared'],
    unset: 'each',
    description:
      'How the relay calls stations. `each`: once for each listener, so that a station counts its listeners and chooses its adverts as if they had called themselves. `shared`: once for all who hear the same stream, which takes a fraction of the work; only where the stations agree, or in a house.',
  }),
  relayConversions: integerSetting({
    name: 'RELAY_CONVERSIONS',
    min: 0,
    max: 1000,
    unset: 0,
    description:
      'Stations that the relay converts to MP3 at a time, for radios that lack their format; each takes 2 to 4 % of a core and an ffmpeg (the Debian package). 0: none, and such stations are not offered. The same for `longwave serve`.',
  }),
  relayListeners: integerSetting({
    name: 'RELAY_LISTENERS',
    min: 1,
    max: 100_000,
    unset: 100,
    description: 'Listeners of the relay at a time; further ones are refused with 503.',
  }),
  relayWorkers: integerSetting({
    name: 'RELAY_WORKERS',
    min: 1,
    max: 256,
    unset: undefined,
    description:
      'Processes of `longwave relay` that are at work at a time, each on a core. Unset, as many as there are cores. A house needs one.',
  }),
  relayPerAddress: integerSetting({
    name: 'RELAY_PER_ADDRESS',
    min: 1,
    max: 100_000,
    unset: 8,
    description: 'Listeners of the relay from one address at a time.',
  }),
  relayPartnerListeners: integerSetting({
    name: 'RELAY_PARTNER_LISTENERS',
    min: 1,
    max: 100_000,
    unset: 50,
    description: 'With `RELAY=partners`: listeners of one partner at a time.',
  }),
  relayCountry: textSetting({
    name: 'RELAY_COUNTRY',
    expects: 'a country by its code, such as `DE`',
    unset: undefined,
    description:
      'With `RELAY=partners`: the country where the relay is, so that no station is sent abroad that has not said it may be. Listeners are located by `ADDRESS_DATABASE`; those of whom nobody knows the country count as abroad.',
  }),
} as const;
