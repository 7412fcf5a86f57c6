import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import { findSavedAddress } from '../../../core/accounts/presets/presets.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import { type Aliases, type FindById, findByOwnOrAlias } from '../../../core/directory/lookup/by-any-id.ts';
import { findStation, findStationOfStream } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryStation, Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { Fault } from '../../../lib/fault.ts';
import { guideId, numberOf, type ParsedGuideId } from '../../../lib/guide-id.ts';
import { ALL_FORMATS, topicPlays } from '../../../lib/stream-format.ts';
import { mapSync } from '../../../storage/cache/cached.ts';
import { inTime, READ_MS } from '../../../storage/cache/in-time.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import { findStationRow as findStoredStation } from '../../../storage/catalog/stations/stations.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { readingAccount, type ReadAccess, requirePartner } from '../call/acting-member.ts';
import type { Call } from '../call/endpoint.ts';
import type { Params } from '../call/params.ts';
import { isOnNow, listAirings } from './on-air.ts';
import type { KnownShow, Shows } from './shows.ts';
import { type Tuned, tunedAddress, tunedStation, tunedTopic } from './tuned.ts';

export interface FinderDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  shows: Shows;
  members?: MemberAccess | undefined;
  /** Whether the calling device can play any stream of a station. */
  plays: (call: Call, station: DirectoryStation) => boolean;
}

/** A bare number is a station; `stationId` is the parameter's old name. */
export function readId(params: Params): string {
  const text = params.text('id') ?? params.text('stationid') ?? '';
  return /^\d+$/.test(text) ? `s${text}` : text;
}

/** Finds what a call wants to play: synchronously in the directory, else in the database. */
export class TunedFinder {
  readonly #deps: FinderDeps;
  readonly #silent: ReadThrough<Tuned | undefined>;

  constructor(deps: FinderDeps) {
    this.#deps = deps;
    this.#silent = new ReadThrough({
      load: (id) => readSilent(deps.db, Number(id)),
      most: 5000,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  find(call: Call): Tuned | Promise<Tuned> {
    const { aliases, directory } = this.#deps;
    const find: FindById<Tuned> = (id) =>
      findHere(directory.current(), id, call.params) ?? this.#lookUp(call, id);
    return mapSync(findByOwnOrAlias(readId(call.params), aliases, find), (found) => found ?? refuse());
  }

  async #lookUp(call: Call, { letter, number }: ParsedGuideId): Promise<Tuned | undefined> {
    if (letter === 's') return this.#silent.get(String(number));
    if (letter === 'p') return this.#tuneShow(call, await this.#deps.shows.find(number));
    if (letter === 'u') return tuneSaved(call, number, this.#deps);
    const topic = letter === 't' ? await this.#deps.shows.findTopic(number) : undefined;
    return topic && tunedTopic(topic);
  }

  /** On air: the most popular station that the caller can play. Otherwise the newest topic that it can play, or the newest. */
  #tuneShow(call: Call, known: KnownShow | undefined): Tuned | undefined {
    if (!known) return undefined;
    const { directory, plays } = this.#deps;
    const asked = { now: call.now, formats: ALL_FORMATS };
    const onAir = listAirings(directory.current(), known, asked).filter(isOnNow);
    const live = onAir.find(({ station }) => plays(call, station));
    if (live) return tunedStation(live.station);
    const { formats } = call.caller;
    const newest = known.topics.find((topic) => topicPlays(topic, formats)) ?? known.topics[0];
    if (newest) return tunedTopic(newest);
    // On air, but nowhere in the caller's formats: say so, instead of "nothing to play".
    const [unplayable] = onAir;
    if (unplayable) return tunedStation(unplayable.station);
    return { name: known.show.title, guideId: guideId('p', known.show.id), streams: [] };
  }
}

/** A removed stream falls back to its station, if the caller names it. */
function findHere(snapshot: Snapshot, { letter, number }: ParsedGuideId, params: Params): Tuned | undefined {
  const station = letter === 's' ? findStation(snapshot, number) : undefined;
  if (station) return tunedStation(station);
  if (letter !== 'e') return undefined;
  const owner = findStationOfStream(snapshot, number);
  if (owner)
    return tunedStation(
      owner,
      owner.streams.filter(({ id }) => id === number),
    );
  const parent = numberOf('s', params.text('sid') ?? '');
  const left = parent === undefined ? undefined : findStation(snapshot, parent);
  return left && tunedStation(left);
}

/** An unlisted station without streams, so that a radio's button plays an announcement instead of nothing. */
async function readSilent(db: Queryable, id: number): Promise<Tuned | undefined> {
  const station = await findStoredStation(db, id);
  return station && { name: station.name, guideId: guideId('s', id), streams: [] };
}

function refuse(): never {
  throw new Fault(
    404,
    'api.methodNotFound',
    'Nothing to tune: give the id of a station (s…), a stream (e…), a show (p…), a topic (t…), or, with a username or serial, of a saved address (u…)',
  );
}

/**
 * A listener's saved address. Its id is a guessable number and the address is private: it is only returned to callers
 * who name the account or use one of its devices, like the presets themselves.
 */
async function tuneSaved(call: Call, id: number, members: ReadAccess): Promise<Tuned | undefined> {
  requirePartner(call);
  const { username, serial } = call.caller;
  if (username === undefined && serial === undefined) return undefined;
  const saved = await inTime(() => findOf(call, id, members), READ_MS);
  return saved && tunedAddress(id, saved.label ?? saved.address, saved.address);
}

const findOf = async (call: Call, id: number, members: ReadAccess): ReturnType<typeof findSavedAddress> =>
  findSavedAddress(members.db, await readingAccount(call, members), id);
