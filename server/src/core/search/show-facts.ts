export interface ShowFacts {
  id: number;
  title: string;
  /** What it is about, or what is on now; shown under the title. */
  subtext: string;
  genreId?: number | undefined;
}
