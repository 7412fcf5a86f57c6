import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RelayKeys, type RelayedStream } from '../../core/streams/relay/relay-address.ts';
import { createLog } from '../../lib/log.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';
import { isHomeAddress } from '../../net/dns/own-addresses.ts';
import { parseNetwork } from '../../net/http/caller/addresses.ts';
import { Metrics } from '../../net/http/metrics.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import { RelayMetrics } from './relay-metrics.ts';
import { RelayServer } from './relay-server.ts';
import { Robots } from './upstream/robots.ts';

const keys = new RelayKeys('a key of thirty-two characters 01');
/** MPEG 1 Layer 3, 64 kbit/s at 48 kHz. */
const FRAME = Buffer.concat([Buffer.of(0xff, 0xfb, 0x54, 0xc0), Buffer.alloc(188, 1)]);
const QUAY = keys.partnerTag('quay-1');
const SOUND = Buffer.concat(Array.from({ length: 100 }, () => FRAME));

const pathOf = (who: string, facts: Partial<RelayedStream> = {}): string =>
  keys.sign(
    { streamId: 7, variant: 'c', who: keys.whoOf(who), format: 'mp3', ...facts },
    Date.now() + 60_000,
  );

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (const end = Date.now() + 30_000; !isSo(); await sleep(10))
    if (Date.now() > end) assert.fail(`not in time: ${what}`);
};

/** What a radio gets: all of a refusal, or the start of the sound. */
interface Heard {
  status: string;
  text: string;
  socket: Socket;
}

describe('a relay is polite', () => {
  let station: Server;
  /** Requests that stations got, without those for robots.txt. */
  let calls: { head: string; socket: Socket }[];
  let robotsText: string;
  let robotsAsked: number;
  /** What the station says with its sound. */
  let said: string;
  let stream: Partial<StreamToRelay>;
  let isInCountry: boolean;
  let counted: string[];
  let relay: RelayServer;
  let port: number;

  const open = async (isShared = false): Promise<void> => {
    const limits = { host: 10, network: 10, all: 10, lookups: 10 };
    const fetcher = new SafeFetcher({ policy: operatorsChoice, limits });
    const robots = new Robots(fetcher);
    relay = new RelayServer({
      keys,
      fetcher,
      findStream: async (id) => ({
        id,
        address: `http://127.0.0.1:${portOf(station)}/live`,
        format: 'mp3',
        bitrate: 64,
        verdict: null,
        station_id: 1,
        station_name: 'Harbour',
        relay: null,
        ...stream,
      }),
      isHome: isHomeAddress,
      isInCountry: () => isInCountry,
      isAllowed: (address) => robots.allow(address),
      count: (stationId, peer, isNew) => {
        counted.push(`${stationId} ${peer} ${isNew}`);
        return { [Symbol.dispose]: () => void counted.push('left') };
      },
      trustedProxies: [parseNetwork('127.0.0.1') ?? assert.fail()],
      limits: { listeners: 10, perAddress: 10, perPartner: 2, conversions: 1 },
      isShared,
      tickMs: 20,
      lookEveryMs: 50,
      isReady: () => true,
      metrics: new RelayMetrics(new Metrics()),
      log: createLog({ level: 'silent' }),
    });
    port = await relay.listen(0, '127.0.0.1');
  };

  before(async () => {
    station = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => answer(socket, bytes.toString('latin1')));
    });
    station.listen(0, '127.0.0.1');
    await once(station, 'listening');
  });
  const answer = (socket: Socket, head: string): void => {
    if (head.startsWith('GET /robots.txt ')) {
      robotsAsked += 1;
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${robotsText.length}\r\n\r\n${robotsText}`);
      return;
    }
    calls.push({ head, socket });
    socket.write(`HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n${said}\r\n`);
    socket.write(SOUND);
  };
  after(() => void station.close());
  beforeEach(async () => {
    [calls, robotsText, robotsAsked, said, stream, isInCountry] = [[], '', 0, '', {}, true];
    counted = [];
    await open();
  });
  afterEach(() => relay[Symbol.asyncDispose]());

  const listen = async (path: string, headers = ''): Promise<Heard> => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.0\r\n${headers}\r\n`));
    socket.on('error', () => undefined);
    let got = '';
    socket.on('data', (bytes: Buffer) => (got += bytes.toString('latin1')));
    const isRefusal = (): boolean => socket.closed;
    const isSound = (): boolean => got.startsWith('HTTP/1.0 200') && got.length > 1000;
    await until('an answer', () => isRefusal() || isSound());
    const [head = '', body = ''] = got.split('\r\n\r\n', 2);
    return { status: head.slice('HTTP/1.0 '.length, 'HTTP/1.0 200'.length), text: body, socket };
  };

  test('it tells for whom it calls, and from where, unless that is a private network', async () => {
    for (const peer of ['8.8.8.8', '192.168.1.5']) {
      const { socket } = await listen(
        pathOf(peer, { partner: QUAY }),
        `X-Forwarded-For: ${peer}\r\nUser-Agent: Kitchen/1\r\n`,
      );
      socket.destroy();
    }
    const [far = '', near = ''] = calls.map(({ head }) => head);
    for (const head of [far, near])
      assert.match(head, /User-Agent: longwave\/\S+ \(relay; for one listener\) Kitchen\/1\r/);
    assert.match(far, /Via: 1\.0 longwave\r\nX-Forwarded-For: 8\.8\.8\.8\r\n/);
    assert.match(near, /Via: 1\.0 longwave\r\n/);
    assert.doesNotMatch(near, /Forwarded/);
  });

  for (const [wish, isShared, connections] of [
    ['each', true, 2],
    ['shared', false, 1],
  ] as const)
    test(`a station that says ${wish} has ${connections} connections for two listeners, whatever the settings say`, async () => {
      await relay[Symbol.asyncDispose]();
      await open(isShared);
      stream = { relay: wish };
      const heard = await Promise.all(['a', 'b'].map((who) => listen(pathOf(who))));
      assert.equal(calls.length, connections);
      for (const { socket } of heard) socket.destroy();
    });

  test('a station that says never is not called, and the radio is told why', async () => {
    stream = { relay: 'never' };
    const { status, text } = await listen(pathOf('a'));
    assert.equal(status, '403');
    assert.match(text, /does not want to be relayed/);
    assert.equal(calls.length, 0);
  });

  test('a station that says never while it is heard is left, and so is the radio', async () => {
    const heard = await listen(pathOf('a'));
    stream = { relay: 'each' };
    await sleep(200);
    assert.equal(heard.socket.closed, false);
    stream = { relay: 'never' };
    await until('the radio is let go', () => heard.socket.closed);
    await until('the station is left', () => calls[0]?.socket.closed ?? false);
  });

  test('a host says in robots.txt that it is not relayed, and is asked once', async () => {
    robotsText = 'User-agent: Longwave-Relay\nDisallow: /live\n';
    for (const who of ['a', 'b']) {
      const { status, text } = await listen(pathOf(who));
      assert.equal(status, '403');
      assert.match(text, /its robots\.txt says so/);
    }
    assert.equal(robotsAsked, 1);
    assert.equal(calls.length, 0);
    // What the station itself says counts more.
    stream = { relay: 'each' };
    const { status, socket } = await listen(pathOf('c'));
    assert.equal(status, '200');
    socket.destroy();
  });

  test('a station that forbids changes is sent as it is, and never converted', async () => {
    said = 'Cache-Control: no-cache, No-Transform\r\n';
    const copied = await listen(pathOf('a'));
    assert.equal(copied.status, '200');
    const converted = await listen(pathOf('b', { variant: 'm128' }));
    assert.equal(converted.status, '502');
    assert.match(converted.text, /does not want its sound converted .*no-transform/);
    assert.equal(copied.socket.closed, false);
    await until('the station is left', () => calls[1]?.socket.closed ?? false);
    copied.socket.destroy();
  });

  const FAR = 'X-Forwarded-For: 8.8.8.8\r\n';

  test('radios of a partner are served from anywhere, those without one at home only', async () => {
    const far = await listen(pathOf('a', { partner: QUAY }), FAR);
    assert.equal(far.status, '200');
    const stranger = await listen(pathOf('b'), FAR);
    assert.equal(stranger.status, '403');
    assert.match(stranger.text, /in the house of the relay only/);
    const near = await listen(pathOf('c'));
    assert.equal(near.status, '200');
    for (const { socket } of [far, near]) socket.destroy();
  });

  test('a partner has its share of places, which those at home do not take', async () => {
    const near = await listen(pathOf('a', { partner: QUAY }));
    const two = await Promise.all(['b', 'c'].map((who) => listen(pathOf(who, { partner: QUAY }), FAR)));
    assert.deepEqual(
      [near, ...two].map(({ status }) => status),
      ['200', '200', '200'],
    );
    const third = await listen(pathOf('d', { partner: QUAY }), FAR);
    assert.equal(third.status, '503');
    assert.match(third.text, /RELAY_PARTNER_LISTENERS/);
    const other = await listen(pathOf('e', { partner: keys.partnerTag('quay-2') }), FAR);
    assert.equal(other.status, '200');
    for (const { socket } of [near, ...two, other]) socket.destroy();
  });

  test('who has heard something is counted, and who was refused is not', async () => {
    const { socket } = await listen(pathOf('a', { partner: QUAY }), FAR);
    await listen(pathOf('b'), FAR);
    assert.deepEqual(counted, ['1 8.8.8.8 true']);
    socket.destroy();
    await until('it has left', () => counted.includes('left'));
  });

  const FENCES: [what: string, set: () => void, text: RegExp][] = [
    ['icy-pub: 0', () => (said = 'icy-pub: 0\r\n'), /not want to be in public lists/],
    ['a listener abroad', () => (isInCountry = false), /not said that it may be sent abroad/],
  ];
  for (const [what, set, text] of FENCES)
    test(`${what} keeps a station at home, unless it has said otherwise`, async () => {
      set();
      const far = await listen(pathOf('a', { partner: QUAY }), FAR);
      assert.equal(far.status, '403');
      assert.match(far.text, text);
      const near = await listen(pathOf('b'));
      stream = { relay: 'each' };
      const agreed = await listen(pathOf('c', { partner: QUAY }), FAR);
      assert.deepEqual([near.status, agreed.status], ['200', '200']);
      for (const { socket } of [near, agreed]) socket.destroy();
    });

  test('a station that is for some countries only is relayed to nobody', async () => {
    stream = { relay: 'each', verdict: 'geo' };
    const { status, text } = await listen(pathOf('a'));
    assert.equal(status, '403');
    assert.match(text, /for some countries only/);
    assert.equal(calls.length, 0);
  });
});
