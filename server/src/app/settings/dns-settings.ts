import { isIP } from 'node:net';
import type { Resolver } from '../../net/dns/ask-resolver.ts';
import { parseResolver, writeResolver } from '../../net/dns/resolvers.ts';
import { parseNetwork, writeNetwork } from '../../net/http/caller/addresses.ts';
import { integerSetting, listSetting, portSetting, textSetting } from './setting.ts';

const NAME = /^(?:\*\.)?(?=.{1,250}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,62}$/;

function parseName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '');
  return NAME.test(name) ? name : undefined;
}

/** Settings of `longwave dns`. */
export const DNS_SETTINGS = {
  dnsHost: textSetting({
    name: 'DNS_HOST',
    expects: 'an address of this machine',
    unset: '0.0.0.0',
    description:
      'The address on which `longwave dns` listens. Where another resolver, such as systemd-resolved, has the port on one address, name the address that radios ask.',
  }),
  dnsPort: portSetting({
    name: 'DNS_PORT',
    unset: 53,
    description: 'The port of `longwave dns`, UDP and TCP. Radios ask port 53.',
  }),
  dnsPrivatePort: portSetting({
    name: 'DNS_PRIVATE_PORT',
    unset: 8703,
    description:
      'The port of `PRIVATE_HOST` at which `longwave dns` answers `/livez`, `/readyz` and `/metrics`.',
  }),
  dnsAddress: listSetting<string>({
    name: 'DNS_ADDRESS',
    parseItem: (text) => (isIP(text) > 0 ? text : undefined),
    writeItem: (address) => address,
    expects: 'a comma-separated list of IP addresses',
    description:
      'Where `longwave serve` is reached: the answer to the names that radios ask. Unset, the address of this machine in the network of the asker, which is right where both run on one machine.',
  }),
  dnsNames: listSetting<string>({
    name: 'DNS_NAMES',
    parseItem: parseName,
    writeItem: (name) => name,
    expects: 'a comma-separated list of host names; `*.` in front means every name below it',
    description: 'Names that lead here too, besides those that radios are known to ask (docs/dns.md).',
  }),
  dnsUpstream: listSetting<Resolver>({
    name: 'DNS_UPSTREAM',
    parseItem: parseResolver,
    writeItem: writeResolver,
    expects: 'a comma-separated list of IP addresses, each with its port unless that is 53',
    description:
      'The resolvers that `longwave dns` asks about all other names, the first one first. Unset, those of `/etc/resolv.conf`.',
  }),
  dnsNetworks: listSetting({
    name: 'DNS_NETWORKS',
    parseItem: parseNetwork,
    writeItem: writeNetwork,
    expects: 'a comma-separated list of addresses or networks such as 2001:db8:1::/64 (/0 is refused)',
    description:
      'Networks that `longwave dns` answers beside private ones (RFC 1918, link-local, unique local, loopback). Everybody else gets no answer.',
  }),
  dnsQuestionsPerAddress: integerSetting({
    name: 'DNS_QUESTIONS_PER_ADDRESS',
    min: 0,
    max: 1_000_000,
    unset: 100,
    description:
      'Sustained questions per second per address, with bursts of five times as many; further ones are dropped. 0 disables the limit.',
  }),
} as const;
