import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import type { Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { wordsFor } from '../../core/i18n/words.ts';
import { cleanMarkupText } from '../../formats/opml/characters.ts';
import { readOpmlList } from '../../formats/opml-list/parse.ts';
import { parseM3u } from '../../formats/playlist/m3u.ts';
import { parsePls } from '../../formats/playlist/parse-playlist.ts';
import { type FeedShow, writeFeed } from './feed.ts';
import { type FoundList, type ListedItem } from './find-list.ts';
import { writeGuide } from './guide.ts';
import { entriesOf, ENTRY_WRITERS } from './write-entries.ts';

const ORIGIN = 'http://radio.test';
// oxlint-disable-next-line no-unsafe-type-assertion -- the writers look for genres in it, and for nothing else
const snapshot = { genreById: new Map() } as unknown as Snapshot;
const words = wordsFor('en');

const PIECES = [
  '"',
  "'",
  ',',
  ';',
  '&',
  '<',
  '>',
  ']]>',
  '<![CDATA[',
  '-->',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\0',
  '\x85',
  '\u2028',
];
const MORE = [
  '📻',
  '電台',
  'رادیو',
  '\ud800',
  '\ufeff',
  '\u202e',
  '=',
  '#EXTINF:-1,',
  'File1=',
  '[playlist]',
  '%',
  '&amp;',
  ' ',
];
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...PIECES, ...MORE), fc.string({ unit: 'binary', maxLength: 6 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
const many = fc.array(nasty, { minLength: 1, maxLength: 8 });
const RUNS = { numRuns: 400 };

const lineOf = (text: string): string =>
  cleanMarkupText(text)
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/** A saved address each: an item that has a name of its own. */
const listOf = (names: readonly string[]): FoundList => ({
  title: names[0] ?? '',
  snapshot,
  total: names.length,
  items: names.map((title, index): ListedItem => ({
    item: { kind: 'address', id: `u${index + 1}`, title, address: `http://a.example/${index}?x=1&y=2` },
    groups: [title, 'Ireland'],
  })),
});
const write = (format: keyof typeof ENTRY_WRITERS, names: readonly string[]): string => {
  const list = listOf(names);
  return `${ENTRY_WRITERS[format].write(list.title, entriesOf(list, ORIGIN), `${ORIGIN}/guide.xml`).join('\n')}\n`;
};
const expected = (names: readonly string[], shown = (text: string): string => text): [string, string][] =>
  names.map((name, index) => [shown(lineOf(name)) || `u${index + 1}`, `http://a.example/${index}?x=1&y=2`]);
const withoutQuotes = (text: string): string => text.replaceAll('"', "'");

test('M3U is read back with every name, group and address, whatever the names are', () => {
  fc.assert(
    fc.property(many, (names) => {
      const read = parseM3u(write('m3u', names));
      assert.deepEqual(
        read.map(({ name, address }) => [name, address]),
        expected(names, withoutQuotes),
      );
      for (const [index, { attributes }] of read.entries()) {
        assert.equal(attributes.get('tvg-id'), `u${index + 1}`);
        assert.equal(attributes.get('radio'), 'true');
        assert.equal(attributes.get('group-title')?.split(';').length, 2);
      }
    }),
    RUNS,
  );
});

test('PLS is read back', () => {
  fc.assert(
    fc.property(many, (names) => {
      const read = parsePls(write('pls', names));
      assert.deepEqual(
        read.map(({ name, address }) => [name, address]),
        expected(names),
      );
    }),
    RUNS,
  );
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
}

/** Every element of a document with its own text; throws where it is not well-formed. */
function readXml(text: string): Element[] {
  const [all, open]: [Element[], Element[]] = [[], []];
  const parser = new SaxesParser();
  parser.on('error', (error) => assert.fail(error));
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, text: '' };
    all.push(element);
    open.push(element);
  });
  parser.on('text', (more) => {
    const last = open.at(-1);
    if (last) last.text += more;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return all;
}
const textsOf = (elements: readonly Element[], wanted: string): string[] =>
  elements.filter(({ name }) => name === wanted).map(({ text }) => text);

test('XSPF is read back', () => {
  fc.assert(
    fc.property(many, (names) => {
      const elements = readXml(write('xspf', names));
      const [title, ...titles] = textsOf(elements, 'title');
      assert.equal(title, lineOf(names[0] ?? ''));
      const locations = textsOf(elements, 'location');
      assert.deepEqual(
        titles.map((text, index) => [text, locations[index]]),
        expected(names),
      );
    }),
    RUNS,
  );
});

test('OPML is read back', async () => {
  await fc.assert(
    fc.asyncProperty(many, async (names) => {
      const text = write('opml', names);
      readXml(text);
      const read = await Array.fromAsync(readOpmlList(Readable.from([Buffer.from(text)])));
      assert.deepEqual(
        read.map(({ address }) => address),
        expected(names).map(([, address]) => address),
      );
      assert.deepEqual(
        read.map(({ attributes }) => attributes.get('text')),
        expected(names).map(([name]) => name),
      );
    }),
    { numRuns: 200 },
  );
});

test('XMLTV is read back', () => {
  fc.assert(
    fc.property(nasty, nasty, nasty, (name, title, description) => {
      const start = Temporal.Instant.from('2026-03-28T12:00:00Z');
      const row = {
        station_id: 1,
        show_id: 2,
        starts_at: start,
        ends_at: start.add({ hours: 1 }),
        title,
        description,
        genre_id: null,
      };
      const stations = [{ id: 1, name, homepage: description }];
      const elements = readXml(
        writeGuide({ snapshot }, stations, [row], { origin: ORIGIN, words }).join('\n'),
      );
      assert.deepEqual(textsOf(elements, 'display-name'), [cleanMarkupText(name)]);
      assert.deepEqual(textsOf(elements, 'title'), [cleanMarkupText(title)]);
      assert.deepEqual(textsOf(elements, 'desc'), [cleanMarkupText(description)]);
      const programme = elements.find((element) => element.name === 'programme');
      assert.deepEqual(programme?.attributes, {
        start: '20260328120000 +0000',
        stop: '20260328130000 +0000',
        channel: 's1',
      });
    }),
    RUNS,
  );
});

test('RSS is read back', () => {
  fc.assert(
    fc.property(nasty, nasty, nasty, (title, about, address) => {
      const show: FeedShow['show'] = {
        id: 5,
        title,
        hosts: about,
        description: about,
        homepage: null,
        language_id: null,
        genre_id: null,
        country_id: null,
        popularity: 1,
        listed: true,
        formats: 1,
      };
      const topic: FeedShow['topics'][number] = {
        id: 9,
        show_id: 5,
        title: about,
        address,
        format: 'mp3',
        stream_type: 'download',
        duration_seconds: 60,
        published_at: Temporal.Instant.from('2026-03-28T12:00:00Z'),
      };
      const elements = readXml(
        writeFeed({ show, topics: [topic] }, ORIGIN, `${ORIGIN}/lists/p5.rss`).join('\n'),
      );
      assert.deepEqual(textsOf(elements, 'title'), [title, title, about].map(cleanMarkupText));
      const enclosure = elements.find((element) => element.name === 'enclosure');
      assert.equal(enclosure?.attributes['url'], cleanMarkupText(address));
      assert.deepEqual(textsOf(elements, 'pubDate'), ['Sat, 28 Mar 2026 12:00:00 GMT']);
    }),
    RUNS,
  );
});
