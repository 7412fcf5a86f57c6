import { escapeHtml } from './markup.ts';
import { LANGUAGES, type Reader, inLanguage } from './reader.ts';

/** The head of a page, for readers that do not run scripts: search engines and link previews. */
export interface PageHead {
  title: string;
  description: string;
  /** The page's own path, without personal parameters and without `lang`: `/listen/station/s1`. */
  address: string;
  /** A path of this host. */
  image: string;
  kind: 'website' | 'music.radio_station';
  /** For search engines, as JSON-LD; ids and addresses in it are whole. */
  data: readonly Data[];
  /** False for what is one of many views of the same list. */
  isIndexed?: boolean;
}

export type Data = Readonly<Record<string, unknown>>;

const DESCRIPTION_LENGTH = 200;

export function writeHead(
  { title, description, address, image, kind, data, isIndexed = true }: PageHead,
  { origin, lang }: Reader,
  nonce: string,
): string {
  const short = shorten(description);
  const canonical = origin + inLanguage(address, lang);
  const lines = [
    meta('name', 'description', short),
    link('canonical', canonical),
    ...(isIndexed
      ? [
          ...LANGUAGES.map((each) =>
            link('alternate', origin + inLanguage(address, each), ` hreflang="${each}"`),
          ),
          link('alternate', origin + address, ' hreflang="x-default"'),
        ]
      : [meta('name', 'robots', 'noindex, follow')]),
    meta('property', 'og:site_name', 'Longwave'),
    meta('property', 'og:type', kind),
    meta('property', 'og:title', title),
    meta('property', 'og:description', short),
    meta('property', 'og:url', canonical),
    meta('property', 'og:image', origin + image),
    meta('name', 'twitter:card', 'summary'),
  ];
  if (data.length > 0)
    lines.push(`<script type="application/ld+json" nonce="${nonce}">${writeData(data)}</script>`);
  return lines.join('\n    ');
}

const meta = (attribute: string, name: string, content: string): string =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;

const link = (rel: string, href: string, more = ''): string =>
  `<link rel="${rel}"${more} href="${escapeHtml(href)}" />`;

/** Escapes every `<`, so that nothing can close the element. */
const writeData = (data: readonly Data[]): string =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': data })
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`);

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= DESCRIPTION_LENGTH) return line;
  const cut = line.slice(0, DESCRIPTION_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), DESCRIPTION_LENGTH / 2)).toWellFormed()} …`;
}
