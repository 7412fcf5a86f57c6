export interface TuneInOptions {
  /** For everything until the first sound. */
  deadlineMs?: number;
  /** Ends the listening too. */
  signal?: AbortSignal | undefined;
  userAgent?: string | undefined;
  /** Whether to ask for titles between the sound; so unless it is said otherwise. */
  wantsTitles?: boolean;
}
