import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsFor } from '../../../src/core/i18n/words.ts';
import { openContainer, type TreeSources } from '../../../src/protocols/upnp/tree.ts';
import { realDirectory } from '../../content/real-directory.ts';

/** Receivers read a folder to its end before they show it. */
const MAX_ENTRIES = 300;

test('every real station is reached from the root, by folders that a receiver can read to their end', async (t) => {
  await using directory = await realDirectory();
  const { snapshot } = directory;
  const tree: TreeSources = { snapshot, words: wordsFor('en'), saved: undefined, name: 'Longwave' };
  const stations = new Set<string>();
  let folders = 0;
  let longest: [entries: number, id: string] = [0, ''];
  let slowest: [ms: number, id: string] = [0, ''];
  const walk = (id: string): void => {
    const started = performance.now();
    const { container, children } = openContainer(tree, id) ?? assert.fail(id);
    const entries = children();
    const ms = performance.now() - started;
    folders += 1;
    assert.equal(entries.length, container.childCount, id);
    if (entries.length > longest[0]) longest = [entries.length, id];
    if (ms > slowest[0]) slowest = [ms, id];
    for (const entry of entries)
      if (entry.kind === 'container') walk(entry.id);
      else stations.add(entry.id.slice(entry.id.lastIndexOf('.') + 1));
  };
  walk('0');
  t.diagnostic(
    `${folders} folders; ${longest[1]} has ${longest[0]} entries; ${slowest[1]} took ${slowest[0].toFixed(0)} ms`,
  );
  assert.ok(longest[0] <= MAX_ENTRIES, `${longest[1]} has ${longest[0]} entries`);
  assert.equal(stations.size, snapshot.stations.length);
});
