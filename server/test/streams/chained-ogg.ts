import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { House } from '../house/house.ts';
import { waitFor } from '../time/wait-until.ts';
import { nameOf } from './hosts.ts';
import type { Icecast } from './icecast.ts';

export interface OggSong {
  artist: string;
  title: string;
}

export interface ChainedOgg {
  /** The song of this number begins now. */
  play(song: number): Promise<void>;
}

/** By how their files end: Ezstream reads the tags of what ends in `.ogg` as Vorbis, and dies of Opus there. */
const CODECS = {
  ogg: ['libvorbis', '-b:a', '48k'],
  opus: ['libopus', '-b:a', '32k', '-vbr', 'off'],
} as const;
/** A song is played again and again until another one is wanted, each time as a new link. */
const SONG_SECONDS = 30;

/** Ezstream plays songs one after the other, each a link of its own in the Ogg chain, with its own comments. */
export async function startChainedOgg(
  house: House,
  icecast: Icecast,
  { kind, mount, songs }: { kind: keyof typeof CODECS; mount: string; songs: readonly OggSong[] },
): Promise<ChainedOgg> {
  const folder = join(house.folder, `ezstream-${kind}`);
  mkdirSync(folder);
  const files: string[] = [];
  for (const [index, song] of songs.entries())
    files.push(await makeSong(house, folder, { kind, index, song }));
  const want = (song: number): void => writeFileSync(join(folder, 'wanted'), `${files[song]}\n`);
  want(0);
  writeFileSync(join(folder, 'next'), `#!/bin/sh\ncat "${join(folder, 'wanted')}"\n`, { mode: 0o755 });
  const pidFile = join(folder, 'pid');
  const configuration = join(folder, 'ezstream.xml');
  writeFileSync(configuration, settings(folder, { password: icecast.password, mount }), { mode: 0o600 });
  // Its own way to write its number puts it in the background, where nobody hears what it says.
  const script = 'echo $$ > "$1"; exec ezstream -c "$2"';
  const program = house.start('bash', ['-c', script, 'ezstream', pidFile, configuration]);
  await waitFor(program, `${mount} of Ezstream`, async () => {
    const status = await icecast.status();
    return status.includes(`${mount}"`) || undefined;
  });
  return {
    async play(song) {
      want(song);
      await house.run('bash', ['-c', 'kill -USR1 "$(cat "$1")"', 'skip', pidFile]);
    },
  };
}

async function makeSong(
  house: House,
  folder: string,
  { kind, index, song }: { kind: keyof typeof CODECS; index: number; song: OggSong },
): Promise<string> {
  const file = join(folder, `${index}.${kind}`);
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=${440 + 110 * index}:sample_rate=48000`];
  const tags = ['-metadata', `artist=${song.artist}`, '-metadata', `title=${song.title}`];
  const sound = ['-t', `${SONG_SECONDS}`, '-c:a', ...CODECS[kind]];
  await house.run('ffmpeg', [
    '-nostdin',
    '-loglevel',
    'error',
    ...tone,
    ...sound,
    ...tags,
    '-f',
    'ogg',
    file,
  ]);
  return file;
}

const settings = (
  folder: string,
  { password, mount }: { password: string; mount: string },
): string => `<ezstream>
  <servers><server>
    <hostname>${nameOf('icecast')}</hostname><port>80</port><password>${password}</password>
  </server></servers>
  <streams><stream><mountpoint>${mount}</mountpoint><format>Ogg</format></stream></streams>
  <intakes><intake><type>program</type><filename>${join(folder, 'next')}</filename></intake></intakes>
</ezstream>
`;
