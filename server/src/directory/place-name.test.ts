import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeName } from './place-name.ts';
import type { RegionKind } from './snapshot.ts';

type Place = Parameters<typeof placeName>[0];
const place = (kind: RegionKind, name: string, code: string, parent?: Place): Place => ({
  kind,
  name,
  code,
  parent,
});

const world = place('root', 'World', 'root');
const europe = place('continent', 'Europe', 'continent:EU', world);
const germany = place('country', 'Germany', 'country:DE', europe);
const bavaria = place('state', 'Bavaria', 'state:DE.02', germany);
const america = place('country', 'United States', 'country:US', world);
const texas = place('state', 'Texas', 'state:US.TX', america);
const canada = place('country', 'Canada', 'country:CA', world);
const ontario = place('state', 'Ontario', 'state:CA.08', canada);
const australia = place('country', 'Australia', 'country:AU', world);
const victoria = place('state', 'Victoria', 'state:AU.07', australia);
const singapore = place('country', 'Singapore', 'country:SG', world);

const cases: [place: Place, name: string | undefined][] = [
  [place('city', 'Munich', 'city:1', bavaria), 'Munich, Germany'],
  [place('city', 'Kiel', 'city:2', germany), 'Kiel, Germany'],
  [place('city', 'Austin', 'city:3', texas), 'Austin, Texas'],
  [place('city', 'London', 'city:6', ontario), 'London, Ontario'],
  [place('city', 'Geelong', 'city:7', victoria), 'Geelong, Victoria'],
  [place('city', 'Elsewhere', 'city:4', america), 'Elsewhere, United States'],
  [place('city', 'Singapore', 'city:5', singapore), 'Singapore'],
  [bavaria, 'Bavaria, Germany'],
  [texas, 'Texas, United States'],
  [germany, 'Germany'],
  [europe, 'Europe'],
  [world, undefined],
];
for (const [of, name] of cases) test(`${of.code} is ${name}`, () => assert.equal(placeName(of), name));
