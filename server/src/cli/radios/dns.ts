import type { Config } from '../../app/config.ts';
import { isBelow, listNamesLeftAlone, listSpokenNames } from '../../core/devices/radio-names.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLog } from '../../lib/log.ts';
import type { Resolver } from '../../net/dns/ask-resolver.ts';
import { DnsServer } from '../../net/dns/dns-server.ts';
import { Forwarder } from '../../net/dns/forwarder.ts';
import { chooseFreeHosts } from '../../net/dns/free-hosts.ts';
import { AddressesForAskers } from '../../net/dns/own-addresses.ts';
import { listSystemResolvers, withoutItself, writeResolver } from '../../net/dns/resolvers.ts';
import { stopOnSignals } from '../../net/http/graceful-stop.ts';
import { listenPrivately } from '../../net/http/listen/listen.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { Readiness } from '../../net/http/readiness.ts';
import { type Command, UsageError } from '../command.ts';

/** What radios have built in. */
const RADIO_PORT = 80;

export const dnsCommand: Command = {
  usage: ['dns'],
  summary: 'answer DNS for the house: the names that radios ask lead here, all others are passed on',
  async run(args, config) {
    if (args.length > 0) throw new UsageError('dns takes no arguments; its settings begin with DNS_');
    await using opened = new AsyncDisposableStack();
    const log = createLog({ level: config.logLevel });
    const [metrics, readiness] = [new Metrics(), new Readiness()];
    const hosts = await chooseFreeHosts(config.dnsHost, config.dnsPort);
    const resolvers = chooseResolvers(config, hosts);
    const names = [...listSpokenNames(config.vtuner === 'on' ? [] : ['vtuner']), ...config.dnsNames];
    // What the operator names leads here all the same.
    const leftAlone = listNamesLeftAlone().filter(
      (name) => !config.dnsNames.some((wanted) => isBelow(name, wanted)),
    );
    const server = opened.use(
      new DnsServer({
        hosts,
        port: config.dnsPort,
        names,
        leftAlone,
        addresses: new AddressesForAskers(config.dnsAddress, config.httpHost),
        forwarder: opened.use(new Forwarder({ resolvers, log })),
        networks: config.dnsNetworks,
        questionsPerSecond: config.dnsQuestionsPerAddress,
        metrics,
        clock: systemClock,
        log,
      }),
    );
    const dnsPort = await openPort(server, config);
    const { privateHost, dnsPrivatePort: privatePort } = config;
    const listeners = await listenPrivately({ privateHost, privatePort, readiness, metrics });
    readiness.warmed();
    const upstream = resolvers.map(writeResolver);
    log.info({ hosts, dnsPort, privatePort: listeners.privatePort, upstream, names }, 'answering DNS');
    if (!hosts.includes(config.dnsHost))
      log.warn(
        { hosts },
        'another resolver has the port on an address of this machine, so only these are answered; set DNS_HOST to choose, and start again when they change',
      );
    if (config.dnsAddress.length === 0 && config.httpPort !== RADIO_PORT)
      log.warn(
        { httpPort: config.httpPort },
        'radios that come by these names ask port 80; set HTTP_PORT=80, or forward port 80 to it',
      );
    const kept = opened.move();
    stopOnSignals({ readiness, listeners, log, graceSeconds: 0, dispose: () => kept.disposeAsync() });
  },
};

function chooseResolvers({ dnsPort: port, dnsUpstream }: Config, hosts: readonly string[]): Resolver[] {
  let resolvers = dnsUpstream.length > 0 ? [...dnsUpstream] : listSystemResolvers();
  for (const host of hosts) resolvers = withoutItself(resolvers, { host, port });
  if (resolvers.length > 0) return resolvers;
  const from = dnsUpstream.length > 0 ? 'DNS_UPSTREAM' : '/etc/resolv.conf';
  throw new Error(
    `${from} names no resolver but longwave dns itself, so nobody could be asked about other names; set DNS_UPSTREAM to your router or provider, such as DNS_UPSTREAM=192.168.1.1`,
  );
}

const NOT_OPENED: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another resolver has this port, often systemd-resolved or dnsmasq; set DNS_HOST to the one address that radios ask, such as DNS_HOST=192.168.1.20, or write the names into that resolver instead (docs/dns.md)',
  EACCES:
    'port 53 needs extra privileges: grant CAP_NET_BIND_SERVICE (systemd: AmbientCapabilities=CAP_NET_BIND_SERVICE)',
  EADDRNOTAVAIL: 'this machine has no such address; 0.0.0.0 means all of its addresses',
};

async function openPort(server: DnsServer, { dnsHost, dnsPort }: Config): Promise<number> {
  try {
    return await server.listen();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const advice = NOT_OPENED[code] ?? 'check DNS_HOST and DNS_PORT, and the reason below';
    throw new Error(`cannot listen on ${dnsHost}:${dnsPort}: ${advice}`, { cause: error });
  }
}
