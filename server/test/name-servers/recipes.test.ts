import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  isBelow,
  listNamesLeftAlone,
  listSpokenNames,
  RADIO_NAMES,
} from '../../src/core/devices/radio-names.ts';
import { waitFor } from '../time/wait-until.ts';
import { HERE, openHome, ROUTER } from './home.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/dns.md'), 'utf8');
function sectionOf(heading: string): string {
  const [, rest = ''] = page.split(`\n### ${heading}\n`, 2);
  const [own = ''] = rest.split('\n### ', 1);
  return own;
}

/** The indented lines below a heading, as they stand there. */
function recipe(heading: string): string[] {
  return sectionOf(heading)
    .split('\n')
    .flatMap((line) => (line.startsWith('    ') ? [line.slice(4)] : []));
}

const RESOLVERS = ['dnsmasq', 'Pi-hole', 'AdGuard Home', 'OpenWrt', 'Unbound'];
/** What the recipe for a name has: its zone, where every name below it is meant. */
const zoneOf = (name: string): string => name.replace(/^\*\./, '');
/** A name to ask for. */
const exampleOf = (name: string): string => name.replace('*', 'a1');
/** Below a zone that leads here. */
const LEFT_ALONE = listNamesLeftAlone().filter((name) =>
  listSpokenNames().some((spoken) => spoken.startsWith('*.') && isBelow(name, spoken)),
);

test('every recipe has every name, and the page every name there is', () => {
  for (const heading of RESOLVERS)
    for (const name of [...listSpokenNames(), ...LEFT_ALONE])
      assert.ok(sectionOf(heading).includes(zoneOf(name)), `${heading}: ${name}`);
  // The file of one computer knows no zones, which only devices need.
  for (const name of listSpokenNames(['vtuner'])) assert.ok(sectionOf('One computer').includes(name), name);
  for (const { name } of RADIO_NAMES) assert.ok(page.includes(`\`${name}\``), name);
});

/** Starts a resolver with the lines of the page, and asks it each name and one that is not ours. */
async function proves(heading: string, config: string[], start: (file: string) => [string, string[]]) {
  await using opened = new AsyncDisposableStack();
  const home = await openHome(opened);
  const lines = recipe(heading);
  assert.ok(lines.length > 0);
  const file = join(home.house.folder, `${heading}.conf`);
  writeFileSync(file, `${[...lines, ...config].join('\n')}\n`);
  const resolver = home.house.start(...start(file));
  const ask = async (name: string, type: string): Promise<string> =>
    await home.dig([name, type, '+noall', '+comments', '+answer']);
  await waitFor(resolver, heading, () => ask('www.example.org', 'A'));
  for (const name of listSpokenNames().map(exampleOf)) {
    assert.match(await ask(name, 'A'), /\sIN\s+A\s+192\.168\.1\.20\n/, name);
    const other = await ask(name, 'AAAA');
    assert.match(
      other,
      /status: NOERROR.*\n.*ANSWER: 0/,
      'a radio that asks for IPv6 first is not led astray',
    );
  }
  assert.match(await ask('www.example.org', 'A'), /192\.0\.2\.80/, 'other names are as before');
  assert.ok(LEFT_ALONE.length >= 3);
  for (const name of LEFT_ALONE) assert.match(await ask(name, 'A'), /192\.0\.2\.80/, name);
  assert.match(await ask('legato.radiotime.com', 'A'), /192\.0\.2\.80/, 'and those of other protocols');
}

test('the lines for dnsmasq lead every name here', () =>
  proves(
    'dnsmasq',
    [`server=${ROUTER}`, `listen-address=${HERE}`, 'bind-interfaces', 'no-resolv'],
    (file) => ['dnsmasq', ['--no-daemon', `--conf-file=${file}`]],
  ));

/** The rest of a configuration, for a resolver that starts without rights and knows one way out. */
const UNBOUND = `
  interface: ${HERE}
  access-control: 192.168.7.0/24 allow
  do-daemonize: no
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  do-ip6: no
forward-zone:
  name: "."
  forward-addr: ${ROUTER}`;

test('the lines for Unbound lead every name here', async () => {
  await proves('Unbound', UNBOUND.split('\n'), (file) => ['unbound', ['-d', '-c', file]]);
});
