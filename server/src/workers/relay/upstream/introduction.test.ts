import assert from 'node:assert/strict';
import { test } from 'node:test';
import { introduce } from './introduction.ts';

test('a public address is told to the station, one of a private network is not', () => {
  for (const peer of ['8.8.8.8', '2001:4860:4860::8888'])
    assert.ok(introduce({ peer }).headers.includes(`X-Forwarded-For: ${peer}`), peer);
  for (const peer of ['192.168.1.20', '10.0.0.1', '127.0.0.1', '100.64.0.1', 'fd00::1', 'fe80::1', ''])
    assert.deepEqual(introduce({ peer }).headers, ['Via: 1.0 longwave'], peer);
});

const AGENTS: [what: string, agent: string | undefined, named: RegExp][] = [
  ['nothing', undefined, /^longwave\/[\d.]+ \(relay; for one listener\)$/],
  ['a player', 'VLC/3.0.18 LibVLC/3.0.18', /\(relay; for one listener\) VLC\/3\.0\.18 LibVLC\/3\.0\.18$/],
  ['another line', 'Radio\r\nHost: evil.example', /listener\) Radio {2}Host: evil\.example$/],
  ['signs beyond ASCII', 'Küchenradio', /listener\) K chenradio$/],
  ['what servers do not count', 'Icecast 2.4.4', /listener\) ice-cast 2\.4\.4$/],
  ['what SHOUTcast sends a page to', 'Mozilla/5.0 (X11)', /listener\) mo-zilla\/5\.0 \(X11\)$/],
  ['a novel', 'x'.repeat(500), /listener\) x{120}$/],
];
for (const [what, agent, named] of AGENTS)
  test(`a device that calls itself ${what}`, () =>
    assert.match(introduce({ peer: '10.0.0.1', agent }).userAgent, named));
