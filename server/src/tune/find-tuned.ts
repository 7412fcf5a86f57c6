import { ReadThrough } from '../cache/read-through.ts';
import { findStation as findStoredStation } from '../catalog/stations.ts';
import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import { findStation, findStationOfStream } from '../directory/by-id.ts';
import type { Directory } from '../directory/directory.ts';
import type { DirectoryStation, Snapshot } from '../directory/snapshot.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { Call } from '../http/endpoint.ts';
import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { guideId, numberOf, parseGuideId, type ParsedGuideId } from '../lib/guide-id.ts';
import { ALL_FORMATS } from '../lib/stream-format.ts';
import { isOnNow, listAirings } from './on-air.ts';
import { tuneSaved } from './saved-addresses.ts';
import type { KnownShow, Shows } from './shows.ts';
import { type Tuned, tunedStation, tunedTopic } from './tuned.ts';

export interface FinderNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  shows: Shows;
  doors?: MemberDoors | undefined;
  /** Whether the device of a call is given any stream of a station. */
  plays: (call: Call, station: DirectoryStation) => boolean;
}

/** A number alone is a station; the old name of the parameter is `stationId`. */
export function readId(params: Params): string {
  const text = params.text('id') ?? params.text('stationid') ?? '';
  return /^\d+$/.test(text) ? `s${text}` : text;
}

/** Finds what a call wants to hear: at once when it is in the directory, else by asking the database. */
export class Finder {
  readonly #needs: FinderNeeds;
  readonly #silent: ReadThrough<Tuned | undefined>;

  constructor(needs: FinderNeeds) {
    this.#needs = needs;
    this.#silent = new ReadThrough({
      load: (id) => readSilent(needs.db, Number(id)),
      most: 5000,
      freshMs: 60_000,
      staleMs: 3_600_000,
    });
  }

  find(call: Call): Tuned | Promise<Tuned> {
    const text = readId(call.params);
    const id = parseGuideId(text);
    return (id && findHere(this.#needs.directory.current(), id, call.params)) ?? this.#ask(call, text, id);
  }

  async #ask(call: Call, text: string, id: ParsedGuideId | undefined): Promise<Tuned> {
    const own = id && (await this.#lookUp(call, id));
    const alias = own ? undefined : await this.#needs.aliases.find(text);
    const found = own ?? (alias && (await this.#behindAlias(call, alias)));
    if (!found) throw untunable();
    return found;
  }

  #behindAlias(call: Call, id: ParsedGuideId): Tuned | undefined | Promise<Tuned | undefined> {
    return findHere(this.#needs.directory.current(), id, call.params) ?? this.#lookUp(call, id);
  }

  async #lookUp(call: Call, { letter, number }: ParsedGuideId): Promise<Tuned | undefined> {
    if (letter === 's') return this.#silent.get(String(number));
    if (letter === 'p') return this.#tuneShow(call, await this.#needs.shows.find(number));
    if (letter === 'u') return tuneSaved(call, number, this.#needs);
    const topic = letter === 't' ? await this.#needs.shows.findTopic(number) : undefined;
    return topic && tunedTopic(topic);
  }

  /** On air: the station most people listen to, of those that the caller can play. Else the newest topic. */
  #tuneShow(call: Call, known: KnownShow | undefined): Tuned | undefined {
    if (!known) return undefined;
    const { directory, plays } = this.#needs;
    const asked = { now: call.now, formats: ALL_FORMATS };
    const onAir = listAirings(directory.current(), known, asked).filter(isOnNow);
    const live = onAir.find(({ station }) => plays(call, station));
    if (live) return tunedStation(live.station);
    const [newest] = known.topics;
    if (newest) return tunedTopic(newest);
    // On air, but nowhere this caller can play: it is told so, not that there is nothing.
    const [unplayable] = onAir;
    if (unplayable) return tunedStation(unplayable.station);
    return { name: known.show.title, guideId: guideId('p', known.show.id), streams: [] };
  }
}

/** A stream that is gone leads to its station, when the caller says which that was. */
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

/** A station that is kept but has nothing to hear, so that a radio's button says so instead of nothing. */
async function readSilent(db: Queryable, id: number): Promise<Tuned | undefined> {
  const station = await findStoredStation(db, id);
  return station && { name: station.name, guideId: guideId('s', id), streams: [] };
}

export const untunable = (): Fault =>
  new Fault(
    404,
    'api.methodNotFound',
    'Nothing to tune: give the id of a station (s…), a stream (e…), a show (p…), a topic (t…), or with username or serial of an address saved there (u…)',
  );
