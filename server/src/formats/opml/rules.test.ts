import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpmlDocument, Outline } from './document.ts';
import { suffixOf } from './links.ts';
import { groupOutline, linkOutline, searchOutline, stationOutline, textOutline } from './outlines.ts';
import { folderContainer, urlPresetOutline } from './preset-outlines.ts';
import { showOutline, topicOutline } from '../../protocols/radiotime/outlines/show-outlines.ts';
import { parseCallback, writeJson, writeJsonp } from './write-json.ts';
import { writeXml } from './write-xml.ts';

const links = {
  origin: 'http://radio.test',
  suffix: suffixOf({ formats: 'mp3', partnerId: 'x', serial: "it's" }),
};
const xml = (...outlines: Outline[]): string => writeXml({ outlines }, links);
const json = (...outlines: Outline[]): Record<string, unknown>[] =>
  JSON.parse(writeJson({ outlines }, links)).body;
const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('<outline'));
const names = (line: string): string[] => [...line.matchAll(/ ([\w.]+)="/g)].map(([, name = '']) => name);

const station = stationOutline(
  { id: 1, name: 'A > B\n"C"', bitrate: 0, reliability: 0, formats: 0 },
  'byPlace',
);
const show = showOutline({ id: 2, title: 'Show', subtext: 'About' });
const topic = topicOutline({ id: 3, showId: 2, title: 'T', dateText: 'Friday', streamType: 'download' });
const browse = { path: '/Browse.ashx', params: [['c', 'local']] } as const;

test('rule 10: one outline a line, type, text, URL and bitrate first, no raw > and no space before />', () => {
  const [group, line = ''] = lines(xml(groupOutline('Stations', 'stations', [station])));
  assert.equal(group, '<outline text="Stations" key="stations">');
  assert.deepEqual(names(line).slice(0, 5), ['type', 'text', 'URL', 'bitrate', 'reliability']);
  assert.match(line, /^<outline [^<>]*[^ ]\/>$/);
  assert.match(line, / text="A &gt; B &quot;C&quot;" /);
});

test('rule 10: the order does not depend on how an outline was made', () => {
  const reversed: Outline = { text: '', ...Object.fromEntries(Object.entries(station).toReversed()) };
  assert.notDeepEqual(Object.keys(reversed), Object.keys(station));
  assert.equal(xml(reversed), xml(station));
});

test('rule 11: the declaration, then opml version 1, then a head of title and status only', () => {
  const text = writeXml({ title: 'A & B', outlines: [] }, links);
  const head =
    '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="1">\n\t<head>\n\t<title>A &amp; B</title>\n\t<status>200</status>\n\n\t</head>\n';
  assert.ok(text.startsWith(head), text);
});

test('a failure always has a fault, and status is text in JSON (rule 6)', () => {
  const cases: [OpmlDocument, Record<string, string>][] = [
    [
      { status: 401, outlines: [] },
      { status: '401', fault: 'The call failed with status 401' },
    ],
    [
      { fault: 'Broken', outlines: [] },
      { status: '500', fault: 'Broken' },
    ],
    [
      { title: 'Lost', status: 400, fault: 'Bad', faultCode: 'id', outlines: [] },
      { status: '400', fault: 'Bad', fault_code: 'id' },
    ],
    [
      { title: 'Fine', outlines: [] },
      { title: 'Fine', status: '200' },
    ],
  ];
  for (const [document, head] of cases) assert.deepEqual(JSON.parse(writeJson(document, links)).head, head);
});

test('rule 12: a link made with a key has type and key in both notations', () => {
  const entry = linkOutline('By Location', browse, { key: 'location' });
  assert.match(xml(entry), /<outline type="link" .* key="location"\/>/);
  assert.partialDeepStrictEqual(json(entry), [{ element: 'outline', type: 'link', key: 'location' }]);
});

test('rule 13: every URL has a ?, foreign and parameterless ones too', () => {
  const text = xml(
    station,
    linkOutline('Index', { path: '/Browse.ashx', params: [] }),
    urlPresetOutline({ id: 1, name: 'Mine', address: 'http://far.test/live' }, 1),
  );
  const addresses = [...text.matchAll(/URL="([^"]*)"/g)].map(([, address = '']) => address);
  assert.equal(addresses.length, 3);
  for (const address of addresses) assert.ok(address.includes('?'), address);
  assert.ok(text.includes('URL="http://far.test/live?"'));
});

test('rule 14: a station has all that lists need even when little is known of it; so have shows and topics', () => {
  const common = ['type', 'text', 'URL', 'guide_id', 'subtext', 'item', 'image'];
  for (const [outline, wanted] of [
    [station, [...common, 'bitrate', 'reliability']],
    [show, common],
    [topic, common],
  ] as const) {
    const [written = {}] = json(outline);
    for (const name of wanted) assert.ok(written[name], `${name} of ${outline.text}`);
  }
  assert.deepEqual([json(station)[0]?.bitrate, json(station)[0]?.reliability], ['0', '0']);
  const unknown = { ...station, bitrate: Number.NaN, reliability: 97.6 };
  assert.partialDeepStrictEqual(json(unknown), [{ bitrate: '0', reliability: '98' }]);
});

test('rule 15: no empty group and no text inside a group is written', () => {
  const empty = groupOutline('Empty', 'stations', []);
  const nested = groupOutline('Outer', 'shows', [empty, textOutline('Nothing here')]);
  const full = groupOutline('Full', 'stations', [textOutline('Nothing here'), empty, station]);
  assert.deepEqual(lines(xml(empty, nested, { text: 'bare' })), []);
  assert.deepEqual(json(empty, nested, { text: 'bare' }), []);
  assert.equal(lines(xml(full)).length, 2);
  const [group] = json(full);
  assert.deepEqual(Object.keys(group ?? {}), ['element', 'text', 'key', 'children']);
  assert.partialDeepStrictEqual(group, { children: [{ guide_id: 's1' }] });
});

test('rule 15: a text line outside a group stays, and so does an empty preset folder, is_default last', () => {
  const folder = folderContainer({ id: 2, name: 'Empty', isDefault: false }, []);
  assert.ok(
    xml(folder).includes('<outline type="container" text="Empty" guide_id="f2" is_default="false"/>\n'),
  );
  assert.partialDeepStrictEqual(json(folder), [{ type: 'container', children: [] }]);
  assert.ok(xml(textOutline('No results')).includes('<outline type="text" text="No results"/>'));
});

test('rule 17: links repeat the caller, escaped once, and files do not', () => {
  const text = xml(station);
  assert.ok(
    text.includes(
      'URL="http://radio.test/Tune.ashx?id=s1&amp;formats=mp3&amp;partnerId=x&amp;serial=it%27s"',
    ),
    text,
  );
  assert.ok(text.includes('image="http://radio.test/logos/s1q.png"'));
  assert.equal(
    json(station)[0]?.URL,
    'http://radio.test/Tune.ashx?id=s1&formats=mp3&partnerId=x&serial=it%27s',
  );
});

test('the search line has its url in lower case and the placeholder unescaped', () => {
  const search = searchOutline('Search', { path: '/Search.ashx', params: [['query', '{QUERY}']] });
  assert.deepEqual(names(lines(xml(search))[0] ?? ''), ['type', 'text', 'url', 'key']);
  assert.match(xml(search), / url="http:\/\/radio.test\/Search.ashx\?query=\{QUERY\}&amp;formats/);
});

test('an odd attribute that would break the document is refused', () => {
  for (const name of ['text', 'url', 'children', 'a b', '', '1a', 'x"']) {
    assert.throws(() => xml({ text: 'a', attributes: [[name, '']] }), /cannot be an extra attribute/, name);
  }
  const twice: Outline = {
    text: 'a',
    attributes: [
      ['a.b', ''],
      ['a.b', ''],
    ],
  };
  assert.throws(() => json(twice), /cannot be an extra attribute/);
  const object = { element: 'station', fields: [['a b', '']] } as const;
  assert.throws(() => xml({ type: 'object', text: 'a', object }), /cannot be a field/);
});

test('a callback is a name and nothing more', () => {
  for (const name of ['f', '_', '$', 'RadioTime._loader.requests.r123.init', 'a'.repeat(100)]) {
    assert.equal(parseCallback(name), name);
  }
  for (const name of [
    '',
    '1a',
    'a(b',
    'a;b',
    'a-b',
    'a b',
    'a\n',
    'a\u2028',
    'é',
    'a[0]',
    '.a',
    'a'.repeat(101),
  ]) {
    assert.equal(parseCallback(name), undefined, name);
  }
});

test('JSONP is a script whatever the texts say', () => {
  const title = '</script><!--\u2028\u2029"\\';
  const script = writeJsonp({ title, outlines: [] }, links, 'a.b');
  assert.doesNotMatch(script, /[<\u2028\u2029]/);
  const [, body = ''] = /^a\.b\((.*)\);$/.exec(script) ?? [];
  assert.equal(JSON.parse(body).head.title, title);
});
