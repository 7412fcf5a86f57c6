/**
 * Every bound of the HTTP side in one place. Each time is shorter than the one of whoever waits for it: a call has
 * three seconds because the most impatient radio waits three, a whole request fifteen, a stop twenty-five (fifteen for calls, eight for letters that wait).
 */
export const LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  connectionsCheckingIntervalMs: 2_000,
  /** Longer than the idle time of the usual proxies (nginx 60 s), so that the proxy closes first. */
  keepAliveTimeoutMs: 65_000,
  /** A connection on which nothing moves, such as one whose peer stopped reading. */
  socketTimeoutMs: 30_000,
  maxRequestsPerSocket: 1_000,
  maxHeaderBytes: 8_192,
  maxQueryCharacters: 8_192,
  maxFormBytes: 32_768,
  maxParams: 32,
  maxParamCharacters: 256,
  callTimeoutMs: 3_000,
  drainMs: 15_000,
  hardExitMs: 25_000,
  retryAfterSeconds: 5,
} as const;
