import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listSpokenNames, RADIO_NAMES } from '../../src/core/devices/radio-names.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';
import { HERE, type Home, openHome, RADIO, ROUTER, STRANGER } from './home.ts';

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
let home: Home;
let dns: Program;
before(async () => {
  home = await openHome(opened);
  dns = await home.startDns({ DNS_NAMES: 'radio.home.arpa,*.kitchen.example' });
});

const short = async (args: readonly string[], from?: string): Promise<string> =>
  (await home.dig([...args, '+short'], from)).trim();

test('every name that radios ask of us leads to the address in their own network', async () => {
  assert.ok(listSpokenNames().length >= 4);
  for (const name of listSpokenNames().map((each) => each.replace('*', 'a1')))
    assert.equal(await short([name]), HERE, name);
  assert.equal(await short(['opml.radiotime.com', '+tcp']), HERE);
  assert.equal(await short(['radio.home.arpa']), HERE);
  assert.equal(await short(['a.b.kitchen.example']), HERE);
  assert.equal(await short(['kitchen.example']), '192.0.2.80', 'only what is below');
});

test('host and getent find it as programs do', async () => {
  const said = await home.house.run('host', ['opml.radiotime.com', HERE]);
  assert.match(said, new RegExp(`opml\\.radiotime\\.com has address ${HERE}`));
  const got = await home.house.run('getent', ['ahosts', 'opml.radiotime.com']);
  assert.match(got, new RegExp(`^${HERE} +STREAM`, 'm'));
});

test('names of protocols that we do not speak, and all others, are asked of the next resolver, which is never ourselves', async () => {
  const unspoken = RADIO_NAMES.filter(({ isSpoken }) => !isSpoken).map(({ name }) => name.replace('*', 'a1'));
  assert.ok(unspoken.includes('legato.radiotime.com'));
  for (const name of [...unspoken, 'www.example.org', 'notopml.radiotime.com'])
    assert.equal(await short([name]), '192.0.2.80', name);
  assert.match(dns.said(), new RegExp(`"upstream":\\["${ROUTER}"\\]`), 'resolv.conf names us first');
});

test('capital letters come back as they were sent, of our names and of others', async () => {
  for (const name of ['oPmL.rAdIoTiMe.CoM', 'wWw.ExAmPlE.oRg'])
    assert.match(await home.dig([name, '+noall', '+answer']), new RegExp(`^${name}\\.\\s+\\d+\\s+IN\\s+A`));
});

test('an answer is short-lived and of the right type; for other types there is none, not no name', async () => {
  assert.match(await home.dig(['opml.radiotime.com', '+noall', '+answer']), /\s60\s+IN\s+A\s/);
  for (const type of ['AAAA', 'TYPE65', 'TYPE64', 'MX', 'TXT']) {
    const said = await home.dig(['opml.radiotime.com', type]);
    assert.match(said, /status: NOERROR.*\n.*ANSWER: 0, AUTHORITY: 1/, type);
  }
  assert.equal(await short(['opml.radiotime.com', 'ANY']), HERE);
});

test('EDNS is answered in its own version, and only who sent it gets it', async () => {
  const withEdns = await home.dig(['opml.radiotime.com', '+edns=0', '+bufsize=4096']);
  assert.match(withEdns, /EDNS: version: 0, flags:; udp: 1232/);
  assert.doesNotMatch(await home.dig(['opml.radiotime.com', '+noedns']), /EDNS/);
  assert.match(await home.dig(['opml.radiotime.com', '+edns=1', '+noednsnegotiation']), /status: BADVERS/);
});

test('an answer that does not fit into a datagram is fetched and given by TCP', async () => {
  const said = await home.dig(['big.example', 'TXT', '+short']);
  assert.equal(said.match(/long /g)?.length, 800, 'dig comes back by TCP, and we ask by TCP');
  const cut = await home.dig(['big.example', 'TXT', '+ignore']);
  assert.match(cut, /flags: qr tc .*ANSWER: 0/);
});

test('whoever answers in place of the resolver has to guess a port and an id', async () => {
  assert.equal(await short(['forged.example']), '192.0.2.80');
  for (let turn = 0; turn < 12; turn += 1) await short([`turn${turn}.example`]);
  const asked = home.upstream
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): { id: number; port: number } => JSON.parse(line))
    .slice(-12);
  assert.ok(new Set(asked.map(({ id }) => id)).size >= 11);
  assert.ok(new Set(asked.map(({ port }) => port)).size >= 9, JSON.stringify(asked));
});

test('a stranger gets nothing, by UDP and by TCP, about any name', async () => {
  for (const more of [[], ['+tcp'], ['ANY'], ['+edns=0']])
    for (const name of ['opml.radiotime.com', 'www.example.org'])
      await assert.rejects(home.dig([name, '+time=1', ...more], STRANGER), /dig ended with 9/);
  const metrics = await home.house.run('curl', ['-s', 'http://127.0.0.1:8703/metrics']);
  assert.match(metrics, /^longwave_dns_questions_total\{result="stranger"\} [89]$/m);
  assert.match(metrics, /^longwave_dns_questions_total\{result="ours"\} \d\d/m);
  assert.match(dns.said(), /add their network to DNS_NETWORKS/);
  assert.ok(!dns.said().includes(STRANGER), 'no address of a stranger in the log');
});

test('a silent resolver is given up in time, for all who ask together, and others are answered meanwhile', async () => {
  const started = performance.now();
  const all = Array.from({ length: 15 }, () => home.dig(['silent.example'], RADIO));
  assert.equal(await short(['opml.radiotime.com']), HERE);
  for (const said of await Promise.all(all)) assert.match(said, /status: SERVFAIL/);
  assert.ok(performance.now() - started < 60_000);
  const metrics = await home.house.run('curl', ['-s', 'http://127.0.0.1:8703/metrics']);
  assert.match(metrics, /^longwave_dns_waiting 0$/m);
});

test('classes and operations that nobody needs are refused', async () => {
  assert.match(await home.dig(['-c', 'CH', 'version.bind', 'TXT']), /status: REFUSED/);
  assert.match(await home.dig(['opml.radiotime.com', '+opcode=4']), /status: NOTIMP/);
});

test('it says who has the port, and what to do where nobody is left to ask', async () => {
  await assert.rejects(
    home.startDns(),
    /cannot listen on 192\.168\.7\.20:53: another resolver has this port.*DNS_HOST=/,
  );
  await assert.rejects(
    home.startDns({ DNS_HOST: '0.0.0.0', DNS_PORT: '54', DNS_UPSTREAM: `${HERE}:54,127.0.0.1:54` }),
    /DNS_UPSTREAM names no resolver but longwave dns itself.*set DNS_UPSTREAM/,
  );
});

test('where another resolver has the port on one address, the free ones of the home network are answered', async () => {
  // As systemd-resolved has it: on a loopback address of its own, which /etc/resolv.conf names.
  const other = home.house.start('dnsmasq', [
    '--no-daemon',
    '--no-resolv',
    '--conf-file=/dev/null',
    '--bind-interfaces',
    '--listen-address=127.0.0.53',
    '--address=/www.example.org/192.0.2.53',
  ]);
  await waitFor(other, 'dnsmasq', () => home.house.run('dig', ['@127.0.0.53', 'www.example.org']));
  const extra = '192.168.7.21';
  await home.house.run('ip', ['address', 'add', `${extra}/24`, 'dev', 'lo']);
  const settings = { DNS_HOST: '0.0.0.0', DNS_UPSTREAM: '127.0.0.53', DNS_PRIVATE_PORT: '8713' };
  const second = await home.startDns(settings);
  assert.match(second.said(), /"hosts":\[[^\]]*"192\.168\.7\.21"[^\]]*\][^\n]*another resolver has the port/);
  const ask = (name: string): Promise<string> =>
    home.house.run('dig', ['-b', RADIO, `@${extra}`, '+short', name]);
  assert.equal((await ask('opml.radiotime.com')).trim(), HERE);
  assert.equal((await ask('www.example.org')).trim(), '192.0.2.53', 'that resolver is asked about the rest');
});

test('who asks from a link-local address is led to the interface it is behind, by UDP and by TCP', async () => {
  const { house } = home;
  // As on a machine with two networks on one card: link-local addresses say nothing without their interface.
  const networks = [
    ['lan0', 'radio0', '192.168.8.1'],
    ['lan1', 'radio1', '192.168.9.1'],
  ] as const;
  for (const [ours, theirs, ipv4] of networks) {
    await house.run('ip', ['link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs]);
    for (const [name, address] of [
      [ours, 'fe80::1'],
      [theirs, 'fe80::2'],
    ] as const) {
      await house.run('ip', ['link', 'set', name, 'addrgenmode', 'none', 'up']);
      await house.run('ip', ['address', 'add', `${address}/64`, 'dev', name, 'nodad']);
    }
    await house.run('ip', ['address', 'add', `${ipv4}/24`, 'dev', ours]);
  }
  await home.startDns({ DNS_HOST: '::', DNS_PORT: '54', DNS_PRIVATE_PORT: '8714' });
  for (const [, theirs, ipv4] of networks)
    for (const more of ['+notcp', '+tcp']) {
      const question = [`@fe80::1%${theirs}`, '-p', '54', '+tries=1', '+time=10', '+short', more];
      const said = await house.run('dig', [...question, 'opml.radiotime.com', 'A']);
      assert.equal(said.trim(), ipv4, `${theirs} ${more}`);
    }
});
