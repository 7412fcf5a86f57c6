import { userInfo } from 'node:os';
import type { Pool } from 'pg';
import { type Author, hideStation, openHand, setFields, unhideStation } from '../../import/operator/hand.ts';
import { readFields } from '../../import/operator/field-values.ts';
import { mergeStations, splitStation } from '../../import/operator/regroup.ts';
import { revertChange } from '../../import/operator/revert.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import { findStationRow } from '../../storage/catalog/stations/stations.ts';
import { UsageError } from '../command.ts';

/** The options of every command that changes stations. */
export interface EditOptions {
  as?: string | undefined;
  why?: string | undefined;
}

const SEEN = 'Running servers show it within seconds.';
const undo = (change: number): string => `Undo it with: longwave station revert ${change}`;

/** Who gave the command: as they say, else the system's user. */
export function authorOf({ as, why }: EditOptions): Author {
  const who = as?.trim() ?? systemUser();
  if (who === '' || who.length > 100) throw new UsageError('--as takes 1 to 100 characters');
  const reason = why?.trim();
  if (reason !== undefined && (reason === '' || reason.length > 1000))
    throw new UsageError('--why takes 1 to 1000 characters');
  return { who, why: reason };
}

/** A container may run as a user that the system has no name for. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

export function stationNumber(action: string, text: string | undefined): number {
  const id = numberOf('s', text ?? '');
  if (id === undefined) throw new UsageError(`give the station: station ${action} s123`);
  return id;
}

type Edit = (pool: Pool, words: readonly string[], options: EditOptions) => Promise<string>;

export const EDITS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ['set', set],
  ['hide', hide],
  ['unhide', unhide],
  ['merge', merge],
  ['split', split],
  ['revert', revert],
]);

async function set(pool: Pool, [id, ...words]: readonly string[], options: EditOptions): Promise<string> {
  const stationId = stationNumber('set', id);
  if (words.length === 0)
    throw new UsageError('give what to set: station set s123 name="Town FM" homepage=https://town.example/');
  const station = await findStationRow(pool, stationId);
  if (!station) throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
  const fields = await readFields(pool, station, words);
  const change = await openHand(pool)(authorOf(options), (hand) => setFields(hand, stationId, fields));
  if (change === undefined) return `${id} is so already; nothing was changed`;
  return `change ${change}: ${id} is set, and imports keep it. ${SEEN}\n${undo(change)}`;
}

async function hide(pool: Pool, [id, ...more]: readonly string[], options: EditOptions): Promise<string> {
  const stationId = stationNumber('hide', id);
  refuseMore(more);
  if (options.why === undefined) throw new UsageError(`say why: station hide ${id} --why "…"`);
  const change = await openHand(pool)(authorOf(options), (hand) => hideStation(hand, stationId));
  return `change ${change}: ${id} is hidden, also from imports. ${SEEN}\n${undo(change)}`;
}

async function unhide(pool: Pool, [id, ...more]: readonly string[], options: EditOptions): Promise<string> {
  const stationId = stationNumber('unhide', id);
  refuseMore(more);
  const change = await openHand(pool)(authorOf(options), (hand) => unhideStation(hand, stationId));
  return `change ${change}: ${id} is no longer hidden. ${SEEN}\n${undo(change)}`;
}

async function merge(pool: Pool, words: readonly string[], options: EditOptions): Promise<string> {
  const [kept, gone, ...more] = words;
  const keptId = stationNumber('merge', kept);
  if (gone === undefined)
    throw new UsageError('give both stations, first the one that stays: station merge s123 s456');
  const goneId = stationNumber('merge', gone);
  refuseMore(more);
  const change = await openHand(pool)(authorOf(options), (hand) => mergeStations(hand, keptId, goneId));
  return `change ${change}: ${gone} is part of ${kept}, and its id leads there. ${SEEN}\n${undo(change)}`;
}

async function split(pool: Pool, [id, ...words]: readonly string[], options: EditOptions): Promise<string> {
  const stationId = stationNumber('split', id);
  if (words.length === 0) throw new UsageError(`give the streams to split off: station split ${id} e55 e56`);
  const streams = words.map((word) => {
    const stream = numberOf('e', /^\d+$/.test(word) ? `e${word}` : word);
    if (stream === undefined) throw new UsageError(`'${word}' is no stream; station show ${id} lists them`);
    return stream;
  });
  const { change, newStation } = await openHand(pool)(authorOf(options), (hand) =>
    splitStation(hand, stationId, streams),
  );
  return `change ${change}: ${words.join(', ')} of ${id} are ${guideId('s', newStation)} now. ${SEEN}\n${undo(change)}`;
}

async function revert(pool: Pool, [id, ...more]: readonly string[], options: EditOptions): Promise<string> {
  if (!/^\d{1,15}$/.test(id ?? ''))
    throw new UsageError('give the number of the change: station revert 17; station history s123 lists them');
  refuseMore(more);
  const change = await openHand(pool)(authorOf(options), (hand) => revertChange(hand, Number(id)));
  return `change ${id} (${change.action} of ${guideId('s', change.station_id)}) is undone. ${SEEN}`;
}

function refuseMore(words: readonly string[]): void {
  if (words.length > 0) throw new UsageError(`'${words[0]}' is unexpected; put texts with spaces in quotes`);
}
