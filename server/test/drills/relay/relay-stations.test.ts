import assert from 'node:assert/strict';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { operatorsChoice } from '../../../src/net/fetch/policy.ts';
import { makeAuthority } from '../../servers/certificates.ts';
import { portOf } from '../../servers/port-of.ts';
import { FRAME_BYTES, framesFrom, numbersIn } from '../../relay/numbered-frames.ts';
import { type Radio, until } from '../../relay/radio.ts';
import { broadcast, OK, openTestRelay, type TestRelay } from '../../relay/test-relay.ts';

/** Of this process, while it waits for a station. */
const MAX_STALL_MS = 200;
/** What a player has at least before it is silent. */
const MAX_SILENCE_MS = 8000;
const NOT_FOUND = 'HTTP/1.0 404 Not Found\r\n\r\nno such mount';
const HTML = `HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><title>Our programme</title>${' '.repeat(2000)}`;

const hears = (radio: Radio, number: number): Promise<void> =>
  until(`frame ${number}`, () => numbersIn(radio.body).includes(number));
const silentIn = (radio: Radio): number => numbersIn(radio.body).filter((number) => number === 0).length;

/** Stations that do what stations do, all at the same time, at one relay. */
describe('nothing that a station does stops the music', { concurrency: true }, () => {
  let relay: TestRelay;
  const authority = makeAuthority();
  const [good, expired] = [authority.issue('IP:127.0.0.1'), authority.issue('IP:127.0.0.1', -1)];
  before(async () => {
    relay = await openTestRelay();
  });
  after(() => relay[Symbol.asyncDispose]());

  test('away for two seconds: not heard', async () => {
    let awaySinceMs: number | undefined;
    const stalls = monitorEventLoopDelay({ resolution: 20 });
    const studio = await relay.studio((socket, call): void => {
      const isAway = awaySinceMs !== undefined && performance.now() - awaySinceMs < 2000;
      if (isAway) return void socket.end(NOT_FOUND);
      socket.write(OK);
      broadcast(socket, 10_000 * call);
      if (call === 1)
        setTimeout(() => {
          awaySinceMs = performance.now();
          stalls.enable();
          socket.end();
        }, 1000);
    });
    using radio = relay.radio(studio.id);
    await until('the first connection is cut', () => awaySinceMs !== undefined);
    await until('the station is back', () => radio.bytes > 400 * FRAME_BYTES && studio.sockets.size === 1);
    const numbers = numbersIn(radio.body);
    assert.ok(numbers.at(-1)! >= 20_000, 'it hears the second connection');
    // A machine that stands still is late by as much.
    const isLate = stalls.max / 1e6 > MAX_STALL_MS;
    assert.ok(
      silentIn(radio) === 0 || isLate,
      `${silentIn(radio)} silent frames: nobody has to bridge so little`,
    );
    assert.ok(radio.longestSilenceMs < MAX_SILENCE_MS, `${radio.longestSilenceMs} ms`);
  });

  test('away for ten seconds: silence meanwhile, and then the station again', async () => {
    let awaySinceMs: number | undefined;
    const studio = await relay.studio((socket, call): void => {
      if (awaySinceMs !== undefined && performance.now() - awaySinceMs < 10_000)
        return void socket.end(NOT_FOUND);
      socket.write(OK);
      broadcast(socket, 10_000 * call);
      if (call > 1) return;
      setTimeout(() => {
        awaySinceMs = performance.now();
        socket.end();
      }, 500);
    });
    using radio = relay.radio(studio.id);
    await until('the station is away', () => awaySinceMs !== undefined);
    await until('the station is back', () => numbersIn(radio.body).at(-1)! >= 20_000);
    assert.ok(silentIn(radio) > 50, `${silentIn(radio)} silent frames`);
    assert.ok(radio.longestSilenceMs < MAX_SILENCE_MS, `${radio.longestSilenceMs} ms`);
  });

  test('drips: what is too little to be sound counts as nothing, and the station is called again', async () => {
    const studio = await relay.studio((socket, call): void => {
      socket.write(OK);
      if (call > 1) return void broadcast(socket, 10_000 * call);
      socket.write(framesFrom(10_000, 50));
      const [rest, dripped] = [framesFrom(10_050, 10), { bytes: 0 }];
      const drip = setInterval(() => socket.write(rest.subarray(dripped.bytes, (dripped.bytes += 1))), 300);
      socket.on('close', () => clearInterval(drip));
    });
    using radio = relay.radio(studio.id);
    await hears(radio, 20_010);
    assert.ok(radio.longestSilenceMs < MAX_SILENCE_MS, `${radio.longestSilenceMs} ms`);
  });

  test('goes over to a web page in the middle of the sound: called again, and frames are whole', async () => {
    const studio = await relay.studio((socket, call): void => {
      socket.write(OK);
      if (call > 1) return void broadcast(socket, 10_000 * call);
      socket.write(framesFrom(10_000, 50));
      const page = setInterval(
        () => socket.write('<p>We are sorry, but there is no sound at the moment.</p>\n'),
        100,
      );
      socket.on('close', () => clearInterval(page));
    });
    using radio = relay.radio(studio.id);
    await until('the station is called again', () => studio.heads.length > 1);
    await until('it is heard', () => radio.body.includes(framesFrom(20_010, 1)));
  });

  test('answers with a web page while it is away: not a byte of it is sent on', async () => {
    const studio = await relay.studio((socket, call): void => {
      if (call === 2 || call === 3) return void socket.end(HTML);
      socket.write(OK);
      const stop = broadcast(socket, 10_000 * call, { burstMs: 1000 });
      if (call > 1) return;
      stop();
      socket.end();
    });
    using radio = relay.radio(studio.id);
    await hears(radio, 40_010);
    assert.ok(!radio.body.includes('programme'));
  });

  test('sends cookies with its redirect, and wants them back', async () => {
    const studio = await relay.studio((socket, _call, head): void => {
      if (head.startsWith('GET /live HTTP') && !/Cookie: .*session=s1/.test(head))
        return void socket.end(
          'HTTP/1.1 302 Found\r\nSet-Cookie: session=s1; Path=/; HttpOnly\r\nLocation: /live\r\nContent-Length: 0\r\n\r\n',
        );
      socket.write(OK);
      broadcast(socket, 1);
    });
    using radio = relay.radio(studio.id);
    await hears(radio, 20);
    assert.match(studio.heads[1] ?? '', /\r\nCookie: session=s1\r\n/);
  });

  test('leads to an address that is good for one connection: the next way begins at its own', async () => {
    const studio = await relay.studio((socket, call, head): void => {
      const [, token] = /token=(\d+)/.exec(head) ?? [];
      if (token === undefined)
        return void socket.end(`HTTP/1.0 302 Found\r\nLocation: /live?token=${call + 1}\r\n\r\n`);
      if (Number(token) !== call) return void socket.end('HTTP/1.0 403 Forbidden\r\n\r\n');
      socket.write(OK);
      broadcast(socket, 10_000 * call);
      if (call < 6) setTimeout(() => socket.end(), 200);
    });
    using radio = relay.radio(studio.id);
    await hears(radio, 60_010);
    assert.equal(radio.isClosed, false);
  });

  test('refuses us after a while: the radio is let go at once', async () => {
    const studio = await relay.studio((socket, call): void => {
      if (call > 1) return void socket.end('HTTP/1.0 403 Forbidden\r\n\r\n');
      socket.write(OK);
      socket.end(framesFrom(1, 100));
    });
    using radio = relay.radio(studio.id);
    await radio.ended;
    assert.equal(numbersIn(radio.body).length, 100);
    assert.equal(studio.heads.length, 2);
  });

  test('answers ICY 200, as SHOUTcast does', async () => {
    const studio = await relay.studio((socket): void => {
      socket.write('ICY 200 OK\r\nicy-name:Harbour\r\ncontent-type:audio/mpeg\r\n\r\n');
      broadcast(socket, 1);
    });
    using radio = relay.radio(studio.id);
    await hears(radio, 20);
    assert.match(radio.head, /^HTTP\/1\.0 200 OK\r\nContent-Type: audio\/mpeg\r\n/);
  });

  test('sends chunks, cut anywhere, with titles between: the sound arrives byte for byte', async () => {
    const sound = framesFrom(1, 400);
    const title = Buffer.concat([Buffer.of(2), Buffer.from("StreamTitle='Fado';".padEnd(32, '\0'))]);
    const METAINT = 1009;
    const studio = await relay.studio((socket): void => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: ${METAINT}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const units: Buffer[] = [];
      for (let at = 0; at < sound.length; at += METAINT)
        units.push(sound.subarray(at, at + METAINT), at + METAINT <= sound.length ? title : Buffer.alloc(0));
      const wire = Buffer.concat(units);
      for (let at = 0, size = 1; at < wire.length; at += size, size = 1 + ((size * 7) % 1461)) {
        const chunk = wire.subarray(at, at + size);
        socket.write(
          Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
        );
      }
    });
    using radio = relay.radio(studio.id);
    await until('all of it', () => radio.bytes >= sound.length);
    assert.ok(radio.body.equals(sound));
  });

  test('packs its sound into gzip, though nobody asked for that: told, and nothing of it sent as sound', async () => {
    const studio = await relay.studio((socket): void => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Encoding: gzip\r\n\r\n');
      socket.write(gzipSync(framesFrom(1, 4000)));
    });
    using radio = relay.radio(studio.id);
    await radio.ended;
    assert.match(studio.heads[0] ?? '', /\r\nAccept-Encoding: identity\r\n/);
    assert.match(radio.head, /^HTTP\/1\.0 502 /);
    assert.match(radio.body.toString(), /gzip/);
  });

  test('sends nothing but titles, as fast as it can: it is not read faster than anybody plays', async () => {
    const block = Buffer.concat([Buffer.of(255), Buffer.from("StreamTitle='No sound';".padEnd(4080, '\0'))]);
    const flood = Buffer.concat(Array.from({ length: 16 }, () => Buffer.concat([Buffer.of(0xff), block])));
    let taken = 0;
    const studio = await relay.studio((socket): void => {
      socket.write('HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: 1\r\n\r\n');
      const send = (): void => {
        while (!socket.destroyed && socket.write(flood, () => (taken += flood.length)));
        socket.once('drain', send);
      };
      send();
    });
    const startMs = performance.now();
    using radio = relay.radio(studio.id);
    await sleep(4000);
    radio.socket.destroy();
    const rate = taken / (performance.now() - startMs) / 1000;
    assert.ok(taken > 0, 'it was listened to');
    assert.ok(rate < 12, `${rate.toFixed(1)} MB a second were read`);
  });

  test('is a file, sent as fast as it goes: a radio that plays it misses nothing', async () => {
    const file = framesFrom(1, 40_000);
    const studio = await relay.studio((socket): void => {
      socket.write(`HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: ${file.length}\r\n\r\n`);
      socket.end(file);
    });
    using radio = relay.radio(studio.id);
    radio.socket.pause();
    // A radio reads what it plays; this one is faster, but has less room than the file.
    const reading = setInterval(() => radio.socket.resume(), 100);
    radio.socket.on('data', () => radio.socket.pause());
    await until('the whole file', () => radio.isClosed || radio.bytes >= file.length, 120_000);
    clearInterval(reading);
    assert.ok(
      radio.body.subarray(0, file.length).equals(file),
      `${radio.bytes} bytes, closed: ${radio.isClosed}`,
    );
  });

  test('is a file, and the radio takes nothing for many seconds: the station waits, and is not called again', async () => {
    // More than the system keeps.
    const file = framesFrom(1, 80_000);
    const studio = await relay.studio((socket): void => {
      socket.write(`HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: ${file.length}\r\n\r\n`);
      socket.end(file);
    });
    using radio = relay.radio(studio.id);
    await until('sound', () => radio.bytes > 0);
    radio.socket.pause();
    // The system's own buffers are full after some of them, and a station has fallen silent after five.
    await sleep(13_000);
    assert.ok(radio.bytes < file.length, 'there is more to come');
    radio.socket.resume();
    await until('the whole file', () => radio.isClosed || radio.bytes >= file.length, 120_000);
    assert.ok(
      radio.body.subarray(0, file.length).equals(file),
      `${radio.bytes} bytes, closed: ${radio.isClosed}`,
    );
  });

  test('has a certificate that expires while somebody listens: heard again with the next one', async () => {
    await using secure = await openTestRelay({ policy: { ...operatorsChoice, ca: authority.ca } });
    const connections: TLSSocket[] = [];
    let refusals = 0;
    const studio = createServer(good, (socket) => {
      socket.on('error', () => undefined).write(OK);
      broadcast(socket, 10_000 * connections.push(socket));
    });
    studio.on('tlsClientError', () => (refusals += 1));
    studio.listen(0, '127.0.0.1');
    await once(studio, 'listening');
    using radio = secure.radio(secure.list(`https://127.0.0.1:${portOf(studio)}/live`));
    await hears(radio, 10_010);
    studio.setSecureContext(expired);
    connections[0]?.end();
    await until('the relay refuses the expired one', () => refusals > 0);
    studio.setSecureContext(good);
    await hears(radio, 20_010);
    assert.equal(connections.length, 2, 'nothing was heard with the expired one');
    for (const socket of connections) socket.destroy();
    studio.close();
  });
});
