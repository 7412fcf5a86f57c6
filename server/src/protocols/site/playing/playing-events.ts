import type { Directory } from '../../../core/directory/directory.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import { Fault } from '../../../lib/fault.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import type { EventEndpoint } from '../../../net/http/endpoints/event-endpoint.ts';
import type { Watch } from './watch.ts';

/** More than a page shows. */
const MAX_STATIONS = 20;

/** Pushes the songs of the stations on a page as they change. */
export const playingEvents = (directory: Pick<Directory, 'current'>, watch: Watch): EventEndpoint => ({
  path: '/listen/api/playing',
  prepare: (query) => {
    const ids = parseIds(idsIn(query), directory);
    return (stream) => watch.add(stream, ids);
  },
});

const idsIn = (query: URLSearchParams): string[] =>
  query
    .getAll('ids')
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');

function parseIds(texts: readonly string[], directory: Pick<Directory, 'current'>): number[] {
  const snapshot = directory.current();
  const asked = [...new Set(texts)];
  if (asked.length === 0 || asked.length > MAX_STATIONS)
    throw invalid(`Give 1 to ${MAX_STATIONS} stations: ids=s1,s2`);
  return asked.map((text) => {
    const id = numberOf('s', text);
    if (id === undefined || !findStation(snapshot, id))
      throw invalid("One of the 'ids' is not a known station; give ids such as s123");
    return id;
  });
}

const invalid = (message: string): Fault => new Fault(400, 'request.idInvalid', message);
