import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { oggSong } from './ogg-song.ts';

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
