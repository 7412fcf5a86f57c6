import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../../processes/collect-garbage.ts';
import { FRAME_BYTES, numbersIn } from '../../relay/numbered-frames.ts';
import { Radio, until } from '../../relay/radio.ts';
import { broadcast, OK, openTestRelay, relayKeys } from '../../relay/test-relay.ts';

/** The long form, alone on a machine: `RELAY_CROWD=1000 node scripts/test.ts server/test/drills/relay/relay-crowd.test.ts`. */
const IS_ALONE = process.env['RELAY_CROWD'] !== undefined;
const LISTENERS = 1000;
const STALLED = Number(process.env['RELAY_CROWD'] ?? 50);
/** What `longwave relay` has. */
const TICK_MS = 400;
/** A tick, and what a thousand writes take: what the design asks for. */
const MAX_SILENCE_MS = IS_ALONE ? 500 : 10_000;
const SECONDS = IS_ALONE ? 20 : 3;

const OGG = 'HTTP/1.0 200 OK\r\nContent-Type: audio/ogg\r\n\r\n';

describe('nothing that listeners do stops the music', () => {
  test(`${LISTENERS} at one instant, one of whom never reads: one call of the station, and all others hear on`, async (t) => {
    await using relay = await openTestRelay({ isShared: true, listeners: LISTENERS + 1, tickMs: TICK_MS });
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1, { burstMs: 1000 });
    });
    const stalled = relay.radio(studio.id);
    stalled.socket.pause();
    const radios = Array.from({ length: LISTENERS }, (_none, n) =>
      relay.radio(studio.id, { keeps: n % 50 === 0 }),
    );
    await until('everybody hears something', () => radios.every(({ bytes }) => bytes > 0));
    for (const radio of radios) radio.longestSilenceMs = 0;
    await sleep(SECONDS * 1000);
    await until('everybody hears on', () => radios.every(({ bytes }) => bytes > 100 * FRAME_BYTES));
    const longest = Math.max(...radios.map(({ longestSilenceMs }) => longestSilenceMs));
    t.diagnostic(`the longest silence of ${LISTENERS} was ${longest.toFixed(0)} ms`);
    assert.equal(studio.heads.length, 1, 'the station was called once');
    assert.ok(longest < MAX_SILENCE_MS, `${longest} ms of silence`);
    for (const radio of radios.filter((_none, n) => n % 50 === 0)) {
      const [first = 0, ...more] = numbersIn(radio.body);
      assert.ok(
        more.every((number, n) => number === first + 1 + n),
        'a frame is missing',
      );
    }
    for (const radio of [stalled, ...radios]) radio.socket.destroy();
    await relay.untilNobodyListens();
  });

  test(`${STALLED} that read nothing: little is kept for them, and who reads hears everything`, async (t) => {
    await using relay = await openTestRelay({ isShared: true, listeners: STALLED + 1 });
    // So fast that the system's own buffers are full within seconds.
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1, { burstMs: 1000, speed: 200 });
    });
    using good = relay.radio(studio.id, { keeps: false });
    const radios = Array.from({ length: STALLED }, () => relay.radio(studio.id, { keeps: false }));
    for (const radio of radios) radio.socket.pause();
    while ((await relay.gauge('relay_listeners')) < STALLED + 1) await sleep(50);
    collectGarbage();
    const before = process.memoryUsage();
    const heard = good.bytes;
    await until('much is sent', () => good.bytes - heard > 12 * 2 ** 20);
    collectGarbage();
    const now = process.memoryUsage();
    const grown = (now.arrayBuffers + now.heapUsed - before.arrayBuffers - before.heapUsed) / 2 ** 20;
    t.diagnostic(`${grown.toFixed(1)} MiB more for ${STALLED} that read nothing`);
    // What one may be behind, each at another place, of twelve that were sent.
    assert.ok(grown < 16 + 0.4 * STALLED, `${grown} MiB`);
    for (const radio of radios) radio.socket.destroy();
  });

  test('connections that nobody closes do not keep others out: refused ones, half a request, and looks at the head', async () => {
    // As many connections as a relay of 20 listeners takes.
    await using relay = await openTestRelay({ listeners: 20 });
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1);
    });
    const facts = { streamId: studio.id, variant: 'c', who: relayKeys.whoOf('head'), format: 'mp3' } as const;
    const head = relayKeys.sign(facts, Date.now() + 3_600_000);
    const asked = [
      'GET /r/1.c.zzzzz.abcdefgh.abcdefghabcdefgh.mp3 HTTP/1.0\r\n\r\n',
      'GET /r/1.c.zz',
      `HEAD ${head} HTTP/1.0\r\n\r\n`,
    ];
    const open: Socket[] = [];
    for (let n = 0; n < 120; n += 1) {
      // Two at a time have that name.
      const text = n % 60 === 2 ? asked[2]! : asked[n % 2]!;
      const socket = connect({ port: relay.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
        socket.write(text),
      );
      open.push(socket.on('error', () => undefined).resume());
    }
    await until('all are connected', () => open.every(({ connecting }) => !connecting));
    let isServed = false;
    for (const endMs = performance.now() + 60_000; !isServed && performance.now() < endMs; await sleep(500)) {
      using radio = relay.radio(studio.id);
      await Promise.race([radio.ended, until('sound', () => radio.bytes > 0 || radio.isClosed)]);
      isServed = radio.bytes > 0;
    }
    for (const socket of open) socket.destroy();
    assert.ok(isServed, 'somebody else is served');
  });

  test('HTTP/1.1 with keep-alive, two requests at once, and a range: one answer, without length and parts', async () => {
    await using relay = await openTestRelay();
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1);
    });
    const headers = `Host: relay\r\nConnection: keep-alive\r\nRange: bytes=0-\r\n\r\nGET /r/ready HTTP/1.1\r\n`;
    using radio = relay.radio(studio.id, { version: 'HTTP/1.1', headers });
    await until('sound', () => radio.bytes > 100 * FRAME_BYTES);
    assert.match(radio.head, /^HTTP\/1\.0 200 OK\r\n/);
    assert.match(radio.head, /\r\nConnection: close\r\n/);
    assert.doesNotMatch(radio.head, /content-length|content-range|transfer-encoding/i);
    assert.equal(numbersIn(radio.body)[0], 1);
  });

  for (const [format, connections] of [
    ['opus', 2],
    [null, 2],
    ['mp3', 1],
  ] as const)
    test(`two radios where connections are shared, of a station of ${format ?? 'an unknown format'}: ${connections} of them, and both can read it`, async () => {
      await using relay = await openTestRelay({ isShared: true, format });
      const start = Buffer.concat([Buffer.from('OggS: head;'), Buffer.alloc(20_000, '.')]);
      const studio = await relay.studio((socket): void => {
        if (format !== 'opus') {
          socket.write(OK);
          return void broadcast(socket, 1);
        }
        socket.write(OGG);
        socket.write(start);
        const timer = setInterval(() => socket.write('OggS: a page;'.repeat(100)), 50);
        socket.on('close', () => clearInterval(timer));
      });
      using first = relay.radio(studio.id);
      await until('sound', () => first.bytes > 40_000);
      using second = relay.radio(studio.id);
      await until('sound', () => second.bytes > 40_000);
      assert.equal(studio.heads.length, connections);
      for (const { body } of [first, second])
        if (format === 'opus') assert.deepEqual(body.subarray(0, start.length), start);
        else assert.ok(numbersIn(body).length > 0);
    });

  test('a part of the long file for a device that never hangs up: once it is sent, neither station nor place is kept', async () => {
    await using relay = await openTestRelay({ listeners: 1 });
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1);
    });
    const who = relayKeys.whoOf('file');
    const facts = { streamId: studio.id, variant: 'c', who, format: 'mp3', isFile: true } as const;
    const path = relayKeys.sign(facts, Date.now() + 3_600_000);
    const ask = (range: string) => {
      const socket = connect({ port: relay.port, host: '127.0.0.1', allowHalfOpen: true }, () =>
        socket.write(`GET ${path} HTTP/1.1\r\nRange: ${range}\r\n\r\n`),
      );
      const got: Buffer[] = [];
      socket.on('data', (piece: Buffer) => got.push(piece));
      const ended = until('the end', () => socket.readableEnded, 20_000);
      return { socket, ended, text: () => Buffer.concat(got).toString('latin1') };
    };
    const part = ask('bytes=0-1023');
    await part.ended;
    const [head = '', body = ''] = part.text().split('\r\n\r\n', 2);
    assert.match(head, /^HTTP\/1\.1 206 /);
    assert.equal(body.length, 1024);
    await relay.untilNobodyListens();
    await until('the station is left', () => studio.sockets.size === 0);
    const next = ask('bytes=1024-2047');
    await next.ended;
    assert.match(next.text(), /^HTTP\/1\.1 206 /, 'its place is free');
    const none = ask('bytes=-0');
    await none.ended;
    assert.match(none.text(), /^HTTP\/1\.0 416 /);
    assert.equal(studio.heads.length, 2);
    for (const { socket } of [part, next, none]) socket.destroy();
  });

  test('a radio that looks twice before it plays has one connection to a shared station', async () => {
    await using relay = await openTestRelay({ isShared: true });
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1);
    });
    using look = relay.radio(studio.id, { who: 'one', method: 'HEAD' });
    await look.ended;
    using taste = relay.radio(studio.id, { who: 'one' });
    await until('a taste', () => taste.bytes > 0);
    taste.socket.destroy();
    using play = relay.radio(studio.id, { who: 'one' });
    await until('sound', () => play.bytes > 100 * FRAME_BYTES);
    assert.equal(studio.heads.length, 1);
  });

  test('a clock that is set a year ahead and back: who listens hears on, and who comes is told that its address is old', async (t) => {
    await using relay = await openTestRelay();
    const studio = await relay.studio((socket): void => {
      socket.write(OK);
      broadcast(socket, 1);
    });
    using radio = relay.radio(studio.id, { keeps: false });
    await until('sound', () => radio.bytes > 0);
    const path = relayKeys.sign(
      { streamId: studio.id, variant: 'c', who: relayKeys.whoOf('other'), format: 'mp3' },
      Date.now() + 3_600_000,
    );
    const nowMs = Date.now();
    const clock = t.mock.method(Date, 'now', () => nowMs + 365 * 86_400_000);
    const soFar = radio.bytes;
    using late = new Radio(relay.port, path);
    await late.ended;
    assert.match(late.head, /^HTTP\/1\.0 410 /);
    await until('it goes on', () => radio.bytes > soFar + 20 * FRAME_BYTES);
    clock.mock.mockImplementation(() => nowMs - 365 * 86_400_000);
    const before = radio.bytes;
    await until('it goes on', () => radio.bytes > before + 20 * FRAME_BYTES);
    clock.mock.restore();
    using again = new Radio(relay.port, path);
    await until('it is served', () => again.bytes > 0);
    assert.equal(studio.heads.length, 2);
  });
});
