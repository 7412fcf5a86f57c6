import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseClock } from './weekly-csv.ts';

const CLOCKS: [text: string, minutes: number | undefined][] = [
  ['06:00', 360],
  ['6 pm', 1080],
  ['12 am', 0],
  ['12:30 p.m.', 750],
  ['24:00', 1440],
  ['24:01', undefined],
  ['13 pm', undefined],
  ['0 am', undefined],
  ['6:60', undefined],
];
for (const [text, minutes] of CLOCKS)
  test(`"${text}" is ${minutes ?? 'no time'}`, () => assert.equal(parseClock(text), minutes));
