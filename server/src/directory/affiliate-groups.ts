import type { AffiliateRow } from '../catalog/affiliates.ts';
import { type GroupDraft, emptyGroup, groupStations, remembered } from './group-stations.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';

interface AffiliateDraft extends GroupDraft {
  homepage: string | undefined;
}

export async function groupByAffiliate(
  rows: readonly AffiliateRow[],
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'affiliateById'>> {
  const all = new Map(rows.map((row) => [row.id, draftAffiliate(row)]));
  const groupsOf = remembered((ids: readonly number[]) =>
    ids.map((id) => all.get(id)).filter((affiliate) => affiliate !== undefined),
  );
  await groupStations(stations, playable, ({ affiliateIds }) => groupsOf(affiliateIds));
  const used = [...all].filter(([, { stationCount }]) => stationCount > 0);
  return { affiliateById: new Map(used) };
}

const draftAffiliate = ({ id, name, homepage }: AffiliateRow): AffiliateDraft => ({
  ...emptyGroup(id, name),
  homepage: homepage ?? undefined,
});
