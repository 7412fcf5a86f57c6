/** All feeds of the farm read once, and what that took. */
export interface Pass {
  feeds: number;
  wallMs: number;
  /** Of the process that read them, all its threads. */
  cpuMs: number;
  /** Of that, reading the XML. */
  parseMs: number;
}

export interface CrawlPass extends Pass {
  /** Waiting for answers, all requests together. */
  fetchMs: number;
  /** The database at work on statements, all connections together. */
  databaseMs: number;
}
