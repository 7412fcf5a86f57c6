import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf, type ListFormat, readList } from './read-list.ts';

const UUID = '9608c1f4-0601-11e8-ae97-52543be04c81';
const ORION = Buffer.from('{"name":"Own","imageUrl":"","streamUrl":"http://own.example/live?a=1"}').toString(
  'base64',
);

interface Read {
  what: string;
  format: ListFormat;
  text: string;
  /** Name, address and ids of each entry. */
  entries: [name: string | undefined, address: string, ...ids: string[]][];
}

const LISTS: readonly Read[] = [
  {
    what: 'the presets of a Bose SoundTouch',
    format: 'bose',
    text: `<?xml version="1.0" encoding="UTF-8" ?>
      <presets><preset id="1"><ContentItem source="TUNEIN" type="stationurl" location="/v1/playback/station/s24896" sourceAccount="" isPresetable="true"><itemName>Tom &amp; Jerry FM</itemName></ContentItem></preset>
      <preset id="2"><ContentItem source="RADIO_BROWSER" location="/stations/byuuid/${UUID}"><itemName>Two</itemName></ContentItem></preset>
      <preset id="3"><ContentItem source="LOCAL_INTERNET_RADIO" location="https://content.api.bose.io/core02/svc-bmx-adapter-orion/prod/orion/station?data=${ORION}"><itemName>Own</itemName></ContentItem></preset>
      <preset id="4"><ContentItem source="SPOTIFY" location="spotify:playlist:x"><itemName>Songs</itemName></ContentItem></preset></presets>`,
    entries: [
      ['Tom & Jerry FM', '', 'tunein s24896'],
      ['Two', '', `radio-browser ${UUID}`],
      ['Own', 'http://own.example/live?a=1'],
      ['Songs', ''],
    ],
  },
  {
    what: 'the favourites of Lyrion',
    format: 'opml',
    text: `<?xml version="1.0"?><opml version="1.0"><head title="Favorites"/><body>
      <outline text="Mine" ><outline URL="http://opml.radiotime.com/Tune.ashx?id=s24896&amp;partnerId=16" text="Radio Two" type="audio"/></outline>
      <outline URL="http://stream.example.net/5" text="Five" type="audio"/></body></opml>`,
    entries: [
      ['Radio Two', 'http://opml.radiotime.com/Tune.ashx?id=s24896&partnerId=16', 'tunein s24896'],
      ['Five', 'http://stream.example.net/5'],
    ],
  },
  {
    what: 'stations.yml of YCast, with the ids that it and YTuner give',
    format: 'yaml',
    text: `# mine\nElectronic:\n  Deep House Lounge: http://198.51.100.34:8006\n\n'Quoted: one':\n  "It's 9": "http://own.example/9" # good\n  Logo: http://own.example/l|http://own.example/l.png\n`,
    entries: [
      ['Deep House Lounge', 'http://198.51.100.34:8006', 'ycast MY_262FA9BFEA92', 'ytuner MY_9695410ED729'],
      ["It's 9", 'http://own.example/9', 'ycast MY_027B83BE838A', 'ytuner MY_CDDD123CFC8C'],
      ['Logo', 'http://own.example/l', 'ycast MY_2015A0CBB4A1', 'ytuner MY_8A05CDEBD8CC'],
    ],
  },
  {
    what: 'stations.ini of YTuner',
    format: 'ini',
    text: '\ufeff[Dance]\r\n; mine\r\nFFH = http://mp3.example/hq.mp3?a=b|https://static.example/x.jpg\r\n[Empty]\r\nNo address=\r\n',
    entries: [['FFH', 'http://mp3.example/hq.mp3?a=b', 'ytuner MY_3497ACDAE3B4']],
  },
  {
    what: 'the favourites of RadioDroid',
    format: 'json',
    text: JSON.stringify([
      { id: '87', stationuuid: UUID, name: 'One', url: 'http://own.example/1', countrycode: 'DE', votes: 3 },
      { name: 'No id', url: 'http://own.example/2' },
      'nonsense',
      { name: 'Nothing' },
    ]),
    entries: [
      ['One', 'http://own.example/1', `radio-browser ${UUID}`],
      ['No id', 'http://own.example/2'],
    ],
  },
  {
    what: 'the same as a playlist',
    format: 'm3u',
    text: `#EXTM3U\n#RADIOBROWSERUUID:${UUID}\n#EXTINF:-1,One\nhttp://own.example/1\n\n#EXTINF:-1 tvg-id="s24896",Two\nhttp://own.example/2\n`,
    entries: [
      ['One', 'http://own.example/1', `radio-browser ${UUID}`],
      ['Two', 'http://own.example/2', 'tunein s24896'],
    ],
  },
  {
    what: 'a table with ids and no addresses',
    format: 'csv',
    text: 'name,url,id\nOne,,s24896\nTwo,http://own.example/2,\nThree,,\n',
    entries: [
      ['One', '', 'tunein s24896'],
      ['Two', 'http://own.example/2'],
    ],
  },
  {
    what: 'a playlist of links',
    format: 'pls',
    text: '[playlist]\nFile1=http://opml.radiotime.com/Tune.ashx?id=s24896\nTitle1=One\n',
    entries: [['One', 'http://opml.radiotime.com/Tune.ashx?id=s24896', 'tunein s24896']],
  },
];
for (const { what, format, text, entries } of LISTS)
  test(`a list is read: ${what}`, async () => {
    assert.equal(formatOf(text), format);
    const found = await readList(text, format, 100);
    assert.deepEqual(
      found.map(({ name, address, foreign }) => [
        name,
        address,
        ...foreign.map(({ scheme, id }) => `${scheme} ${id}`),
      ]),
      entries,
    );
  });

test('a table of a thousand rows is read no further than needed', async () => {
  const rows = Array.from({ length: 100_000 }, (_, n) => `S${n},http://own.example/${n}`).join('\n');
  const { length } = await readList(`name,url\n${rows}`, 'csv', 100);
  assert.ok(length > 100 && length < 5000, `${length}`);
});

const read = (text: string, format: ListFormat) => readList(text, format, 100);

test('what is no list of its kind is told', async () => {
  await assert.rejects(read('<presets><preset>', 'bose'), /not well-formed XML/);
  await assert.rejects(read('<!DOCTYPE x><presets/>', 'bose'), /DOCTYPE/);
  await assert.rejects(read(`<presets>${'<a>'.repeat(100)}`, 'bose'), /deeper than 64/);
  await assert.rejects(read('{"a":1}', 'json'), /no list of stations/);
  await assert.rejects(read('[{', 'json'), SyntaxError);
});
