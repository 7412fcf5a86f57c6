import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CATALOGUE_CHANNEL } from '../catalog/version.ts';
import type { Log } from '../lib/log.ts';

export interface WatchOptions {
  databaseUrl: string;
  log: Log;
  /** Called when the catalogue moved, and after each connecting, since it may have moved unheard. */
  onChange: () => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const CONNECT_MS = 5000;

/**
 * Listens on a connection of its own, and connects again, with growing waits, for as long as it takes. A connection
 * that dies unnoticed is not found out here; the directory looks for itself now and then.
 */
export function watchCatalogue(options: WatchOptions): AsyncDisposable {
  const stop = new AbortController();
  const done = keepListening(options, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await done;
    },
  };
}

async function keepListening(options: WatchOptions, signal: AbortSignal): Promise<void> {
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const listened = await listenOnce(options, signal);
    if (signal.aborted) return;
    waitMs = listened ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Until the connection ends; whether there was one. */
async function listenOnce(
  { databaseUrl, log, onChange }: WatchOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'longwave directory',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  // Not waiting for the server to agree: one that is gone without a word never would.
  const close = (): void => {
    void client.end().catch(() => undefined);
    end();
  };
  client.once('end', () => end());
  client.on('error', (err) => log.debug({ err }, 'the connection that hears of changes broke'));
  client.on('notification', onChange);
  signal.addEventListener('abort', close);
  try {
    // A client that is ended while it connects never says so.
    await Promise.race([client.connect(), ended]);
    signal.throwIfAborted();
    await client.query(`LISTEN ${CATALOGUE_CHANNEL}`);
    onChange();
    await ended;
    return true;
  } catch (err) {
    log.debug({ err }, 'no connection to hear of changes; the directory looks for itself meanwhile');
    return false;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}
