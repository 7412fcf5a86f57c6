import assert from 'node:assert/strict';
import test from 'node:test';
import { listZones, writeZone } from './zones.ts';

test('the zone that is set is always among those to choose from', () => {
  assert.ok(listZones('Europe/Dublin').includes('Europe/Dublin'));
  assert.equal(listZones('Mars/Olympus')[0], 'Mars/Olympus');
  assert.ok(!listZones('').includes(''));
});

test('a zone is shown with the time it is there', () => {
  const now = Date.parse('2026-01-15T12:30:00Z');
  assert.equal(writeZone('America/New_York', { now, language: 'de' }), 'America / New York (07:30)');
  assert.equal(writeZone('Mars/Olympus', { now, language: 'de' }), 'Mars / Olympus');
});
