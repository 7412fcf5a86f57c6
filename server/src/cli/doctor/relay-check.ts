import { listRelays } from '../../app/open-relay-links.ts';
import { RELAY_READY_PATH } from '../../core/streams/relay/relay-address.ts';
import { isHomeAddress, listMachineAddresses } from '../../net/dns/own-addresses.ts';
import { requireFfmpeg } from '../../workers/relay/converter.ts';
import { broken, type Check, type CheckContext, type Finding, note, warning, well } from './check.ts';

const DEADLINE_MS = 2000;

export const relayCheck: Check = {
  title: 'Relay',
  async look(context) {
    const { relay, relayConversions } = context.config;
    if (relay === 'off')
      return [
        note(
          'ready',
          'off: radios are sent only to what they can play by themselves',
          'for radios without HTTPS or HLS see docs/relay.md',
        ),
      ];
    const found = await Promise.all(listRelays(context.config).map((place) => findingsOf(context, place)));
    const conversions = relayConversions > 0 ? [await ffmpeg()] : [];
    return [...found.flat(), ...conversions];
  },
};

type RelayPlace = ReturnType<typeof listRelays>[number];

async function findingsOf(context: CheckContext, place: RelayPlace): Promise<Finding[]> {
  const ready = await readiness(context, place);
  if (ready.state !== 'well') return [ready];
  const ways = await Promise.all([wayOfRadios(context, place), wayOfPages(context, place)]);
  return [ready, ...ways.flatMap((way) => way ?? [])];
}

/** As `longwave serve` asks it. */
async function readiness(context: CheckContext, { asked: origin }: RelayPlace): Promise<Finding> {
  const { relay } = context.config;
  const said = await ask(context, origin);
  if (said === 'ready') return well('ready', `RELAY=${relay}, at ${origin}`);
  const mend = `start it (longwave relay), or say with RELAY_READY_ADDRESS where it is`;
  return broken('ready', `the relay at ${origin} ${said}: radios get nothing through it`, mend);
}

/** Where radios are sent; they reach this machine by an address of its network, not by 127.0.0.1. */
async function wayOfRadios(context: CheckContext, place: RelayPlace): Promise<Finding | undefined> {
  const { relayPort, httpHost } = context.config;
  const own = listMachineAddresses().find((address) => /^\d/.test(address) && isOfNetwork(address));
  const origin = place.origin ?? (own && `http://${own}:${relayPort}`);
  if (origin === undefined) return undefined;
  const said = await ask(context, origin);
  if (said === 'ready') return well('radios', `are sent to ${origin}, which answers`);
  const mend = place.origin
    ? 'correct RELAY_ADDRESS, or open that port'
    : `open port ${relayPort} to your network (HTTP_HOST is ${httpHost}), or set RELAY_ADDRESS`;
  return warning('radios', `are sent to ${origin}, which ${said} from here`, mend);
}

const isOfNetwork = (address: string): boolean => isHomeAddress(address) && !address.startsWith('127.');

async function wayOfPages(
  context: CheckContext,
  { secureOrigin: origin }: RelayPlace,
): Promise<Finding | undefined> {
  if (origin === undefined) return undefined;
  const said = await ask(context, origin);
  if (said === 'ready') return well('pages', `are sent to ${origin}, which answers`);
  return warning(
    'pages',
    `are sent to ${origin}, where the relay ${said} from here`,
    `let the proxy there pass ${RELAY_READY_PATH.slice(0, 3)} on to the relay (docs/relay.md), or unset RELAY_SITE_ADDRESS`,
  );
}

/** `ready`, or what is wrong. */
async function ask({ ownFetcher }: CheckContext, origin: string): Promise<string> {
  try {
    const { status } = await ownFetcher.fetch(`${origin}${RELAY_READY_PATH}`, { deadlineMs: DEADLINE_MS });
    if (status === 200) return 'ready';
    return status === 503 ? 'is not ready' : `answers ${status}`;
  } catch {
    return 'does not answer';
  }
}

async function ffmpeg(): Promise<Finding> {
  try {
    await requireFfmpeg();
    return well('conversions', 'ffmpeg is there');
  } catch {
    return warning(
      'conversions',
      'RELAY_CONVERSIONS is set, and ffmpeg or prlimit cannot be run here',
      'where the relay runs, install the Debian packages ffmpeg and util-linux, or set RELAY_CONVERSIONS=0',
    );
  }
}
