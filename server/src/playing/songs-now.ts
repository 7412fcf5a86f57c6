import { type Song, isSameSong, songLine } from './song.ts';

/** A song as it stands in a station's line. */
export interface ListedSong {
  /** `Artist - Title`. */
  readonly song: string;
  readonly songImage: { readonly address: string } | undefined;
  /** What it was made of. */
  readonly of: Song;
}

/** What stations of a snapshot play. It never changes, and no other of that snapshot has its stamp. */
export interface SongsNow {
  readonly stamp: number;
  /** The stations by rank, and their songs, in one order. */
  readonly ranks: readonly number[];
  readonly songs: readonly ListedSong[];
  /** Where a rank stands in that order. */
  readonly placeOf: { get: (rank: number) => number | undefined };
}

/** Of a snapshot: where each station stands. */
export interface RankedStations {
  readonly stationById: ReadonlyMap<number, { readonly rank: number }>;
}

export const toListed = (song: Song): ListedSong => ({
  song: songLine(song),
  songImage: song.artAddress === undefined ? undefined : { address: song.artAddress },
  of: song,
});

/** Whether a line that tells the one tells the other. */
export const isListed = ({ of }: ListedSong, song: Song): boolean =>
  of === song || (isSameSong(of, song) && of.artAddress === song.artAddress);

/** What the station of a rank plays. */
export function songAt(now: SongsNow | undefined, rank: number): ListedSong | undefined {
  const place = now?.placeOf.get(rank);
  return place === undefined ? undefined : now?.songs[place];
}

/** Undefined where none of the stations plays any of the songs. */
export function rankedSongs(
  stamp: number,
  byStation: ReadonlyMap<number, ListedSong>,
  { stationById }: RankedStations,
): SongsNow | undefined {
  const ranks: number[] = [];
  const songs: ListedSong[] = [];
  // One more than the place, so that a new table says of no rank that it is there.
  const places = new Int32Array(stationById.size);
  for (const [id, song] of byStation) {
    const rank = stationById.get(id)?.rank;
    if (rank === undefined) continue;
    songs.push(song);
    places[rank] = ranks.push(rank);
  }
  const get = (rank: number): number | undefined => (places[rank] ? places[rank] - 1 : undefined);
  return ranks.length > 0 ? { stamp, ranks, songs, placeOf: { get } } : undefined;
}
