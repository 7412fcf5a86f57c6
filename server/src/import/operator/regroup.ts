import { guideId } from '../../lib/guide-id.ts';
import { addChange, type ChangeRow } from '../../storage/catalog/stations/station-changes.ts';
import { holdStations } from '../../storage/catalog/stations/station-fields.ts';
import {
  joinStation,
  listStreamIds,
  markMerged,
  markUnmerged,
  type Moved,
  moveBack,
  moveBelongings,
  moveStreams,
  partStation,
} from '../../storage/catalog/stations/move-streams.ts';
import { getEditableStation, type Hand, isHidden, rederive } from './hand.ts';

/**
 * Makes the streams and records of one station those of another, with all that refers to it. Its id stays and answers as
 * the other one. Returns the change's number.
 */
export async function mergeStations(hand: Hand, keptId: number, goneId: number): Promise<number> {
  const [kept, gone] = [guideId('s', keptId), guideId('s', goneId)];
  if (keptId === goneId) throw new Error(`give two stations: ${kept} cannot be merged into itself`);
  const { client, who, why } = hand;
  // Both in one order, whichever is merged into which.
  await holdStations(client, [keptId, goneId]);
  const stations = [await getEditableStation(hand, keptId), await getEditableStation(hand, goneId)];
  const hidden = stations.find(isHidden);
  if (hidden && !stations.every(isHidden)) {
    const name = guideId('s', hidden.id);
    throw new Error(
      `${name} is hidden and the other is not: hide both or neither first (longwave station show ${name})`,
    );
  }
  const [keptWord, goneWord] = stations.map(({ values }) => values['relay']);
  if (typeof goneWord === 'string' && goneWord !== keptWord)
    throw new Error(
      `${gone} says relay=${goneWord}, and ${kept} does not: say so there first (longwave station set ${kept} relay=${goneWord})`,
    );
  const before = {
    [kept]: { streams: await listStreamIds(client, keptId) },
    [gone]: { streams: await listStreamIds(client, goneId) },
  };
  const moved = await joinStation(client, keptId, goneId);
  await rederive(hand, [keptId]);
  const change = {
    stationId: keptId,
    otherStationId: goneId,
    action: 'merge',
    before,
    after: moved,
  } as const;
  return addChange(client, { ...change, who, why });
}

/** Makes some streams of a station, with their records, a station of their own. */
export async function splitStation(
  hand: Hand,
  stationId: number,
  streamIds: readonly number[],
): Promise<{ change: number; newStation: number }> {
  const { client, who, why } = hand;
  const station = await getEditableStation(hand, stationId);
  const name = guideId('s', stationId);
  if (isHidden(station))
    throw new Error(`${name} is hidden; unhide it first, split it, and then hide what is to be hidden`);
  const own = await listStreamIds(client, stationId);
  const wanted = [...new Set(streamIds)];
  if (wanted.length === 0) throw new Error(`give the streams of ${name} to split off`);
  const other = wanted.find((id) => !own.includes(id));
  if (other !== undefined)
    throw new Error(`${name} has no stream e${other}; longwave station show ${name} lists its streams`);
  if (wanted.length === own.length)
    throw new Error(`these are all streams of ${name}; leave it at least one, or nothing is split`);
  const newStation = await partStation(client, stationId);
  const moved = await moveStreams(client, { from: stationId, to: newStation, streams: wanted });
  await rederive(hand, [stationId, newStation]);
  const change = await addChange(client, {
    stationId,
    otherStationId: newStation,
    action: 'split',
    before: { [name]: { streams: own } },
    after: moved,
    who,
    why,
  });
  return { change, newStation };
}

/** Undoes a merge or a split, and writes that down. What came since goes with its stream. */
export async function undoMove(hand: Hand, change: ChangeRow): Promise<void> {
  const { client, who, why } = hand;
  const { id, station_id: stationId, other_station_id: otherId, action } = change;
  if (otherId === null) throw new Error(`change ${id} names no other station; it cannot be undone`);
  const moved = movedBy(change);
  if (action === 'merge') {
    await markUnmerged(client, otherId, stationId, moved.followers);
    await moveBack(client, stationId, otherId, moved);
  } else {
    await moveStreams(client, {
      from: otherId,
      to: stationId,
      streams: await listStreamIds(client, otherId),
    });
    await moveBelongings(client, stationId, otherId);
    await markMerged(client, otherId, stationId);
  }
  await rederive(hand, [stationId, otherId]);
  const [before, after] = [change.after, change.before];
  await addChange(client, {
    stationId,
    otherStationId: otherId,
    action: 'revert',
    before,
    after,
    who,
    why,
    reverts: id,
  });
}

const VISIBILITY = ['hide', 'unhide', 'takedown'];

/**
 * Whether a later change keeps a merge or a split from being undone: one that moved the same streams on, or that was made
 * for a station as it is now. What is hidden as a whole must not come back in parts.
 */
export function isInTheWayOfMove(change: ChangeRow, later: ChangeRow): boolean {
  const { station_id: stationId, other_station_id: otherId } = change;
  if (later.station_id === otherId || later.other_station_id === otherId) return true;
  if (VISIBILITY.includes(later.action) || later.other_station_id === stationId) return true;
  if (change.action !== 'merge' || later.action !== 'split') return false;
  const streams = new Set(movedBy(change).streams);
  return movedBy(later).streams.some((id) => streams.has(id));
}

const NOTHING: Moved = {
  streams: [],
  records: [],
  aliases: [],
  reports: [],
  keys: [],
  songs: [],
  presets: [],
  schedule: false,
  followers: [],
};

const movedBy = ({ after }: ChangeRow): Moved => ({ ...NOTHING, ...Object(after) });
