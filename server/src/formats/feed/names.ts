/** The prefix under which we know a namespace; feeds are free to choose another. */
const PREFIXES = new Map([
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/atom/ns#', 'atom'],
  ['http://purl.org/rss/1.0/', ''],
  ['http://purl.org/rss/1.0/modules/content/', 'content'],
  ['http://purl.org/rss/1.0/modules/syndication/', 'sy'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.oclc.org/net/rss_2.0/enc#', 'enc'],
  ['http://search.yahoo.com/mrss/', 'media'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['https://podcastindex.org/namespace/1.0', 'podcast'],
]);

const MOST_PREFIXES = 64;

/**
 * Names as we know them, in lower case. A prefix that was never declared is taken at its word: feeds that forget the
 * declaration are many, and mean the usual one.
 */
export class Names {
  readonly #ours = new Map<string, string>();

  declare(attributes: Readonly<Record<string, string>>): void {
    for (const [key, uri] of Object.entries(attributes)) {
      if (!key.startsWith('xmlns:') || this.#ours.size >= MOST_PREFIXES) continue;
      const ours = PREFIXES.get(uri.trim().toLowerCase());
      if (ours !== undefined) this.#ours.set(key.slice(6).toLowerCase(), ours);
    }
  }

  of(name: string): string {
    const lower = name.toLowerCase();
    const colon = lower.indexOf(':');
    if (colon === -1) return lower;
    const prefix = lower.slice(0, colon);
    const ours = this.#ours.get(prefix) ?? prefix;
    // Atom's elements are known without a prefix, since whole feeds are written so.
    return ours === '' || ours === 'atom' ? lower.slice(colon + 1) : `${ours}${lower.slice(colon)}`;
  }
}
