import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeFileSync } from 'node:fs';
import { type House, openHouse } from '../house/house.ts';
import { waitUntil } from '../time/wait-until.ts';
import { address, nameOf } from './hosts.ts';
import { songFile } from './serve-hls.ts';
import { SHOUTCAST } from './shoutcast.ts';
import { CHAINED_MOUNT, CHAINED_SONGS, type Streams, startStreams } from './streams.ts';
import { planTown } from './town.ts';

/** Quotes that the protocol does not escape, and letters that its two character sets write differently. */
const TITLE = "Björk - It's 'Oh' So Quiet";

interface Sounds {
  streams: { codec_name: string; sample_rate: string }[];
  format: { format_name: string };
}

describe('the streams of the farm', { concurrency: 4 }, () => {
  let house: House;
  let streams: Streams;
  before(async () => {
    const plan = planTown();
    house = await openHouse(plan.options);
    streams = await startStreams(house, plan);
  });
  after(() => house[Symbol.asyncDispose]());

  const probe = async (stream: string): Promise<Sounds> => {
    const shown = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json'];
    return JSON.parse(await house.run('ffprobe', [...shown, stream]));
  };
  /** The status that a plain call is answered with, 0 where there is no answer; redirects are followed. */
  const status = (stream: string): Promise<string> =>
    house.run('bash', [
      '-c',
      'curl -sSL --max-redirs 8 -m 3 -o /dev/null -w "%{http_code}" "$1"; true',
      'curl',
      stream,
    ]);

  const SOUNDS: readonly [address: string, codec: string, container: string][] = [
    [address('icecast', '/mp3'), 'mp3', 'mp3'],
    [address('icecast', '/latin1'), 'mp3', 'mp3'],
    [address('icecast', '/aac'), 'aac', 'aac'],
    [address('icecast', '/aacp'), 'aac', 'aac'],
    [address('icecast', '/ogg'), 'vorbis', 'ogg'],
    [address('icecast', '/opus'), 'opus', 'ogg'],
    [address('icecast', '/flac'), 'flac', 'ogg'],
    [address('icecast', CHAINED_MOUNT), 'opus', 'ogg'],
    [`https://${nameOf('secure')}/mp3`, 'mp3', 'mp3'],
    [address('moved', '/one'), 'mp3', 'mp3'],
    [address('moved', '/six'), 'mp3', 'mp3'],
    [address('moved', '/secure'), 'mp3', 'mp3'],
    [SHOUTCAST, 'mp3', 'mp3'],
    [address('hls', '/live.m3u8'), 'aac', 'hls'],
    [address('hls', '/songs.m3u8'), 'aac', 'hls'],
    [address('hls', '/master.m3u8'), 'aac', 'hls'],
  ];
  for (const [stream, codec, container] of SOUNDS)
    test(`${stream} is ${codec}`, async () => {
      const heard = await probe(stream);
      assert.deepEqual([heard.streams[0]?.codec_name, heard.format.format_name], [codec, container]);
    });

  const REFUSALS: readonly [address: string, status: string][] = [
    [address('icecast', '/absent'), '404'],
    [address('trouble', '/gone'), '410'],
    [address('trouble', '/refused'), '403'],
    [address('trouble', '/abroad'), '451'],
    [address('trouble', '/full'), '503'],
    [`http://${nameOf('nobody')}:8001/`, '000'],
    [`https://${nameOf('forged')}/mp3`, '000'],
  ];
  for (const [stream, refusal] of REFUSALS)
    test(`${stream} answers ${refusal}`, async () => assert.equal(await status(stream), refusal));

  const get = (list: string): Promise<string> => house.run('curl', ['-fsS', '-m', '5', list]);
  test('playlists lead to the stream, one through another', async () => {
    assert.match(await get(address('lists', '/nested.m3u')), /^http\S+\/inner\.pls$/m);
    for (const list of ['/inner.pls', '/harbour.m3u', '/harbour.asx', '/harbour.xspf'])
      assert.ok((await get(address('lists', list))).includes(address('icecast', '/mp3')), list);
  });

  /** The bytes that a listener gets in two seconds, the titles in them. */
  const listen = async (stream: string): Promise<Buffer> => {
    const ask = 'curl --http0.9 -s -m 2 -H "Icy-MetaData: 1" "$1" | base64 -w0';
    return Buffer.from(await house.run('bash', ['-c', ask, 'listen', stream]), 'base64');
  };
  const hears = (stream: string, bytes: Buffer): Promise<true> =>
    waitUntil(
      `${bytes.toString('latin1')} on ${stream}`,
      async () => (await listen(stream)).includes(bytes) || undefined,
    );

  test('titles reach listeners in the character set of the mount', async () => {
    const { icecast } = streams;
    for (const mount of ['/mp3', '/latin1', '/aac', '/ogg']) await icecast.setTitle(mount, TITLE);
    const block = `StreamTitle='${TITLE}';`;
    await Promise.all([
      hears(address('icecast', '/mp3'), Buffer.from(block)),
      hears(address('icecast', '/latin1'), Buffer.from(block, 'latin1')),
      hears(address('icecast', '/aac'), Buffer.from(block)),
      hears(address('icecast', '/ogg'), Buffer.from("It's 'Oh' So Quiet")),
      hears(SHOUTCAST, Buffer.from(block)),
    ]);
    assert.match((await listen(SHOUTCAST)).toString('latin1', 0, 10), /^ICY 200 OK/);
  });

  test('the next link of an Ogg chain has the comments of the next song', async () => {
    const stream = address('icecast', CHAINED_MOUNT);
    await hears(stream, Buffer.from(CHAINED_SONGS[0].title));
    await streams.chained.play(1);
    await hears(stream, Buffer.from(CHAINED_SONGS[1].title));
  });

  const newestSegment = async (): Promise<Buffer> => {
    const list = await get(address('hls', '/songs.m3u8'));
    const [segment = ''] = list.match(/songs-\d+\.aac/g)?.slice(-1) ?? [];
    return listen(address('hls', `/${segment}`));
  };
  test('HLS segments begin with the song that was on air when they were made', async () => {
    writeFileSync(songFile(house.folder), JSON.stringify({ artist: 'Múm', title: 'Green Grass' }));
    const segment = await waitUntil('a tagged segment', async () => {
      const bytes = await newestSegment();
      return bytes.includes('Green Grass') ? bytes : undefined;
    });
    assert.equal(segment.toString('latin1', 0, 3), 'ID3');
    assert.ok(segment.includes(Buffer.from('\u0003Múm')));
  });
});
