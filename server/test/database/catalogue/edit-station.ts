import type { Pool } from 'pg';
import {
  type FieldName,
  type FieldState,
  holdStations,
  pinned,
  writeFields,
} from '../../../src/storage/catalog/stations/station-fields.ts';
import { editCatalogue } from './edit-catalogue.ts';

/** Sets fields of a station as an operator does, without writing the change down. False when there is no such station. */
export function editStation(
  pool: Pool,
  id: number,
  changes: Partial<Record<FieldName, unknown>>,
): Promise<boolean> {
  const states: [string, FieldState][] = Object.entries(changes).map(([name, value]) => [
    name,
    pinned(value),
  ]);
  return editCatalogue(pool, async (client) => {
    const held = await holdStations(client, [id]);
    if (held.length > 0) await writeFields(client, id, Object.fromEntries(states));
    return held;
  });
}
