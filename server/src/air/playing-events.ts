import { findStation } from '../directory/by-id.ts';
import type { Directory } from '../directory/directory.ts';
import type { EventEndpoint } from '../http/event-endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import type { Watch } from './watch.ts';

/** More than a page shows at once. */
const MOST_STATIONS = 20;

/** What the stations on a page of the site play, as it changes. */
export const playingEvents = (directory: Pick<Directory, 'current'>, watch: Watch): EventEndpoint => ({
  path: '/listen/api/playing',
  prepare: ({ params }) => {
    const ids = parseIds(params.list('ids'), directory);
    return (stream) => watch.add(stream, ids);
  },
});

function parseIds(texts: readonly string[], directory: Pick<Directory, 'current'>): number[] {
  const snapshot = directory.current();
  const asked = [...new Set(texts)];
  if (asked.length === 0 || asked.length > MOST_STATIONS)
    throw invalid(`Name 1 to ${MOST_STATIONS} stations: ids=s1,s2`);
  return asked.map((text) => {
    const id = numberOf('s', text);
    if (id === undefined || !findStation(snapshot, id))
      throw invalid("One of the 'ids' is no station here; give an s and a number each");
    return id;
  });
}

const invalid = (message: string): Fault => new Fault(400, 'request.idInvalid', message);
