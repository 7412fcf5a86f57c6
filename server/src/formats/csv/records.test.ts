import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseColumn } from './header.ts';
import { MAX_RECORD_LENGTH, readCsvRecords } from './records.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;
const read = (text: string | Uint8Array, size = 11) =>
  Array.fromAsync(readCsvRecords(inPieces(bytesOf(text), size)));

test('columns are known by their headings', () => {
  const cases = {
    Title: 'name',
    stream_url: 'address',
    'Stream URL': 'address',
    Website: 'homepage',
    favicon: 'logo',
    countrycode: 'country',
    Region: 'state',
    Genre: 'tags',
    format: 'codec',
    geo_lat: 'latitude',
    Lng: 'longitude',
    nonsense: undefined,
    constructor: undefined,
  };
  for (const [heading, column] of Object.entries(cases)) assert.equal(parseColumn(heading), column, heading);
});

test('rows become records, whatever the delimiter, quotes and line ends', async () => {
  const expected = [
    { line: 2, values: { name: 'One, live', address: 'http://a.example/1', tags: 'jazz;"blues"' } },
    { line: 4, values: { name: 'Two', address: 'http://a.example/2' } },
  ];
  const comma =
    'Name,URL,Genre,Other\n"One, live",http://a.example/1,"jazz;""blues""",x\n\nTwo,http://a.example/2\n';
  assert.deepEqual(await read(comma), expected);
  assert.deepEqual(await read(`\ufeff${comma.replaceAll('\n', '\r\n')}`, 1000), expected);
  const tabs = 'name\turl\ttags\nOne, live\thttp://a.example/1\t"jazz;""blues"""\n\nTwo\thttp://a.example/2';
  assert.deepEqual(await read(tabs), expected);
});

test('the first of two columns of one meaning that says something wins', async () => {
  const [row] = await read('name;url;url_resolved\nOne;;http://a.example/r\n');
  assert.deepEqual(row?.values, { name: 'One', address: 'http://a.example/r' });
});

test('Latin-1 is read, a field may hold line ends', async () => {
  const [row] = await read(Buffer.from('name,url\n"Montréal\nFM",http://a.example/1\n', 'latin1'));
  assert.equal(row?.values.name, 'Montréal\nFM');
});

test('what cannot be rows is refused with the reason', async () => {
  assert.deepEqual(await read(''), []);
  await assert.rejects(read('One,http://a.example/1\n'), /must head the columns/);
  const open = `name,url\n"${'x'.repeat(MAX_RECORD_LENGTH * 2)}"\n`;
  await assert.rejects(read('name,url\n"One,http://a.example/1'), /a quote never closes/);
  await assert.rejects(read(open, 10_000), /a quote never closes/);
  await assert.rejects(read('x'.repeat(2 ** 20 + 2), 2 ** 19), /is it CSV/);
});
