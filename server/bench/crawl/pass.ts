/** One reading of all feeds of the farm, and what it took. */
export interface Pass {
  feeds: number;
  wallMs: number;
  /** Of the process that read them, all its threads. */
  cpuMs: number;
  /** The part spent on parsing XML. */
  parseMs: number;
}

export interface CrawlPass extends Pass {
  /** Waiting for answers, summed over all requests. */
  fetchMs: number;
  /** The database executing statements, summed over all connections. */
  databaseMs: number;
}
