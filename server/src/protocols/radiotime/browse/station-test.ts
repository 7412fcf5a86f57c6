import { stationInitial } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation } from '../../../core/directory/snapshot/snapshot.ts';
import { BITRATE, type BrowseFilter, MIN_RELIABILITY } from './filter.ts';

/** The filter's conditions beyond groups; undefined when there are none, which costs nothing. */
export function stationTest(filter: BrowseFilter): ((station: DirectoryStation) => boolean) | undefined {
  const tests = [
    initialTest(filter.initial),
    bitrateTest(filter.bitrate),
    uptimeTest(filter.uptime),
    filter.unplaced ? ({ regionId }: DirectoryStation) => regionId === undefined : undefined,
  ].filter((test) => test !== undefined);
  return tests.length > 0 ? (station) => tests.every((test) => test(station)) : undefined;
}

type Test = ((station: DirectoryStation) => boolean) | undefined;

const initialTest = (initial: string | undefined): Test =>
  initial === undefined ? undefined : (station) => stationInitial(station) === initial;

function bitrateTest(token = ''): Test {
  const [, digits, direction] = BITRATE.exec(token) ?? [];
  if (digits === undefined) return undefined;
  const wanted = Number(digits);
  if (direction === '*') return ({ bitrate }) => bitrate >= wanted;
  // A bitrate of 0 means unknown.
  if (direction === '-') return ({ bitrate }) => bitrate > 0 && bitrate <= wanted;
  return ({ bitrate }) => bitrate === wanted;
}

const uptimeTest = (uptime: BrowseFilter['uptime']): Test =>
  uptime === undefined ? undefined : ({ reliability }) => reliability >= MIN_RELIABILITY[uptime];
