import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMpegFrame } from '../../formats/audio/frames.ts';
import { createLog } from '../../lib/log.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';
import { Metrics } from '../../net/http/metrics.ts';
import { RelayKeys } from '../../core/streams/relay/relay-address.ts';
import type { StreamToRelay } from '../../storage/catalog/streams/relayed-stream.ts';
import { portOf } from '../../../test/servers/port-of.ts';
import { RelayMetrics } from './relay-metrics.ts';
import { RelayServer } from './relay-server.ts';

const keys = new RelayKeys('a key of thirty-two characters 01');
const FRAME_BYTES = 192;
const OK = 'HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n';

/** MPEG 1 Layer 3, 64 kbit/s at 48 kHz; what is in it tells which one it is. */
function frame(number: number): Buffer {
  const bytes = Buffer.alloc(FRAME_BYTES, 1);
  bytes.set([0xff, 0xfb, 0x54, 0xc0]);
  bytes.writeUInt32BE(number, 4);
  return bytes;
}

const framesFrom = (first: number, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_none, n) => frame(first + n)));

/** The numbers of the whole frames in a body. */
function numbersIn(body: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + FRAME_BYTES <= body.length; at += FRAME_BYTES) {
    assert.ok(readMpegFrame(body, at), `no frame at ${at}`);
    numbers.push(body.readUInt32BE(at + 4));
  }
  return numbers;
}

const pathOf = (streamId = 7, who = 'radio', untilMs = Date.now() + 60_000): string =>
  keys.sign({ streamId, variant: 'c', who: keys.whoOf(who), format: 'mp3' }, untilMs);

const until = async (what: string, isSo: () => boolean, withinMs = 30_000): Promise<void> => {
  for (const end = Date.now() + withinMs; !isSo(); await sleep(10))
    if (Date.now() > end) assert.fail(`not in time: ${what}`);
};

const isLeft = ({ socket }: { socket: Socket }): boolean => socket.readableEnded || socket.destroyed;

describe('a relay', () => {
  let station: Server;
  let calls: { socket: Socket; head: string }[];
  let onCall: (socket: Socket, call: number) => void;
  let relay: RelayServer | undefined;
  let port: number;
  let isHome = true;
  let isShared = false;

  const openRelay = (): RelayServer =>
    new RelayServer({
      keys,
      fetcher: new SafeFetcher({
        policy: operatorsChoice,
        limits: { host: 10, network: 10, all: 10, lookups: 10 },
      }),
      findStream: async (id) => (id === 404 ? undefined : streamOf(id)),
      isHome: () => isHome,
      trustedProxies: [],
      limits: { listeners: 3, perAddress: 3, perPartner: 3, conversions: 1 },
      isShared,
      tickMs: 20,
      isReady: () => isHome,
      isAllowed: async () => true,
      count: () => ({ [Symbol.dispose]: () => undefined }),
      metrics: new RelayMetrics(new Metrics()),
      log: createLog({ level: 'silent' }),
    });
  const restart = async (): Promise<void> => {
    await relay?.[Symbol.asyncDispose]();
    relay = openRelay();
    port = await relay.listen(0, '127.0.0.1');
  };

  before(async () => {
    station = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        calls.push({ socket, head: bytes.toString('latin1') });
        onCall(socket, calls.length);
      });
    });
    station.listen(0, '127.0.0.1');
    await once(station, 'listening');
  });
  after(() => void station.close());
  beforeEach(async () => {
    calls = [];
    isHome = true;
    isShared = false;
    await restart();
  });
  afterEach(async () => {
    await relay?.[Symbol.asyncDispose]();
    relay = undefined;
  });

  const streamOf = (id: number): StreamToRelay => ({
    id,
    address: `http://127.0.0.1:${portOf(station)}/live`,
    format: 'mp3',
    bitrate: 64,
    verdict: null,
    station_id: 1,
    station_name: 'Härbour',
    relay: null,
  });
  /** A radio: what it has received so far. */
  const ask = (path: string, headers = '', method = 'GET') => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.0\r\n${headers}\r\n`),
    );
    socket.on('error', () => undefined);
    const got: Buffer[] = [];
    socket.on('data', (bytes: Buffer) => got.push(bytes));
    const whole = (): Buffer => Buffer.concat(got);
    return {
      socket,
      head: () => whole().toString('latin1').split('\r\n\r\n', 1)[0] ?? '',
      body: () => whole().subarray(whole().indexOf('\r\n\r\n') + 4),
      ended: once(socket, 'close'),
    };
  };

  test('sends on what the station sends, byte for byte', async () => {
    onCall = (socket) => {
      socket.write(OK);
      socket.write(framesFrom(0, 500));
    };
    const radio = ask(pathOf());
    await until('all frames', () => radio.body().length >= 500 * FRAME_BYTES);
    assert.deepEqual(radio.body(), framesFrom(0, 500));
    assert.match(radio.head(), /^HTTP\/1\.0 200 OK\r\nContent-Type: audio\/mpeg\r\n/);
    assert.match(calls[0]?.head ?? '', /Via: 1\.0 longwave\r\n/);
    assert.match(calls[0]?.head ?? '', /User-Agent: longwave\/[\d.]+ \(relay/);
    radio.socket.destroy();
    await until('the station is left', () => calls.some(isLeft), 2000);
  });

  test('a station that hangs up is called again, and the radio hears whole frames throughout', async () => {
    onCall = (socket, call) => {
      socket.write(OK);
      socket.write(framesFrom(1000 * call, 100));
      // In the middle of a frame.
      if (call < 3) socket.end(frame(0).subarray(0, 90));
    };
    const radio = ask(pathOf());
    await until('the third connection', () => radio.body().length >= 300 * FRAME_BYTES);
    const numbers = numbersIn(radio.body());
    assert.deepEqual(
      numbers.slice(0, 100),
      Array.from({ length: 100 }, (_none, n) => 1000 + n),
    );
    assert.deepEqual(
      numbers.slice(200),
      Array.from({ length: 100 }, (_none, n) => 3000 + n),
    );
    radio.socket.destroy();
  });

  test('a station that falls silent is called again, and until then there is silence', async () => {
    onCall = (socket, call) => {
      socket.write(OK);
      socket.write(framesFrom(1000 * call, 50));
    };
    const radio = ask(pathOf());
    await until('another connection', () => numbersIn(radio.body()).includes(2049));
    const numbers = numbersIn(radio.body());
    assert.deepEqual(
      numbers.slice(0, 50),
      Array.from({ length: 50 }, (_none, n) => 1000 + n),
    );
    const silent = numbers.slice(50, numbers.indexOf(2000));
    assert.ok(silent.length > 20 && silent.every((number) => number === 0), `${silent.length} silent frames`);
    radio.socket.destroy();
  });

  test('Icecast says 404 while a studio connects anew: the radio waits, and hears on', async () => {
    onCall = (socket, call) => {
      const isThere = call === 1 || call === 4;
      socket.write(isThere ? OK : 'HTTP/1.0 404 Not Found\r\n\r\nno such mount');
      if (isThere) socket.write(framesFrom(1000 * call, 50));
      if (call < 4) socket.end();
    };
    const radio = ask(pathOf());
    await until('the station is back', () => numbersIn(radio.body()).includes(4049));
    assert.equal(radio.socket.closed, false);
    radio.socket.destroy();
  });

  test('a relay is renewed while the station is away: the radio waits, and hears on', async () => {
    onCall = (socket, call) => {
      const isThere = call === 1 || call === 4;
      socket.write(isThere ? OK : 'HTTP/1.0 404 Not Found\r\n\r\nno such mount');
      if (isThere) socket.write(framesFrom(1000 * call, 50));
      else socket.end();
    };
    const radio = ask(pathOf());
    await until('it plays', () => numbersIn(radio.body()).includes(1049));
    await using old = relay;
    const renewed = openRelay();
    relay = renewed;
    await renewed.listen(0, '127.0.0.1');
    await old?.handOver(async (listener, socket) => void renewed.adopt(listener, socket));
    await until('the station is back', () => numbersIn(radio.body()).includes(4049));
    assert.equal(radio.socket.closed, false);
    radio.socket.destroy();
  });

  test('a station that is gone is told of, and not asked again', async () => {
    onCall = (socket) => void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    const radio = ask(pathOf());
    await radio.ended;
    assert.match(radio.head(), /^HTTP\/1\.0 502 /);
    assert.match(radio.body().toString(), /the station cannot be heard: it answers 404 Not Found/);
    assert.equal(calls.length, 1);
  });

  test('titles come only to who asks for them', async () => {
    const block = Buffer.concat([Buffer.of(2), Buffer.from("StreamTitle='Fado';".padEnd(32, '\0'))]);
    const unit = framesFrom(0, 100);
    onCall = (socket) => {
      socket.write(`HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: ${unit.length}\r\n\r\n`);
      for (let n = 0; n < 3; n += 1) socket.write(Buffer.concat([unit, block]));
    };
    const [plain, titled] = [ask(pathOf()), ask(pathOf(), 'Icy-MetaData: 1\r\n')];
    await until(
      'three units',
      () => plain.body().length >= 300 * FRAME_BYTES && titled.body().length >= 300 * FRAME_BYTES,
    );
    assert.equal(numbersIn(plain.body()).length, 300);
    assert.doesNotMatch(plain.head(), /icy/i);
    assert.match(titled.head(), /icy-name: Harbour\r\nicy-metaint: 16000/);
    assert.match(titled.body().toString('latin1'), /StreamTitle='Fado';/);
  });

  test('where sharing is allowed, the station is called once, and who joins hears what the others hear', async () => {
    isShared = true;
    await restart();
    onCall = (socket) => {
      let sent = 500;
      socket.write(OK);
      socket.write(framesFrom(0, 500));
      const timer = setInterval(() => socket.write(framesFrom((sent += 10) - 10, 10)), 20);
      socket.on('close', () => clearInterval(timer));
    };
    const first = ask(pathOf(7, 'a'));
    await until('the first plays', () => first.body().length >= 700 * FRAME_BYTES);
    const [second, other] = [ask(pathOf(7, 'b')), ask(pathOf(8, 'c'))];
    await until('they play', () => [second, other].every((radio) => radio.body().length > 600 * FRAME_BYTES));
    assert.equal(calls.length, 2, 'one call for each stream');
    assert.match(calls[0]?.head ?? '', /\(relay; for several listeners\)/);
    const [heard = 0, ...more] = numbersIn(second.body());
    assert.deepEqual(
      more,
      more.map((_none, n) => heard + 1 + n),
    );
    first.socket.destroy();
    const soFar = second.body().length;
    await until('it plays on', () => second.body().length > soFar + 100 * FRAME_BYTES);
    assert.equal(calls.some(isLeft), false);
    second.socket.destroy();
    other.socket.destroy();
  });

  test('who joins while the station is still being called waits for it, and is told when there is nothing to hear', async () => {
    isShared = true;
    await restart();
    const { promise: both, resolve } = Promise.withResolvers<void>();
    onCall = (socket) =>
      void both.then(() => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'));
    const radios = [ask(pathOf(7, 'a')), ask(pathOf(7, 'b'))];
    await until('the station is called', () => calls.length === 1);
    resolve();
    for (const radio of radios) {
      await radio.ended;
      assert.match(radio.head(), /^HTTP\/1\.0 502 /);
    }
    assert.equal(calls.length, 1);
  });

  const REFUSALS: [what: string, path: () => string, status: RegExp, text: RegExp][] = [
    [
      'an address nobody signed',
      () => '/r/1.c.zzzzz.abcdefgh.abcdefghabcdefgh.mp3',
      /404/,
      /ask the directory/,
    ],
    ['an address of another kind', () => '/http://127.0.0.1/', /404/, /ask the directory/],
    ['an expired one', () => pathOf(7, 'radio', Date.now() - 120_000), /410/, /ask the directory .* again/],
    ['a stream that the directory has not', () => pathOf(404), /404/, /no such stream/],
  ];
  for (const [what, path, status, text] of REFUSALS)
    test(`${what} is refused, and no station is called`, async () => {
      onCall = () => assert.fail('nobody is to be called');
      const radio = ask(path());
      await radio.ended;
      assert.match(radio.head(), new RegExp(`^HTTP/1\\.0 ${status.source} `));
      assert.match(radio.body().toString(), text);
      assert.equal(calls.length, 0);
    });

  test('who is not at home is refused before anything else', async () => {
    isHome = false;
    const radio = ask(pathOf());
    await radio.ended;
    assert.match(radio.head(), /^HTTP\/1\.0 403 /);
  });

  test('two for a radio, three in all: the next ones are told to wait', async () => {
    onCall = (socket) => {
      socket.write(OK);
      socket.write(framesFrom(0, 20));
    };
    const radios = [ask(pathOf(1, 'a')), ask(pathOf(2, 'a'))];
    await until('two play', () => radios.every((radio) => radio.body().length > 0));
    const third = ask(pathOf(3, 'a'));
    await third.ended;
    assert.match(third.body().toString(), /this radio listens already/);
    radios.push(ask(pathOf(4, 'b')));
    await until('three play', () => radios.every((radio) => radio.body().length > 0));
    const full = ask(pathOf(5, 'c'));
    await full.ended;
    assert.match(full.head(), /^HTTP\/1\.0 503 /);
    radios[0]?.socket.destroy();
    await until('a place is free', () => calls.some(isLeft), 2000);
    const again = ask(pathOf(6, 'c'));
    await until('it plays', () => again.body().length > 0);
    for (const radio of [...radios, again]) radio.socket.destroy();
  });

  test('HEAD gets the head alone, other methods a refusal, and the relay says whether it is ready', async () => {
    onCall = (socket) => {
      socket.write(OK);
      socket.write(framesFrom(0, 20));
    };
    const head = ask(pathOf(), '', 'HEAD');
    await head.ended;
    assert.match(head.head(), /^HTTP\/1\.0 200 OK/);
    assert.equal(head.body().length, 0);
    const post = ask(pathOf(), '', 'POST');
    await post.ended;
    assert.match(post.head(), /^HTTP\/1\.0 405 /);
    const ready = ask('/r/ready');
    await ready.ended;
    assert.match(ready.head(), /^HTTP\/1\.0 200 OK/);
  });
});
