import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvStations } from './read-lists.ts';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const read = (text: string) => Array.fromAsync(readCsvStations(bytesOf(text), 'csv:test'));

test('a German spreadsheet: semicolons, decimal commas and thousands', async () => {
  const [item] = await read(
    'Name;URL;Lat;Lon;Bitrate;Votes\nHafen FM;http://a.example.net/1;53,5511;9,9937;1,28E+02;1.234\n',
  );
  assert.ok(item && 'record' in item);
  const { coordinate, bitrateKbps, votes } = item.record;
  assert.deepEqual(
    { coordinate, bitrateKbps, votes },
    { coordinate: { latitude: 53.5511, longitude: 9.9937 }, bitrateKbps: 128, votes: 1234 },
  );
});

test('rows that are no station are told of with their lines, and the others are read', async () => {
  const items = await read(
    'name,url\nA,http://a.example.net/1\n"B,http://a.example.net/2\nC,\nD,http://a.example.net/4\n',
  );
  assert.deepEqual(
    items.map((item) => ('record' in item ? item.record.name : `${item.at}: ${item.refused.slice(0, 20)}`)),
    ['A', 'line 3: a quoted cell is nev', 'line 4: no address: the row ', 'D'],
  );
});
