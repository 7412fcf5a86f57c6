/** Markup that only `tag` makes: everything that was given as text is text in it. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** Undefined and false leave nothing behind. */
export type Content = Markup | string | undefined | false | readonly Content[];
type Attributes = Readonly<Record<string, string | undefined>>;

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

/** Elements that have no end tag. */
const EMPTY = new Set(['img', 'link', 'meta']);

/** One element: `tag('a', { href }, name)`. An undefined attribute is not written. */
export function tag(name: string, attributes: Attributes = {}, ...content: Content[]): Markup {
  const written = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${escapeHtml(value)}"`))
    .join('');
  return new Markup(
    EMPTY.has(name) ? `<${name}${written}>` : `<${name}${written}>${write(content)}</${name}>`,
  );
}

function write(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string') return escapeHtml(content);
  return content instanceof Markup ? content.html : content.map(write).join('');
}

/** A name of somebody else's, whichever way it is read. */
export const bdi = (text: string): Markup => tag('bdi', {}, text);

/** An address that is safe in a link: of the web, nothing that runs. */
export function webAddress(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** A link that is not vouched for, shown by its host. */
export const linkAway = (address: string): Markup =>
  tag(
    'a',
    { href: address, rel: 'noopener noreferrer nofollow' },
    new URL(address).host.replace(/^www\./, ''),
  );
