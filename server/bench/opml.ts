import { chunksOf, compose, fillIn } from '../src/formats/opml/compile.ts';
import type { OpmlDocument, Outline } from '../src/formats/opml/document.ts';
import { suffixOf } from '../src/formats/opml/links.ts';
import { groupOutline, moreStations, stationOutline } from '../src/formats/opml/outlines.ts';
import type { StationFacts } from '../src/formats/opml/outlines.ts';
import { stationLines } from '../src/protocols/radiotime/outlines/station-lines.ts';
import { writeXml } from '../src/formats/opml/write-xml.ts';

const ROUNDS = 60;
/** Rounds until the runtime has compiled everything; they do not count. */
const WARM_UP_ROUNDS = 10;
const CALLS_PER_ROUND = 200;

const NAMES = [
  'Radio Zürich',
  'Радио Сибирь',
  'Rock & Pop',
  'ラジオ東京',
  'Ràdio Andorra',
  'Classic "Gold"',
  'Harbour Folk',
];
const PLACES = ['Zürich, Schweiz', 'Новосибирск, Россия', 'Santiago, Chile', '東京, 日本', 'Cork, Ireland'];
const origin = 'http://opml.example.org';
const suffix = suffixOf({ formats: 'mp3,aac,ogg,hls', partnerId: 'demo', serial: '00:0e:58:aa:bb:cc' });

const stations: StationFacts[] = Array.from({ length: 50 }, (_none, index) => ({
  id: 900_100 + index,
  name: `${NAMES[index % NAMES.length]} ${index}`,
  genreName: 'Folk',
  genreId: 79,
  placeName: PLACES[index % PLACES.length],
  slogan: index % 3 === 0 ? undefined : `Songs & stories from ${PLACES[index % PLACES.length]}`,
  languageName: 'English',
  bitrate: 128,
  reliability: 96,
  formats: 3,
}));

function menu(lines: readonly Outline[]): OpmlDocument {
  const more = {
    path: '/Browse.ashx',
    params: [
      ['offset', '50'],
      ['id', 'g79'],
    ] as const,
    filter: 's',
  };
  return { title: 'Folk', outlines: [groupOutline('Stations', 'stations', [...lines, moreStations(more)])] };
}

const source = {
  owner: stations,
  language: 'en',
  count: stations.length,
  factsOf: (rank: number) => stations[rank]!,
};
const ranks = [...stations.keys()];
const kept = (): OpmlDocument => menu(stationLines(source, ranks, 'byGenre'));
const anew = (): OpmlDocument => menu(stations.map((station) => stationOutline(station, 'byGenre')));

/** A menu of 50 stations for one caller, built in four ways; what counts is how they compare within each round. */
export async function run(): Promise<void> {
  const prepared = Buffer.from(writeXml(anew(), { origin, suffix }));
  const room = Buffer.alloc(prepared.length);
  const compiled = chunksOf(compose('xml', kept(), origin));
  const ways: [name: string, body: () => Buffer][] = [
    ['copy of the finished bytes', () => Buffer.from(prepared)],
    ['compiled menu, suffix spliced in', () => fillIn(compiled, suffix, () => room)],
    ['built from lines made once', () => fillIn(compose('xml', kept(), origin), suffix, () => room)],
    ['built outline by outline', () => Buffer.from(writeXml(anew(), { origin, suffix }))],
  ];
  for (const [name, body] of ways) if (!body().equals(prepared)) throw new Error(`${name}: other bytes`);
  const medians = measure(ways.map(([, body]) => body));
  const [copyMicros = 1] = medians;
  console.log(
    `A menu of ${stations.length} stations, ${prepared.length} bytes; medians of ${ROUNDS} rounds\n`,
  );
  console.log('| body | µs | in copies |\n|---|---|---|');
  for (const [index, micros] of medians.entries()) {
    console.log(`| ${ways[index]?.[0]} | ${micros.toFixed(1)} | ${(micros / copyMicros).toFixed(1)} |`);
  }
}

/** Microseconds per call, the median of the rounds. */
function measure(bodies: readonly (() => Buffer)[]): number[] {
  const times: number[][] = bodies.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [index, body] of bodies.entries()) {
      const startedAt = performance.now();
      for (let call = 0; call < CALLS_PER_ROUND; call += 1) body();
      if (round >= 0) times[index]?.push(((performance.now() - startedAt) * 1000) / CALLS_PER_ROUND);
    }
  }
  return times.map((micros) => micros.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0);
}
