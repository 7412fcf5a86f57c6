const PAGE_HEADER = 27;
const CAPTURE = 'OggS';
/** Opus in Ogg counts time in these whatever rate the sound has. */
const TICKS_A_SECOND = 48_000;
/** A page or two of sound say little of a bitrate that varies. */
const SHORTEST_SECONDS = 0.5;

interface Page {
  /** The time at its end, in ticks. */
  ticks: number;
  bytes: number;
}

/**
 * Of Opus in Ogg, in kbit/s, by what came between the ends of two pages. A listener joins in the middle, so that the time
 * of the first page of sound says nothing of how much came before it.
 */
export function opusBitrate(bytes: Buffer): number | undefined {
  const [first, ...pages] = soundPages(bytes);
  const last = pages.at(-1);
  if (!first || !last) return undefined;
  const seconds = (last.ticks - first.ticks) / TICKS_A_SECOND;
  if (seconds < SHORTEST_SECONDS) return undefined;
  const sound = pages.reduce((sum, page) => sum + page.bytes, 0);
  const bitrate = Math.round((sound * 8) / seconds / 1000);
  return bitrate > 0 ? bitrate : undefined;
}

/** The pages that are there whole, of the newest stream of a chain: each begins with headers, whose time is nought. */
function soundPages(bytes: Buffer): Page[] {
  let pages: Page[] = [];
  for (let at = bytes.indexOf(CAPTURE); at !== -1; at = bytes.indexOf(CAPTURE, at + PAGE_HEADER)) {
    if (at + PAGE_HEADER > bytes.length) break;
    const segments = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + (bytes[at + 26] ?? 0));
    const length = segments.reduce((sum, segment) => sum + segment, 0);
    if (at + PAGE_HEADER + segments.length + length > bytes.length) break;
    const ticks = Number(bytes.readBigInt64LE(at + 6));
    if (ticks === 0) pages = [];
    // Below nought: no packet ends on it.
    else if (ticks > 0) pages.push({ ticks, bytes: length });
  }
  return pages;
}
