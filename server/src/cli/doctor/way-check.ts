import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../app/config.ts';
import { RADIO_NAMES } from '../../core/devices/radio-names.ts';
import { askResolver } from '../../net/dns/ask-resolver.ts';
import { parseAddresses, writeDnsQuestion } from '../../net/dns/message.ts';
import { FetchFailed, UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import { type Check, type CheckContext, type Finding, note, unknown, warning, well } from './check.ts';
import { RadioCaller } from './hear.ts';

const NAME = 'opml.radiotime.com';
/** Of the zone that most receivers ask. Not every house has one, so it is told only where it leads here. */
const RECEIVER_NAME = 'radioyamaha.vtuner.com';
const OVERRIDE = 'lead the name to this machine in your resolver, or start longwave dns (docs/dns.md)';
const MAX_HOSTS = 5;
/** A resolver that is silent takes ten seconds or more. */
const RESOLVE_MS = 3000;

/** The way a radio goes: from a name to an address, to port 80, to OPML; each step fails in its own words. */
export const wayCheck: Check = {
  title: 'Way of a radio',
  deadlineMs: 10_000,
  async look(context) {
    const hosts = context.config.publicHosts.filter((host) => !isBuiltIn(host));
    // Radios that are told a host of their own do not need the names that others have built in.
    if (hosts.length > 0)
      return Promise.all(hosts.slice(0, MAX_HOSTS).map((host) => hostLine(context, host)));
    const [name, dns, port] = await Promise.all([nameLine(context), dnsLine(context), portLine(context)]);
    return [name, ...dns, port];
  },
};

const isBuiltIn = (host: string): boolean => RADIO_NAMES.some(({ name }) => name === host);

async function nameLine({ machine, config, baseUrl }: CheckContext): Promise<Finding> {
  const [found, forReceivers] = await Promise.all([
    resolved(machine.resolve(NAME)),
    resolved(machine.resolve(RECEIVER_NAME)),
  ]);
  if (found === undefined)
    return warning(
      'name',
      `${NAME} cannot be resolved on this machine, nor by radios that ask the same resolver`,
      OVERRIDE,
    );
  const here = [...machine.addresses(), ...config.dnsAddress, hostOf(baseUrl)];
  if (found.every(isLoopback))
    return note(
      'name',
      `${NAME} leads to ${found.join(', ')}: to this machine for its own programs, not for radios`,
      OVERRIDE,
    );
  const elsewhere = found.filter((address) => !here.includes(address));
  const isForReceivers = forReceivers?.every((address) => here.includes(address)) === true;
  const also = isForReceivers ? `, and ${RECEIVER_NAME} too` : '';
  return elsewhere.length === 0
    ? well('name', `${NAME} leads here, to ${found.join(', ')}${also}`)
    : warning('name', `${NAME} leads to ${elsewhere.join(', ')}, which is not this machine`, OVERRIDE);
}

const resolved = async (resolving: Promise<readonly string[]>): Promise<readonly string[] | undefined> => {
  const found = await Promise.race([resolving.catch(() => []), sleep(RESOLVE_MS, [], { ref: false })]);
  return found.length === 0 ? undefined : found;
};

const hostOf = (baseUrl = ''): string => URL.parse(baseUrl)?.hostname ?? '';
const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback';

const DNS_MS = 1500;

/** Nothing to say where `longwave dns` is neither running nor set up. */
async function dnsLine({ config, machine }: CheckContext): Promise<Finding[]> {
  const { dnsHost, dnsPort: port } = config;
  const address = dnsHost === '0.0.0.0' ? '127.0.0.1' : dnsHost === '::' ? '::1' : dnsHost;
  const where = `${address}, port ${port}`;
  const answer =
    port === 0
      ? undefined
      : await askResolver(writeDnsQuestion(NAME, 'A'), { address, port }, AbortSignal.timeout(DNS_MS)).catch(
          () => undefined,
        );
  const found = answer && parseAddresses(answer);
  const here = [...machine.addresses(), ...config.dnsAddress];
  if (found?.some((each) => here.includes(each)) === true)
    return [well('longwave dns', `answers at ${where}: ${NAME} is ${found.join(', ')}`)];
  if (!isSetUp(config)) return [];
  return [
    found === undefined
      ? warning('longwave dns', `is set up, and nothing answers at ${where}`, 'longwave dns')
      : warning(
          'longwave dns',
          `another resolver answers at ${where}: ${NAME} is ${found.join(', ') || 'not known there'}`,
          'stop that resolver, set DNS_HOST to an address of its own, or correct DNS_ADDRESS',
        ),
  ];
}

const isSetUp = ({ dnsAddress, dnsNames, dnsUpstream, dnsNetworks, dnsHost }: Config): boolean =>
  [...dnsAddress, ...dnsNames, ...dnsUpstream, ...dnsNetworks].length > 0 || dnsHost !== '0.0.0.0';

/** From outside the loopback: a server that listens there only, or behind a firewall, is not reached by radios. */
async function portLine({ machine, config, ownFetcher, baseUrl }: CheckContext): Promise<Finding> {
  const address = baseUrl === undefined ? await machine.outwardAddress() : hostOf(baseUrl);
  const name = `port ${machine.radioPort}`;
  if (address === undefined) return unknown(name, 'not checked: this machine is in no network');
  const host = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
  const origin = `http://${host}${machine.radioPort === 80 ? '' : `:${machine.radioPort}`}`;
  try {
    const lines = await new RadioCaller(ownFetcher, origin, NAME).menu('/Browse.ashx');
    if (lines.length > 0) return well(name, `${origin} answers with OPML and without a redirect`);
  } catch (error) {
    return warning(name, ...unreached(error, origin, config));
  }
  return warning(name, ...notOurs(origin, config));
}

type Words = [text: string, mend: string];

function unreached(error: unknown, origin: string, config: Config): Words {
  if (error instanceof UnsafeAddress && error.message.includes('redirects'))
    return [
      `${origin} redirects, probably to HTTPS, and radios follow no redirect`,
      `have your proxy pass plain HTTP on to port ${config.httpPort} without a redirect`,
    ];
  if (error instanceof FetchFailed && ['connect', 'lookup'].includes(error.step))
    return [`nothing answers at ${origin}, where radios ask`, mendPort(config)];
  return notOurs(origin, config);
}

const notOurs = (origin: string, { httpPort }: Config): Words => [
  `${origin} is answered by something else than Longwave`,
  httpPort === 80
    ? 'stop the other program that has port 80, then longwave serve'
    : `stop that program and set HTTP_PORT=80, or have it pass calls of radios on to port ${httpPort}`,
];

function mendPort({ httpPort, httpHost }: Config): string {
  if (/^(?:127\.|::1$|localhost$)/.test(httpHost))
    return 'set HTTP_HOST=0.0.0.0: it listens for this machine alone';
  if (httpPort !== 80) return `set HTTP_PORT=80, or forward port 80 to port ${httpPort}`;
  return 'longwave serve, or open port 80 in the firewall of this machine';
}

/** A host of PUBLIC_HOSTS, asked by its name as a radio does. */
async function hostLine({ machine, ownFetcher, config }: CheckContext, host: string): Promise<Finding> {
  const [bare = host] = host.split(':', 1);
  if ((await resolved(machine.resolve(bare))) === undefined)
    return warning('host', `${host} cannot be resolved`, 'add its DNS record, or correct PUBLIC_HOSTS');
  const origin = `http://${host}`;
  try {
    const lines = await new RadioCaller(ownFetcher, origin).menu('/Browse.ashx');
    if (lines.length > 0) return well('host', `${origin} answers with OPML and without a redirect`);
  } catch (error) {
    if (error instanceof FetchFailed)
      return warning(
        'host',
        `nothing answers at ${origin}`,
        'open its port in the firewall and the router, lead its DNS record here, or correct PUBLIC_HOSTS',
      );
    return warning('host', ...unreached(error, origin, config));
  }
  return warning('host', ...notOurs(origin, config));
}
