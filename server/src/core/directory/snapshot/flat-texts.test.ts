import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSnapshot } from 'node:v8';
import { text } from 'node:stream/consumers';
import { testDatabase } from '../../../../test/database/database.ts';
import { fillCatalogue, randomCatalogue } from '../../../../test/content/random-catalogue.ts';
import { buildSnapshot } from './build-snapshot.ts';

interface HeapDump {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]]; edge_fields: string[] } };
  nodes: number[];
  edges: number[];
  strings: string[];
}

/** The kinds of string that a property of this name holds anywhere in the heap, as V8 itself tells. */
function kindsOfString({ snapshot, nodes, edges, strings }: HeapDump, property: string): Set<string> {
  const { node_fields: nodeFields, node_types: nodeTypes, edge_fields: edgeFields } = snapshot.meta;
  const name = strings.indexOf(property);
  const kinds = new Set<string>();
  for (let edge = 0; edge < edges.length; edge += edgeFields.length) {
    if (edges[edge + edgeFields.indexOf('name_or_index')] !== name) continue;
    const node = edges[edge + edgeFields.indexOf('to_node')]!;
    const kind = nodeTypes[0][nodes[node + nodeFields.indexOf('type')]!] ?? '';
    if (kind.includes('string')) kinds.add(kind);
  }
  return kinds;
}

test('texts are flat: no concatenation is kept, and no slice of a longer text', async () => {
  await using database = await testDatabase();
  await fillCatalogue(database.pool, randomCatalogue(1, 300));
  const snapshot = await buildSnapshot(database.pool);
  const rope = { probe: `${snapshot.stations.length} stations in a rather long text` };
  const dump: HeapDump = JSON.parse(await text(getHeapSnapshot()));
  assert.deepEqual(
    [...kindsOfString(dump, 'probe')],
    ['concatenated string'],
    'a concatenation is told as one',
  );
  assert.deepEqual([...kindsOfString(dump, 'placeName')], ['string']);
  for (const property of ['address', 'slug'])
    assert.deepEqual([...kindsOfString(dump, property)], ['string']);
  assert.ok(snapshot.stations.some(({ placeName }) => placeName === 'Texas, United States') && rope.probe);
});
