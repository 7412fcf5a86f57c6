import { guideId } from '../../lib/guide-id.ts';
import {
  type ChangeRow,
  findChange,
  listChangesInForce,
  markChangesReverted,
} from '../../storage/catalog/stations/station-changes.ts';
import { type FieldName, fieldNames } from '../../storage/catalog/stations/station-fields.ts';
import { changeFields, fieldsWithout, getEditableStation, type Hand, stateIn } from './hand.ts';
import { isInTheWayOfMove, undoMove } from './regroup.ts';

/** Undoes one change, unless a later one builds on it. Returns the change that was undone. */
export async function revertChange(hand: Hand, id: number): Promise<ChangeRow> {
  const change = await findChange(hand.client, id);
  if (!change)
    throw new Error(`there is no change ${id}; longwave station history s123 lists those of a station`);
  if (change.action === 'revert')
    throw new Error(
      `change ${id} undid change ${change.reverts}; give the command of that one again to redo it`,
    );
  if (change.reverted_at !== null) throw new Error(`change ${id} is undone already`);
  await refuseIfInTheWay(hand, change);
  if (change.action === 'merge' || change.action === 'split') await undoMove(hand, change);
  else await undoFields(hand, change);
  await markChangesReverted(hand.client, [id]);
  return change;
}

/** The first change since then without which this one cannot be undone. */
async function refuseIfInTheWay(hand: Hand, change: ChangeRow): Promise<void> {
  await getEditableStation(hand, change.station_id);
  const isMove = change.action === 'merge' || change.action === 'split';
  const ids = [change.station_id, ...(isMove ? [change.other_station_id ?? change.station_id] : [])];
  const later: ChangeRow[] = [];
  for (const id of new Set(ids)) later.push(...(await listChangesInForce(hand.client, id, change.id)));
  const blocking = later.find((other) =>
    isMove ? isInTheWayOfMove(change, other) : touchesSameField(change, other),
  );
  if (!blocking) return;
  const { id, action, station_id: station, takedown_id: takedown } = blocking;
  const first =
    takedown === null
      ? `longwave station revert ${id}`
      : `longwave takedown lift ${takedown}, or station revert ${id}`;
  throw new Error(
    `change ${id} (${action} of ${guideId('s', station)}) came after change ${change.id} and is in the way; undo it first: ${first}`,
  );
}

const touchesSameField = (change: ChangeRow, other: ChangeRow): boolean =>
  other.station_id === change.station_id &&
  fieldsIn(change).some((name) => stateIn(other, name) !== undefined);

const fieldsIn = (change: ChangeRow): FieldName[] => fieldNames(Object(change.after));

async function undoFields(hand: Hand, change: ChangeRow): Promise<void> {
  const station = await getEditableStation(hand, change.station_id);
  const fields = await fieldsWithout(hand, station.id, fieldsIn(change), new Set([change.id]));
  await changeFields(hand, station, 'revert', fields, { reverts: change.id });
}
