/**
 * All limits of the HTTP side. Each timeout is shorter than that of whoever waits for it: a call has three seconds
 * because the most impatient radio waits three, a whole request fifteen, a stop twenty-five (fifteen for calls, eight
 * for queued mail).
 */
export const HTTP_LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  connectionsCheckingIntervalMs: 500,
  /** Longer than the idle timeout of the usual proxies (nginx 60 s), so that the proxy closes first. */
  keepAliveTimeoutMs: 65_000,
  /** For idle connections, such as those whose peer stopped reading. */
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
