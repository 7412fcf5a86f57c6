import type { Log } from '../lib/log.ts';
import type { Coordinate } from '../lib/geo.ts';
import { findHomePlace } from '../storage/catalog/places/place-resolver.ts';
import type { Queryable } from '../storage/db/pool.ts';
import { hasPlaces, readInstallation } from '../storage/installation.ts';

/** How soon a running server knows what `longwave setup` was told. */
const LOOK_AGAIN_MS = 20_000;

export interface HomePlace extends Disposable {
  current(): Coordinate | undefined;
}

interface HomePlaceDeps {
  db: Queryable;
  log: Log;
  /** HOME_PLACE, which outranks what setup was told. */
  setting: string | undefined;
}

/**
 * The operator's own place. On the first day a server may start before the places are imported, or before anybody said
 * where the house is: it looks again until it knows.
 */
export async function openHomePlace({ db, log, setting }: HomePlaceDeps): Promise<HomePlace> {
  let place: Coordinate | undefined;
  let said: string | undefined;
  const look = async (): Promise<void> => {
    const text = setting ?? (await readInstallation(db))?.home_place ?? undefined;
    if (text === undefined || text === said) return;
    place = await findHomePlace(db, text);
    said = text;
  };
  if (setting !== undefined && (await hasPlaces(db))) await look();
  else
    await look().catch((error: unknown) => {
      log.warn({ err: error }, 'the home place is not known yet; looking for it again');
    });
  const again = setInterval(() => {
    if (setting === undefined || said === undefined) void look().catch(() => undefined);
  }, LOOK_AGAIN_MS).unref();
  return { current: () => place, [Symbol.dispose]: () => clearInterval(again) };
}
