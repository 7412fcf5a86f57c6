import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { devicesPage } from '../../../../scripts/docs.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { parseProfile } from './profile.ts';
import {
  chooseProfile,
  findProfile,
  type Hints,
  profileOfUserAgent,
  PROFILES,
  SAFE_PROFILE,
} from './profiles.ts';

const FOLDER = join(import.meta.dirname, 'profiles');
const MPV: Record<string, unknown> = JSON.parse(readFileSync(join(FOLDER, 'mpv.json'), 'utf8'));
const changed = (changes: Record<string, unknown>): string => JSON.stringify({ ...MPV, ...changes });

test('every file is a profile, and a device nobody knows is held back nothing', () => {
  assert.equal(PROFILES.length, readdirSync(FOLDER).length);
  assert.ok(PROFILES.length >= 16);
  const { formats, tls, redirects, playlists, maxAddressLength, safestFirst } = SAFE_PROFILE;
  assert.deepEqual(
    { formats, tls, redirects, playlists, maxAddressLength, safestFirst },
    {
      formats: ALL_FORMATS,
      tls: 'old',
      redirects: Infinity,
      playlists: ['m3u', 'pls', 'asx', 'xspf'],
      maxAddressLength: Infinity,
      safestFirst: true,
    },
  );
});

test('tested are those that a test of this repository plays, and no two are recognised by the same', () => {
  const tested = PROFILES.filter(({ grade }) => grade === 'tested').map(({ id }) => id);
  assert.deepEqual(tested, ['mopidy', 'mpd', 'mpv', 'unknown', 'vlc', 'web']);
  const marks = PROFILES.flatMap(({ match }) => [
    ...match.userAgents,
    ...match.partnerIds.map((id) => `partner ${id}`),
    ...match.formats.map((list) => `formats ${list}`),
  ]);
  assert.equal(new Set(marks).size, marks.length);
});

const wrong: [what: string, text: string, says: RegExp][] = [
  ['no JSON', '{"name":', /x\.json: is not JSON/],
  ['a list', '[]', /x\.json: must contain one JSON object/],
  ['an unknown field', changed({ codecs: [] }), /"codecs" is not a field; the fields are name, grade, .*tls/],
  ['an unknown grade', changed({ grade: 'sure' }), /"grade" is "sure"; it must be one of tested, confirmed/],
  ['a missing field', changed({ tls: undefined }), /"tls" is missing; it must be one of none, old, modern/],
  [
    'HLS among the formats',
    changed({ formats: ['mp3', 'hls'] }),
    /"formats" is .*some of mp3, aac, ogg, wma/,
  ],
  ['a format twice', changed({ formats: ['mp3', 'mp3'] }), /each once/],
  ['a text for a flag', changed({ hls: 'yes' }), /"hls" is "yes"; it must be true or false/],
  ['a text for HE-AAC', changed({ heAac: 'v2' }), /"heAac" is "v2"; it must be true or false/],
  ['half a redirect', changed({ redirects: 0.5 }), /"redirects" is 0\.5; it must be a whole number/],
  ['a text for redirects', changed({ redirects: 'all' }), /true, false or a whole number from 1 to 20/],
  ['a playlist of another kind', changed({ playlists: ['wpl'] }), /"playlists" is \["wpl"\].*m3u, pls, asx/],
  ['a page of nothing', changed({ pageSize: 0 }), /"pageSize" is 0; it must be a whole number from 1 to 500/],
  [
    'a mark of one letter',
    changed({ match: { userAgents: ['V'] } }),
    /x\.json, match: "userAgents" is \["V"\]/,
  ],
  ['an unknown mark', changed({ match: { serials: [] } }), /match: "serials" is not a field/],
  ['no marks', changed({ match: [] }), /"match" is \[\]; it must be an object with userAgents/],
  ['no name', changed({ name: ' ' }), /"name" is " "; it must be a text of 1 to 80/],
];
for (const [what, text, says] of wrong) {
  test(`a profile with ${what} is refused, and told why`, () => {
    assert.throws(() => parseProfile('x', text), { name: 'ProfileError', message: says });
  });
}

const agents: [userAgent: string, id: string | undefined][] = [
  ['Mopidy-TuneIn/1.1.0 Mopidy/3.4.1 CPython/3.11.2', 'mopidy'],
  ['Music Player Daemon 0.23.12', 'mpd'],
  ['libmpv', 'mpv'],
  ['VLC/3.0.24 LibVLC/3.0.24', 'vlc'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'web',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0', 'web'],
  ['Mozilla/5.0 (Linux; N; Debian; x86_64; EN; utf8) Lyrion Music Server/9.0.0', 'lyrion'],
  ['iTunes/4.7.1 (Linux; N; Debian; x86_64; EN; utf8) Lyrion Music Server/9.0.0', 'lyrion'],
  ['Bose_Lisa/27.0.6', 'soundtouch'],
  ['Kodi/21.0 (X11; Linux x86_64) VLC/3.0.24 LibVLC/3.0.24', 'vlc'],
  ['Mozilla/5.0 (Windows NT 6.1; rv:12.0) Gecko/20120403211507 Firefox/12.0', undefined],
  ['Lavf/59.27.100', undefined],
  ['', undefined],
];
for (const [userAgent, id] of agents) {
  test(`the User-Agent '${userAgent.slice(0, 60)}' is ${id ?? 'nobody’s'}`, () => {
    assert.equal(profileOfUserAgent(userAgent)?.id, id);
  });
}

const vlc = findProfile('vlc') ?? assert.fail();
const hints: [what: string, hints: Hints, id: string, source: string][] = [
  [
    'the parameter first',
    { device: 'MPV', partnerDevice: 'mpd', partnerId: '15', byUserAgent: vlc },
    'mpv',
    'device',
  ],
  ['then the partner’s row', { device: 'toaster', partnerDevice: 'mpd', partnerId: '15' }, 'mpd', 'partner'],
  ['then a known partner id', { partnerId: '15', byUserAgent: vlc }, 'lyrion', 'partnerId'],
  [
    'then the User-Agent',
    { partnerId: 'x', byUserAgent: vlc, formats: 'ogg,aac,wma,mp3,hls' },
    'vlc',
    'userAgent',
  ],
  ['then the formats', { byUserAgent: null, formats: 'OGG,aac,wma,mp3,hls' }, 'music-assistant', 'formats'],
  ['else nothing', { partnerDevice: 'gone', partnerId: 'x', formats: 'mp3' }, 'unknown', 'nothing'],
];
for (const [what, given, id, source] of hints) {
  test(`a device is told by ${what}`, () => {
    const chosen = chooseProfile(given);
    assert.deepEqual([chosen.profile.id, chosen.source], [id, source]);
  });
}

test('docs/devices.md has every profile as it is', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/devices.md'), 'utf8');
  assert.equal(page, devicesPage(page), 'run "npm run docs" and commit the page');
  for (const { id } of PROFILES) assert.ok(page.includes(`| \`${id}\` `), id);
});

test('of two names that a User-Agent has, the longer one tells the device', () => {
  const names = PROFILES.flatMap((profile) => profile.match.userAgents.map((text) => ({ profile, text })));
  let pairs = 0;
  for (const longer of names)
    for (const shorter of names) {
      if (shorter.profile === longer.profile || shorter.text.length >= longer.text.length) continue;
      const said = profileOfUserAgent(`${shorter.text} ${longer.text}`);
      assert.equal(said, longer.profile, `${shorter.text} ${longer.text}`);
      pairs += 1;
    }
  assert.ok(pairs > 10, 'the test tells nothing');
});
