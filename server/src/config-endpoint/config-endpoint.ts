import type { Directory } from '../directory/directory.ts';
import type { Action, Call, Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import type { Coordinate } from '../lib/geo.ts';
import { ALBUM_ART_PATH } from './album-art.ts';
import { apiOutline } from '../opml/config-outlines.ts';
import type { Outline } from '../opml/document.ts';
import { groupOutline } from '../opml/outlines.ts';
import { contentOutlines } from './content.ts';
import { sampleOutlines } from './samples.ts';
import { timeOutlines } from './time.ts';

export interface ConfigEndpointNeeds {
  directory: Pick<Directory, 'current'>;
  /** Where a caller stands of whom nothing else is known. */
  homePlace?: Coordinate | undefined;
  placeOfAddress?: ((ip: string) => { coordinate: Coordinate | undefined } | undefined) | undefined;
}

const LOGOS_PATH = '/logos/';

interface Part {
  /** Of its group, when several parts are asked for at once. */
  key: string;
  tell: (call: Call) => Outline[];
}

/** What an application sets itself up with: the time, texts to show, streams to try its player on. */
export function configEndpoint({ directory, homePlace, placeOfAddress }: ConfigEndpointNeeds): Endpoint {
  const placeOf = ({ caller }: Call): Coordinate | undefined =>
    caller.latlon ?? placeOfAddress?.(caller.geoIp)?.coordinate ?? homePlace;
  const parts = new Map<string, Part>([
    ['time', { key: 'time', tell: (call) => timeOutlines(call, placeOf(call)) }],
    ['contentquery', { key: 'strings', tell: ({ caller }) => contentOutlines(caller.words) }],
    [
      'streamsamplequery',
      { key: 'streams', tell: ({ caller }) => sampleOutlines(directory.current(), caller.formats) },
    ],
    ['api', { key: 'api', tell: ({ caller: { links } }) => [apiOf(links.origin)] }],
  ]);
  const single = [...parts].map(([c, { tell }]): [string, Action] => [
    c,
    (call) => ({ outlines: tell(call) }),
  ]);
  return { paths: ['/Config.ashx'], actions: new Map(single), fallback: () => severalOf(parts) };
}

/** Clients put a `?` and the song behind the address of the lookup, and a cover's name behind that of the pictures. */
const apiOf = (origin: string): Outline => apiOutline(`${origin}${ALBUM_ART_PATH}`, `${origin}${LOGOS_PATH}`);

/** `c=time,contentQuery`: a group for each part. */
const severalOf =
  (parts: ReadonlyMap<string, Part>): Action =>
  (call) => {
    const asked = call.params.list('c').map((name) => parts.get(name.toLowerCase()));
    const known = [...new Set(asked)].filter((part) => part !== undefined);
    if (known.length === 0) {
      const names = [...parts.keys()].join(', ');
      throw new Fault(404, 'api.methodNotFound', `Invalid method: c is one or more of ${names}`);
    }
    return { outlines: known.map(({ key, tell }) => groupOutline(key, key, tell(call))) };
  };
