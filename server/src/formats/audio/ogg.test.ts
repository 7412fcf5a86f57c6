import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { oggSong, opusBitrate } from './ogg.ts';

/** A second of Ogg by ffmpeg, with these comments. */
function ogg(codec: string, comments: Readonly<Record<string, string>>): Buffer {
  const metadata = Object.entries(comments).flatMap(([name, text]) => ['-metadata', `${name}=${text}`]);
  const source = ['-nostdin', '-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=d=1'];
  return execFileSync('ffmpeg', [...source, '-c:a', codec, ...metadata, '-f', 'ogg', '-'], {
    maxBuffer: 2 ** 24,
  });
}

const JOGA = { title: 'Jóga', artist: 'Björk', album: 'Homogenic' };

for (const codec of ['libvorbis', 'libopus', 'flac']) {
  const first = ogg(codec, JOGA);
  test(`${codec}: the song of its comments, and of the next in the chain`, () => {
    assert.deepEqual(oggSong(first), JOGA);
    const next = ogg(codec, { title: 'Nina Simone - Feeling Good' });
    const chain = Buffer.concat([first.subarray(300), next]);
    assert.deepEqual(oggSong(chain), { artist: 'Nina Simone', title: 'Feeling Good' });
    assert.equal(
      oggSong(Buffer.concat([first, ogg(codec, {})])),
      undefined,
      'who says nothing plays nothing',
    );
    assert.equal(oggSong(ogg(codec, { title: 'Unknown', artist: 'Unknown' })), undefined);
  });

  test(`${codec}: comments over several pages, cut off, or missing`, () => {
    const long = ogg(codec, { ...JOGA, comment: 'x'.repeat(70_000) });
    assert.deepEqual(oggSong(long), JOGA);
    assert.deepEqual(oggSong(long.subarray(0, 3000)) ?? JOGA, JOGA);
    assert.equal(oggSong(first.subarray(first.length - 2000)), undefined);
    for (let length = 0; length < 400; length += 7) oggSong(first.subarray(0, length));
  });
}

const sized = (text: Buffer): Buffer => Buffer.concat([Buffer.from([text.length, 0, 0, 0]), text]);

test('several artists are named together', () => {
  const comments = ['TITLE=T', 'artist=A', 'ARTIST=B', 'no equals', '=x'].map((text) => Buffer.from(text));
  const packet = Buffer.concat([
    Buffer.from('OpusTags'),
    sized(Buffer.from('vendor')),
    Buffer.from([comments.length, 0, 0, 0]),
    ...comments.map((comment) => sized(comment)),
  ]);
  const page = Buffer.alloc(28);
  page.write('OggS');
  page[5] = 2;
  page[26] = 1;
  page[27] = packet.length;
  assert.deepEqual(oggSong(Buffer.concat([page, packet])), { artist: 'A, B', title: 'T' });
  page[5] = 0;
  assert.equal(oggSong(Buffer.concat([page, packet])), undefined, 'in the middle of a stream all is sound');
});

const encode = (kbps: number, seconds: number): Buffer => {
  const tone = `-nostdin -loglevel error -f lavfi -i sine=frequency=440:sample_rate=48000 -t ${seconds}`;
  const opus = `-c:a libopus -b:a ${kbps}k -vbr off -f ogg -`;
  return execFileSync('ffmpeg', `${tone} ${opus}`.split(' '), { maxBuffer: 2 ** 24 });
};
/** Two pages: what it is, and the comments. */
const headersOf = (bytes: Buffer): Buffer =>
  bytes.subarray(0, bytes.indexOf('OggS', bytes.indexOf('OggS', 1) + 1));

test('the bitrate is that of the sound, from the beginning and from the middle', () => {
  for (const kbps of [24, 48, 96]) {
    const bytes = encode(kbps, 10);
    const piece = kbps * 500;
    assert.equal(opusBitrate(bytes.subarray(0, piece)), kbps);
    assert.equal(opusBitrate(Buffer.concat([headersOf(bytes), bytes.subarray(piece, 2 * piece)])), kbps);
  }
});

test('of too little sound and of no sound at all nothing is known', () => {
  const bytes = encode(48, 2);
  assert.equal(opusBitrate(headersOf(bytes)), undefined);
  assert.equal(opusBitrate(Buffer.from('OggS'.repeat(100))), undefined);
  assert.equal(opusBitrate(Buffer.alloc(0)), undefined);
});

test('of two songs in a row the newer one counts', () => {
  const [older, newer] = [encode(96, 2), encode(32, 2)];
  assert.equal(opusBitrate(Buffer.concat([older, newer])), 32);
});
