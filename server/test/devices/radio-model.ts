/** A line of a menu as a device shows it. */
export interface MenuEntry {
  kind: 'folder' | 'station' | 'show' | 'episode' | 'search' | 'text';
  title: string;
  /** As the device keeps it; empty for what has none. */
  id: string;
}

/** What a device has read of a list. */
export interface Menu<Entry extends MenuEntry = MenuEntry> {
  /** Of the whole list; undefined where the device is not told. */
  total: number | undefined;
  entries: readonly Entry[];
}

/**
 * A device that speaks to the directory as its firmware would: it reads literally, and throws an error where the device would
 * show nothing, stop or start again. The same for all protocols, so that one test can walk each of them.
 */
export interface RadioModel<Entry extends MenuEntry = MenuEntry> {
  readonly name: string;
  /** From power-on to the first menu. */
  boot: () => Promise<Menu<Entry>>;
  /** The first window of a folder. */
  open: (entry: Entry) => Promise<Menu<Entry>>;
  /** All of a folder, window by window as this device asks for them. */
  openWhole: (entry: Entry) => Promise<Menu<Entry>>;
  search: (text: string) => Promise<Menu<Entry>>;
  /** The address at which the device asks for sound, which is not ours or is the relay's. */
  play: (entry: Entry) => Promise<string>;
  /** Presses the key for favourites, and returns what is shown then. */
  save: (entry: Entry) => Promise<string>;
  /** The list of favourites. */
  favourites: () => Promise<Menu<Entry>>;
  /** Starts what the device itself remembers of an entry that it has played. */
  recall: (entry: Entry) => Promise<string>;
}

const MAX_MENUS = 5000;

/** Ids of all stations that somebody with this device can reach by opening folders. */
export async function reachableStations<Entry extends MenuEntry>(
  model: RadioModel<Entry>,
  keyOf: (entry: Entry) => string,
): Promise<Set<string>> {
  const found = new Set<string>();
  const opened = new Set<string>();
  const waiting = [...(await model.boot()).entries];
  for (let entry = waiting.pop(); entry && opened.size < MAX_MENUS; entry = waiting.pop()) {
    if (entry.kind === 'station') found.add(entry.id);
    if (entry.kind !== 'folder' || opened.has(keyOf(entry))) continue;
    opened.add(keyOf(entry));
    waiting.push(...(await model.openWhole(entry)).entries);
  }
  return found;
}
