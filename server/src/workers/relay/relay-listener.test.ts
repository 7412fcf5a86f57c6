import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Writable } from 'node:stream';
import { IcySplitter } from '../../formats/icy/icy-splitter.ts';
import { METAINT } from '../../formats/icy/join-titles.ts';
import { RelayListener } from './relay-listener.ts';
import { SoundRing } from './sound-ring.ts';

const SECOND_BYTES = 10_000;
/** Whoever reads it knows where in the sound each byte was: four bytes say so. */
const second = (n: number): Buffer => {
  const bytes = Buffer.alloc(SECOND_BYTES);
  for (let at = 0; at < SECOND_BYTES; at += 4) bytes.writeUInt32BE(n * SECOND_BYTES + at, at);
  return bytes;
};

/** A radio's connection that takes what it is given only as long as it reads. */
class Radio extends Writable {
  readonly heard: Buffer[] = [];
  #isReading = true;
  #waiting: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.heard.push(chunk);
    if (this.#isReading) done();
    else this.#waiting = done;
  }

  set reads(reads: boolean) {
    this.#isReading = reads;
    if (!reads) return;
    const done = this.#waiting;
    this.#waiting = undefined;
    done?.();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.heard);
  }
}

/** A station with listeners, second by second. */
class Station {
  readonly ring = new SoundRing(true);
  #second = 0;

  play(listeners: readonly RelayListener[], seconds: number): ('slow' | undefined)[] {
    let why: ('slow' | undefined)[] = listeners.map(() => undefined);
    for (let n = 0; n < seconds && !why.includes('slow'); n += 1) {
      const nowMs = this.#second * 1000;
      const piece = this.ring.push(second(this.#second), nowMs);
      why = listeners.map((listener) => listener.tick(piece, nowMs));
      this.#second += 1;
    }
    return why;
  }
}

/** The places in the sound at which something is missing. */
function gapsIn(audio: Buffer): number[] {
  const gaps: number[] = [];
  for (let at = 4; at + 4 <= audio.length; at += 4)
    if (audio.readUInt32BE(at) !== audio.readUInt32BE(at - 4) + 4) gaps.push(at);
  return gaps;
}

const read = (radio: Radio): { audio: Buffer; titles: string[] } => {
  const { audio, titles } = new IcySplitter(METAINT).push(radio.bytes);
  return { audio: Buffer.concat(audio), titles };
};

const join = (station: Station, wantsTitles: boolean): { radio: Radio; listener: RelayListener } => {
  const radio = new Radio();
  const listener = new RelayListener(radio, wantsTitles);
  listener.join(station.ring);
  return { radio, listener };
};

test('whoever is there from the start hears everything, with and without titles', () => {
  const station = new Station();
  const [plain, titled] = [join(station, false), join(station, true)];
  station.ring.title = '';
  station.play([plain.listener, titled.listener], 5);
  station.ring.title = 'Fado';
  station.play([plain.listener, titled.listener], 25);
  assert.deepEqual(plain.radio.bytes, read(titled.radio).audio);
  assert.equal(plain.radio.bytes.length, 30 * SECOND_BYTES);
  assert.deepEqual(read(titled.radio).titles, ['Fado']);
  assert.equal(plain.radio.heard.length, 30, 'one write for a tick');
});

test('whoever joins hears the last seconds at once, then what the others hear, with the title', () => {
  const station = new Station();
  station.ring.title = 'Morna';
  const early = join(station, true);
  station.play([early.listener], 60);
  const [plain, titled] = [join(station, false), join(station, true)];
  const burst = plain.radio.bytes.length;
  assert.ok(burst >= 64 * 1024 && burst < 128 * 1024, `${burst} bytes at once`);
  station.play([early.listener, plain.listener, titled.listener], 20);
  station.ring.title = 'Coladeira';
  station.play([early.listener, plain.listener, titled.listener], 20);
  for (const { audio } of [read(titled.radio), { audio: plain.radio.bytes }]) {
    assert.deepEqual(gapsIn(audio), []);
    assert.deepEqual(audio.subarray(-SECOND_BYTES), second(99));
  }
  assert.deepEqual(read(titled.radio).titles, ['Morna', 'Coladeira']);
  assert.deepEqual(read(early.radio).titles, ['Morna', 'Coladeira']);
});

test('a title that a station repeats is sent once: displays scroll from the start each time', () => {
  const station = new Station();
  const { radio, listener } = join(station, true);
  for (const title of ['Morna', 'Morna', 'Fado', 'Fado', 'Morna']) {
    station.ring.title = title;
    station.play([listener], 5);
  }
  assert.deepEqual(read(radio).titles, ['Morna', 'Fado', 'Morna']);
});

for (const wantsTitles of [false, true])
  test(`a radio that does not read for a while misses that while${wantsTitles ? ', and no title' : ''}`, async () => {
    const station = new Station();
    const { radio, listener } = join(station, wantsTitles);
    station.ring.title = 'before';
    station.play([listener], 3);
    radio.reads = false;
    assert.deepEqual(station.play([listener], 50), [undefined]);
    assert.ok(radio.writableLength < 400_000, `${radio.writableLength} bytes are kept for it`);
    station.ring.title = 'meanwhile';
    station.play([listener], 2);
    radio.reads = true;
    await new Promise(setImmediate);
    station.play([listener], 20);
    const { audio, titles } = wantsTitles ? read(radio) : { audio: radio.bytes, titles: [] };
    assert.equal(gapsIn(audio).length, 1);
    assert.deepEqual(audio.subarray(-4), second(74).subarray(-4), 'it is where the others are');
    if (wantsTitles) assert.deepEqual(titles, ['before', 'meanwhile']);
  });

test('one that reads nothing for half a minute is given up', () => {
  const station = new Station();
  const { radio, listener } = join(station, true);
  radio.reads = false;
  assert.deepEqual(station.play([listener], 200), ['slow']);
});

test('nor is one kept that falls behind again and again', async () => {
  const ring = new SoundRing(false);
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  let why: 'slow' | undefined;
  for (let round = 0; round < 4 && !why; round += 1) {
    radio.reads = false;
    listener.tick(ring.push(Buffer.alloc(400_000), round), round * 1000);
    radio.reads = true;
    await new Promise(setImmediate);
    why = listener.tick(undefined, round * 1000 + 500);
  }
  assert.equal(why, 'slow');
});
