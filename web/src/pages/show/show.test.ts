import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readJson } from '../../../../client/src/read-json.ts';
import { heardPart, secondsLeft } from '../../podcasts/heard-part.ts';
import { showFacts } from './show-facts.ts';

const described = (file: string): ReturnType<typeof readJson>['outlines'][number]['described'] => {
  const path = join(import.meta.dirname, '../../../../server/src/protocols/radiotime/describe/golden', file);
  return readJson(readFileSync(path, 'utf8')).outlines[0]?.described;
};

test('the facts of a show are read from what the directory describes', () => {
  assert.deepEqual(showFacts(described('show.json')), {
    guideId: 'p90020',
    title: 'Morning Desk',
    hosts: 'Ann Host',
    place: 'United Kingdom',
    language: 'English',
    genre: { id: 'g2005', name: 'News' },
    description: 'What the day brings.',
    homepage: 'http://desk.example.net/',
  });
  const bare = showFacts(described('show-bare.json'));
  assert.ok(bare);
  assert.deepEqual([bare.hosts, bare.genre, bare.homepage], [undefined, undefined, undefined]);
  assert.equal(showFacts(described('station.json')), undefined);
});

test('the mark of a topic says how far somebody came', () => {
  for (const [position, seconds, part] of [
    [undefined, 600, undefined],
    [0, 600, undefined],
    [150, 600, 0.25],
    [900, 600, 1],
    [150, undefined, undefined],
  ] as const)
    assert.equal(heardPart(position, seconds), part);
  assert.deepEqual([secondsLeft(150, 600), secondsLeft(900, 600)], [450, 1]);
});
