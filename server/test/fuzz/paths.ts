import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

/** Every page that the source names, so that none can be forgotten, and the protocol's that do not exist here. */
export function listPaths(): string[] {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'));
  const named = files.flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/'(\/[A-Za-z]\w*\.(?:ashx|aspx|axd))'/g)].map(
      ([, path = '']) => path,
    ),
  );
  return [...new Set([...named, ...OTHER_PATHS])];
}

const OTHER_PATHS = [
  ...'Browse Tune Search Describe Preset favorites Account Authenticate Report Options Config Recommend Playing'
    .split(' ')
    .map((name) => `/${name}.ashx`),
  ...'Index Search NowPlaying Register GroupList'.split(' ').map((name) => `/${name}.aspx`),
  '/StationPlaylist.axd',
  '/',
  '/logos/s1q.png',
  '/logos/p1.jpg',
  '/logos/%00g.png',
  '/service/Audio/nostream.enUS.mp3',
  '/AlbumArt.ashx',
];
