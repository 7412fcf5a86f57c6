import type { Outline, Target } from '../../../formats/opml/document.ts';
import { memoize } from '../../../lib/memoize.ts';
import { type Content, Markup, bdi, tag } from './markup.ts';
import { type Reader, type Say, inLanguage } from './reader.ts';

// Lines of the directory as a page without scripts shows them: a heading for each group, a list of links beneath.

/** One line of a list. */
export interface Line {
  kind: 'station' | 'show' | 'topic' | 'link' | 'text';
  name: string;
  subtext: string | undefined;
  seconds: number | undefined;
  /** The page of the site, if it has one. */
  address: string | undefined;
}

export interface Section {
  title: string | undefined;
  key: string | undefined;
  lines: readonly Line[];
  /** The address of the next page. */
  more: string | undefined;
}

/** `nextStations`, `nextShows`: not a line of the list, but the link to its next page. */
const isMore = ({ key }: Outline): boolean => /^next[A-Z]/.test(key ?? '');

/** The groups of a menu in their order; lines outside of any are one without a heading. */
export function sectionsOf(outlines: readonly Outline[]): Section[] {
  const sections: Section[] = [];
  let loose: Outline[] = [];
  const close = (): void => {
    if (loose.length > 0) sections.push(sectionOf(undefined, undefined, loose));
    loose = [];
  };
  for (const outline of outlines) {
    if (!outline.children) loose.push(outline);
    else {
      close();
      if (outline.children.length > 0) sections.push(sectionOf(outline.text, outline.key, outline.children));
    }
  }
  close();
  return sections;
}

function sectionOf(
  title: string | undefined,
  key: string | undefined,
  outlines: readonly Outline[],
): Section {
  const next = outlines.find(isMore);
  return {
    title,
    key,
    lines: outlines.filter((outline) => !isMore(outline)).map(lineOf),
    more: next && addressOf(next),
  };
}

function lineOf(outline: Outline): Line {
  const { text, subtext, topicDuration, guideId, type } = outline;
  const letter = guideId?.charAt(0);
  const address = addressOf(outline);
  const kind =
    letter === 's'
      ? 'station'
      : letter === 'p'
        ? 'show'
        : letter === 't'
          ? 'topic'
          : type === 'text' || address === undefined
            ? 'text'
            : 'link';
  return { kind, name: text, subtext, seconds: topicDuration, address };
}

function addressOf({ guideId, target }: Outline): string | undefined {
  if (/^s\d+$/.test(guideId ?? '')) return `/listen/station/${guideId}`;
  if (/^p\d+$/.test(guideId ?? '')) return `/listen/show/${guideId}`;
  if (!target || 'address' in target) return undefined;
  return target.path === '/Browse.ashx' ? browseAddress(target) : undefined;
}

function browseAddress({ params, filter }: Target): string {
  const all = new URLSearchParams([...params].map(([name, value]) => [name, value]));
  if (filter !== undefined) all.set('filter', filter);
  return browseAddressOf(all);
}

/** What makes a menu another one, in the order of its canonical address. */
const OF_A_MENU = ['c', 'id', 'filter', 'pivot', 'country', 'offset'];

/** Always the same address for the same menu. */
export function browseAddressOf(params: URLSearchParams): string {
  const own = OF_A_MENU.flatMap((name) => {
    const value = params.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  return own.length === 0 ? '/listen/browse' : `/listen/browse?${new URLSearchParams(own).toString()}`;
}

/** A group as a part of the page. */
export function writeSection({ title, lines, more }: Section, reader: Reader, say: Say): Markup {
  return tag(
    'section',
    {},
    title !== undefined && tag('h2', {}, title),
    tag('ul', {}, ...lines.map((line) => writeLine(line, reader))),
    more !== undefined && tag('p', {}, pageLink(more, say('items.more'), reader)),
  );
}

export function writeLine({ name, subtext, seconds, address }: Line, reader: Reader): Markup {
  const minutes = seconds === undefined ? undefined : minutesText(seconds, reader);
  const notes = [subtext, minutes].filter((note) => note !== undefined && note !== '');
  return tag(
    'li',
    {},
    address === undefined ? bdi(name) : pageLink(address, name, reader),
    notes.map((note): Content => [' ', tag('small', {}, note)]),
  );
}

/** A link to a page of the site, which stays in the language that was asked for. */
export const pageLink = (address: string, name: string, { lang }: Reader): Markup =>
  tag('a', { href: inLanguage(address, lang) }, bdi(name));

const minuteWriter = memoize(
  (language) => new Intl.NumberFormat(language, { style: 'unit', unit: 'minute' }),
);

const minutesText = (seconds: number, { words }: Reader): string =>
  minuteWriter(words.language).format(Math.max(1, Math.round(seconds / 60)));
