import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_ATTRIBUTE_LENGTH, MAX_DEPTH, readOpmlList } from './parse.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;
const read = async (text: string | Uint8Array, size = 7) =>
  Array.fromAsync(readOpmlList(inPieces(bytesOf(text), size)), (outline) => {
    const { attributes: _attributes, ...rest } = outline;
    return rest;
  });
const opml = (body: string): string => `<?xml version="1.0"?><opml version="2.0"><body>${body}</body></opml>`;

test('addresses by any of their names, groups around them', async () => {
  const text = opml(`
    <outline text="Europe"><outline title="Jazz">
      <outline type="audio" text="One &amp; two" URL="http://a.example/1" bitrate="128" image="http://a.example/l.png"/>
    </outline></outline>
    <outline text="Feed" xmlUrl="http://a.example/feed"><outline text="inside" url="http://a.example/2"/></outline>
    <outline text="nothing"/>`);
  const expected = [
    {
      address: 'http://a.example/1',
      name: 'One & two',
      type: 'audio',
      image: 'http://a.example/l.png',
      bitrateKbps: 128,
      groups: ['Europe', 'Jazz'],
    },
    { address: 'http://a.example/feed', name: 'Feed', groups: [] },
    { address: 'http://a.example/2', name: 'inside', groups: [] },
  ];
  assert.deepEqual(await read(text), expected);
  assert.deepEqual(await read(`\ufeff${text}`, 100_000), expected);
});

test('the declared encoding is used', async () => {
  const latin = Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?><opml><body><outline text="Montréal" URL="http://a.example/"/></body></opml>`,
    'latin1',
  );
  assert.equal((await read(latin, 300))[0]?.name, 'Montréal');
  await assert.rejects(read('<?xml version="1.0" encoding="klingon"?><opml/>', 300), /save it as UTF-8/);
});

test('the first error ends the list and says what to do', async () => {
  const deep = '<outline text="x">'.repeat(MAX_DEPTH) + '</outline>'.repeat(MAX_DEPTH);
  const cases: [string, RegExp][] = [
    ['<!DOCTYPE opml [<!ENTITY x "y">]><opml/>', /DOCTYPE, which is refused/],
    [opml('<outline text="a" URL="http://a.example/">'), /not well-formed/],
    [opml('<outline text="&nbsp;"/>'), /not well-formed/],
    [opml(deep), /nests deeper than 64/],
    ['<rss/>', /root is <rss>/],
    ['', /not well-formed/],
    ['plain text', /not well-formed/],
  ];
  for (const [text, message] of cases) await assert.rejects(read(text), message, text.slice(0, 60));
});

test('outlines before an error were already given', async () => {
  const seen: string[] = [];
  const text = opml('<outline URL="http://a.example/1"/><outline URL="http://a.example/2"></wrong>');
  await assert.rejects(async () => {
    for await (const { address } of readOpmlList(inPieces(Buffer.from(text), 20))) seen.push(address);
  });
  assert.deepEqual(seen, ['http://a.example/1', 'http://a.example/2']);
});

test('an endless attribute is left out', async () => {
  const long = 'x'.repeat(MAX_ATTRIBUTE_LENGTH + 1);
  assert.deepEqual(await read(opml(`<outline text="${long}" URL="http://a.example/"/>`), 4096), [
    { address: 'http://a.example/', groups: [] },
  ]);
});
