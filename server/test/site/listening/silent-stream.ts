import { Readable } from 'node:stream';
import { importStations } from '../../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../../src/import/sources/radio-browser/record.ts';
import { uuidOf } from '../../../src/lib/ids.ts';
import { waitFor, waitUntil } from '../../time/wait-until.ts';
import type { Farm } from '../../streams/farm.ts';
import { address } from '../../streams/hosts.ts';

/** In the internet of the farm, where nobody else is. */
const AT = '93.184.216.60';
const ADDRESS = `http://${AT}/silent`;
const SERVE = `require('node:net').createServer((socket) => socket.on('error', () => {}))
  .listen(80, '${AT}', () => console.log('open'))`;

export interface SilentStation {
  id: string;
  name: string;
  /** Of its first stream, which takes calls and never says a word. */
  silentAddress: string;
}

/** A station whose first stream is worse than dead: nothing tells a player that it will never play. */
export async function addSilentStation({ house, pool, get }: Farm): Promise<SilentStation> {
  const name = 'Silent Harbour';
  const server = house.start(process.execPath, ['-e', SERVE]);
  await waitFor(server, 'the silent stream', async () => server.said().includes('open') || undefined);
  const streams = [
    { url: ADDRESS, bitrate: 128 },
    { url: address('icecast', '/mp3?silent'), bitrate: 64 },
  ];
  const lines = streams.map((stream) => Buffer.from(`${JSON.stringify(recordOf(name, stream))}\n`));
  await importStations({ pool, source: 'silent', items: readRadioBrowser(Readable.from(lines)) });
  const id = await waitUntil('the station in the directory', async () => {
    const found = await get(`/Search.ashx?query=${encodeURIComponent(name)}`);
    return /guide_id="(s\d+)"/.exec(found)?.[1];
  });
  return { id, name, silentAddress: ADDRESS };
}

const recordOf = (name: string, { url, bitrate }: { url: string; bitrate: number }) => ({
  id: uuidOf(url),
  id_src: 'derived',
  name,
  url,
  homepage: 'http://silent-harbour.example.net/',
  countrycode: 'IE',
  city: 'Cork',
  languages: ['en'],
  tags: ['folk'],
  codec: 'MP3',
  bitrate,
  hls: 0,
  votes: 100,
  lastcheckok: 1,
});
