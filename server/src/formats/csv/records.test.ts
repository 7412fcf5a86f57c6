import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseColumn, parseCount, parseDegrees, readCsvRecords } from './records.ts';
import { MAX_RECORD_LENGTH } from './rows.ts';

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const bytesOf = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? Buffer.from(text) : text;
const read = async (text: string | Uint8Array, size = 11) =>
  (await Array.fromAsync(readCsvRecords(inPieces(bytesOf(text), size)))).flat();
const valuesOf = async (text: string | Uint8Array, size = 11) =>
  (await read(text, size)).map((item) => ('values' in item ? item.values : `${item.line}: ${item.refused}`));

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
    'Bitrate (kbps)': 'bitrate',
    'Latitude [°]': 'latitude',
    '(name)': 'name',
    'nonsense (url)': undefined,
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
  const [row] = await valuesOf('name;url;url_resolved\nOne;;http://a.example/r\n');
  assert.deepEqual(row, { name: 'One', address: 'http://a.example/r' });
});

test('Latin-1 is read, a field may hold line ends', async () => {
  const [row] = await valuesOf(Buffer.from('name,url\n"Montréal\r\nFM",http://a.example/1\n', 'latin1'));
  assert.deepEqual(row, { name: 'Montréal\nFM', address: 'http://a.example/1' });
});

test('what cannot be rows is refused with the reason', async () => {
  assert.deepEqual(await read(''), []);
  await assert.rejects(read('One,http://a.example/1\n'), /must name the columns/);
  await assert.rejects(read('x'.repeat(2 ** 20 + 2), 2 ** 19), /is it CSV/);
});

const ONE = { name: 'One', address: 'http://a.example/1' };
const TWO = { name: 'Zwei – Łódź', address: 'http://a.example/2' };
const QUOTE = 'a quoted cell is never closed: add the missing quote';

test('one bad row is told of with its line, and the next ones are read', async () => {
  const table = 'name,url\nOne,http://a.example/1\n"Bad,http://a.example/b\nZwei – Łódź,http://a.example/2\n';
  assert.deepEqual(await valuesOf(table), [ONE, `3: ${QUOTE}`, TWO]);
  const many = `name,url\n"Bad\n${'One,http://a.example/1\n'.repeat(100)}`;
  const rows = await valuesOf(many, 1000);
  assert.deepEqual([rows.length, rows[0], rows[100]], [101, `2: ${QUOTE}`, ONE]);
  const long = `name,url\n${'x'.repeat(MAX_RECORD_LENGTH)},http://a.example/l\nOne,http://a.example/1\n`;
  assert.deepEqual(await valuesOf(long, 1000), [
    `2: the row is longer than ${MAX_RECORD_LENGTH} characters`,
    ONE,
  ]);
});

test('a quote inside of a cell is a sign, and a quoted cell may end with spaces', async () => {
  const table =
    'name,url\nThe "Best" FM,http://a.example/1\n"The ""Best"" FM" ,"http://a.example/1"\n"A" B,x\n';
  assert.deepEqual((await valuesOf(table)).slice(0, 2), [
    { name: 'The "Best" FM', address: 'http://a.example/1' },
    { name: 'The "Best" FM', address: 'http://a.example/1' },
  ]);
});

for (const encoding of ['utf-16le', 'utf-16be'] as const) {
  for (const mark of ['\ufeff', '']) {
    test(`${encoding} ${mark ? 'with' : 'without'} its mark, as Excel saves "Unicode text"`, async () => {
      const table = `${mark}Name\tURL\r\nOne\thttp://a.example/1\r\nZwei – Łódź\thttp://a.example/2\r\n`;
      const bytes = Buffer.from(table, 'utf16le');
      if (encoding === 'utf-16be') bytes.swap16();
      for (const size of [1, 7, 1000]) assert.deepEqual(await valuesOf(bytes, size), [ONE, TWO]);
    });
  }
}

test('the delimiter is what the file says, and a heading may come late', async () => {
  for (const before of ['sep=;\r\n', '\ufeffsep=;\n', '"sep=;"\n', '\n\nsep=;\n', 'sep=;,,,,\n', '\r\n'])
    for (const size of [11, 1000]) {
      const table = `${before}Name;URL;a, b, c, d;;\nOne;http://a.example/1;;;\n;;;;\n`;
      assert.deepEqual((await valuesOf(table, size))[0], ONE, before);
    }
});

test('numbers as spreadsheets of many countries write them', () => {
  const counts = { '1,234': 1234, '1.234': 1234, "1'234'567": 1234567, '1 234': 1234, '1\u202f234': 1234 };
  for (const [text, count] of Object.entries({
    ...counts,
    '1,28E+02': 128,
    '1.28E+05': 128000,
    '128 kbps': 128,
  }))
    assert.equal(parseCount(text), count, text);
  const degrees = {
    '53,5511': 53.5511,
    '53.5511': 53.5511,
    '-8,47': -8.47,
    '−8.47': -8.47,
    '53,5511°': 53.5511,
  };
  for (const [text, value] of Object.entries({
    ...degrees,
    '8,47° W': -8.47,
    '5,35511E+01': 53.5511,
    '53': 53,
  }))
    assert.equal(parseDegrees(text), value, text);
  for (const none of ['', 'x', '.', ',', undefined]) assert.equal(parseDegrees(none), undefined);
});

test('a table of quotes that never close is read to its end, and good rows in it are kept', async () => {
  const broken = '"a\n'.repeat(5000);
  const rows = await read(`name,url\n${broken}Town FM,http://a.example/1\n${broken}`, 65_536);
  assert.equal(rows.length, 10_001);
  assert.deepEqual(
    rows.filter((row) => 'values' in row),
    [{ line: 5002, values: { name: 'Town FM', address: 'http://a.example/1' } }],
  );
});

test('a row of over a thousand cells is refused alone', async () => {
  assert.deepEqual(await valuesOf(`name,url\nA,b${','.repeat(2000)}\nTown FM,http://a.example/1`), [
    '2: the row has over 1000 cells: remove the columns that are not needed',
    { name: 'Town FM', address: 'http://a.example/1' },
  ]);
});
