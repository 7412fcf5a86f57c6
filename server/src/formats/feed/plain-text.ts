import { decodeHTMLStrict } from 'entities';
import { withLineFeeds } from '../decode-text.ts';

/** Elements that start a new line. */
const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);
/** Elements whose text is for machines. */
const UNREAD = new Map([
  ['script', /<\/script/gi],
  ['style', /<\/style/gi],
]);
/** Control characters except line feeds, and bidirectional marks. */
// oxlint-disable-next-line no-control-regex
const HIDDEN = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]+/g;
/** Anything that needs conversion. Most titles have none of it. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /[<&\0-\x1f\x7f-\xa0\u1680\u2000-\u202f\u205f-\u2069\u3000\ud800-\udfff\ufeff]|^ | {2}| $/;

/** The visible text of what may be HTML, shortened to `most` characters. Takes linear time. */
export function plainText(html: string, most: number): string {
  if (html.length <= most && !NOT_PLAIN.test(html)) return html;
  const text = withoutTags(html, 4 * most);
  const decoded = text.includes('&') ? decodeHTMLStrict(text) : text;
  // Single spaces are left alone: nearly all are single, and replacing each by itself is most of the work.
  const tidy = decoded
    .replaceAll(/[^\S\n]{2,}|[^\S\n ]/g, ' ')
    .replaceAll(HIDDEN, '')
    .replaceAll(/ \n ?|\n /g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return shorten(tidy.toWellFormed(), most);
}

/** The same on one line. */
export const plainLine = (html: string, most: number): string =>
  shorten(plainText(html, 2 * most).replaceAll(/\s+/g, ' '), most);

/** Cut after the last word that fits. */
function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - 1);
  const space = Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n'));
  return `${(space > most / 2 ? head.slice(0, space) : head).trimEnd().toWellFormed()}…`;
}

function withoutTags(html: string, enough: number): string {
  let text = '';
  let isMarkup = false;
  let from = 0;
  while (text.length < enough) {
    const start = html.indexOf('<', from);
    if (start === -1) break;
    text += html.slice(from, start);
    const { next, shown } = passTag(html, start);
    isMarkup ||= next !== start + 1;
    text += shown;
    from = next;
  }
  text += html.slice(from, from + enough);
  // In HTML a line feed is just a space; ours come from elements.
  if (isMarkup) return text.replaceAll(/[\r\n]/g, ' ').replaceAll('\0', '\n');
  return withLineFeeds(text);
}

/** The replacement of the tag at `start`, and where the text continues; a `<` that opens no tag stands for itself. */
function passTag(html: string, start: number): { next: number; shown: string } {
  if (html.startsWith('<!--', start)) return { next: after(html, '-->', start + 4), shown: '' };
  const element = elementAt(html, start + 1);
  // The end is searched for only after a name: searching after each of many `<` would take quadratic time.
  if (element === '') return { next: start + 1, shown: '<' };
  const end = after(html, '>', start);
  if (BLOCKS.has(element)) return { next: end, shown: '\0' };
  const close = html[start + 1] === '/' ? undefined : UNREAD.get(element);
  return { next: close ? afterElement(html, close, end) : end, shown: '' };
}

/** The name after a `<`, in lower case and no longer than any that matters; empty if there is none. */
function elementAt(html: string, at: number): string {
  const from = '/!?'.includes(html[at] ?? ' ') ? at + 1 : at;
  let to = from;
  while (to < from + MAX_NAME_LENGTH && isNamed(html.charCodeAt(to), to > from)) to += 1;
  return html.slice(from, to).toLowerCase();
}

const MAX_NAME_LENGTH = 11;

/** A letter, or after one a digit. */
const isNamed = (code: number, behindLetter: boolean): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (behindLetter && code >= 48 && code <= 57);

function after(html: string, sign: string, from: number): number {
  const found = html.indexOf(sign, from);
  return found === -1 ? html.length : found + sign.length;
}

function afterElement(html: string, close: RegExp, from: number): number {
  close.lastIndex = from;
  const found = close.exec(html);
  return found ? after(html, '>', found.index) : html.length;
}
