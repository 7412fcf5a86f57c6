import { absolute } from './absolute.ts';
import type { Draft } from './draft.ts';
import { type Feed, type FeedItem, LIMITS } from './feed.ts';
import { asWritten } from './hub.ts';
import { plainLine, plainText } from './plain-text.ts';

/** What a feed says of itself, each thing from the best of the places where feeds say it. */
export function finishFeed(draft: Draft, items: FeedItem[], base: string | undefined): Feed {
  const line = (...names: string[]): string | undefined =>
    plainLine(draft.text(...names) ?? '', LIMITS.title) || undefined;
  const web = (text: string | undefined): string | undefined => (text ? absolute(text, base) : undefined);
  const linked = (rel: string): string | undefined =>
    web(draft.links.find((link) => link.rel === rel && (rel !== 'alternate' || isPage(link.type)))?.address);
  const self = draft.links.find((link) => link.rel === 'self')?.address;
  const about = draft.text(
    'description',
    'itunes:summary',
    'subtitle',
    'tagline',
    'dc:description',
    'itunes:subtitle',
  );
  const told = {
    title: line('title', 'itunes:title', 'dc:title'),
    description: plainText(about ?? '', LIMITS.description) || undefined,
    language: line('language', 'dc:language', 'xml:lang')?.slice(0, 40),
    homepage: web(draft.text('link')) ?? linked('alternate'),
    image: web(draft.text('itunes:image', 'podcast:image', 'image', 'logo', 'icon')),
    ttlSeconds: ttlSeconds(draft),
    hub: linked('hub'),
    self: self === undefined ? undefined : asWritten(self, base),
    newAddress: web(draft.text('itunes:new-feed-url')),
    guid: line('podcast:guid')?.slice(0, 100),
  };
  return {
    ...withoutNothing(told),
    hosts: hostsOf(draft),
    categories: categoriesOf(draft),
    blocked: [draft.text('itunes:block'), draft.text('podcast:block')].some((text) =>
      /^\s*yes\s*$/i.test(text ?? ''),
    ),
    items,
  };
}

type Told<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutNothing<T extends object>(told: T): Told<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as Told<T>;
}

const isPage = (type: string | undefined): boolean => type === undefined || /html/i.test(type);

function hostsOf(draft: Draft): string[] {
  const authors = [
    draft.text('itunes:author', 'dc:creator') ?? (nameOfAuthor(draft.text('author')) || draft.text('person')),
  ];
  const told = draft.hosts.length > 0 ? draft.hosts : authors;
  const names = told.map((text) => plainLine(text ?? '', 200)).filter((name) => name !== '');
  return [...new Set(names)];
}

/** Atom has a `<name>` inside, RSS wants `mail@host.example (Name)`; a mail address alone is nobody's name. */
function nameOfAuthor(text = ''): string {
  const [, named] = /<name>([^<]*)/.exec(text) ?? /\(([^()]*)\)\s*$/.exec(text) ?? [];
  return named ?? (text.includes('@') ? '' : text);
}

function categoriesOf({ categories }: Draft): string[] {
  const plain = categories.map((text) => plainLine(text, 100)).filter((text) => text !== '');
  return [...new Set(plain)];
}

const PERIOD_SECONDS = new Map([
  ['hourly', 3600],
  ['daily', 86_400],
  ['weekly', 7 * 86_400],
  ['monthly', 30 * 86_400],
  ['yearly', 365 * 86_400],
]);

/** `ttl` counts minutes; RSS 1.0 says so many times in a period. */
function ttlSeconds(draft: Draft): number | undefined {
  const minutes = Number(draft.text('ttl') ?? Number.NaN);
  if (minutes > 0 && minutes < 525_600) return Math.round(minutes * 60);
  const period = PERIOD_SECONDS.get(draft.text('sy:updateperiod')?.trim().toLowerCase() ?? '');
  const times = Number(draft.text('sy:updatefrequency') ?? 1);
  return period && times >= 1 ? Math.round(period / times) : undefined;
}
