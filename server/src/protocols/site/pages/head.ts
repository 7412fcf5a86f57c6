/** The head of a page, for readers that do not run scripts: search engines and link previews. */
export interface PageHead {
  title: string;
  description: string;
  /** The page's address without personal parameters. */
  canonical: string;
  image: string;
  kind: 'website' | 'music.radio_station';
  /** For search engines, as JSON-LD. */
  data?: Readonly<Record<string, unknown>> | undefined;
}

const DESCRIPTION_LENGTH = 200;

export function writeHead(
  { title, description, canonical, image, kind, data }: PageHead,
  nonce: string,
): string {
  const meta = (attribute: string, name: string, content: string): string =>
    `<meta ${attribute}="${name}" content="${escapeHtml(content)}" />`;
  const short = shorten(description);
  const lines = [
    meta('name', 'description', short),
    `<link rel="canonical" href="${escapeHtml(canonical)}" />`,
    meta('property', 'og:site_name', 'Longwave'),
    meta('property', 'og:type', kind),
    meta('property', 'og:title', title),
    meta('property', 'og:description', short),
    meta('property', 'og:url', canonical),
    meta('property', 'og:image', image),
    meta('name', 'twitter:card', 'summary'),
  ];
  if (data) lines.push(`<script type="application/ld+json" nonce="${nonce}">${writeData(data)}</script>`);
  return lines.join('\n    ');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '');

/** Escapes every `<`, so that nothing can close the element. */
const writeData = (data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(data)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`);

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= DESCRIPTION_LENGTH) return line;
  const cut = line.slice(0, DESCRIPTION_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), DESCRIPTION_LENGTH / 2)).toWellFormed()} …`;
}
