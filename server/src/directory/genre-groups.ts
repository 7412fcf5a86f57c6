import type { GenreRow } from '../catalog/genres.ts';
import { type GroupDraft, emptyGroup, groupStations, remembered } from './group-stations.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';
import { lineageOf, linkTree } from './tree.ts';

interface GenreDraft extends GroupDraft {
  slug: string;
  parent: GenreDraft | undefined;
  children: GenreDraft[];
}

/** The tree of genres with the stations under each; empty ones stay, since a genre may have shows alone. */
export async function groupByGenre(
  rows: readonly GenreRow[],
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'genreById' | 'topGenres'>> {
  const genreById = new Map(rows.map((row) => [row.id, draftGenre(row)]));
  linkTree(rows, genreById);
  const groupsOf = remembered((genreIds: readonly number[]) => withAncestors(genreIds, genreById));
  await groupStations(stations, playable, ({ genreIds }) => groupsOf(genreIds));
  return { genreById, topGenres: [...genreById.values()].filter(({ parent }) => !parent) };
}

const draftGenre = ({ id, name, slug }: GenreRow): GenreDraft => ({
  ...emptyGroup(id, name),
  slug,
  parent: undefined,
  children: [],
});

function withAncestors(ids: readonly number[], genreById: ReadonlyMap<number, GenreDraft>): GenreDraft[] {
  const own = ids.map((id) => genreById.get(id)).filter((genre) => genre !== undefined);
  return [...new Set(own.flatMap(lineageOf))];
}
