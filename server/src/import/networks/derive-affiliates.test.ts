import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonName } from './common-name.ts';
import { domainOf } from '../../core/cleaning/clean-homepage.ts';
import { type AffiliatedStation, deriveAffiliates } from './derive-affiliates.ts';
import { type BroadcastNetwork, knownNetworks, parseNetworks } from './network.ts';

const station = (
  id: number,
  name: string,
  homepageHost: string | null,
  countryCode: string | null = 'DE',
): AffiliatedStation => ({
  id,
  name,
  homepageHost,
  countryCode,
});

function networksOf(
  stations: AffiliatedStation[],
  networks: BroadcastNetwork[] = knownNetworks(),
): Record<string, number[]> {
  const given = networks.map((network) => ({ network, source: 'longwave' as const }));
  const found = deriveAffiliates(stations, given);
  return Object.fromEntries([...found.values()].map(({ name, stationIds }) => [name, [...stationIds]]));
}

/** Ten that everybody knows, with names and homepages made up for the rules; the real ones are in real-networks.test.ts. */
const WELL_KNOWN: [name: string, host: string | null, country: string, networks: string[]][] = [
  ['BBC Radio 4', 'bbc.co.uk', 'GB', ['BBC']],
  ['NDR 2', 'ndr.de', 'DE', ['NDR', 'ARD']],
  ['1LIVE', 'www1.wdr.de', 'DE', ['WDR', 'ARD']],
  ['FIP', null, 'FR', ['Radio France']],
  ['CBC Radio One Toronto', 'cbc.ca', 'CA', ['CBC']],
  ['Groove Salad', 'somafm.com', 'US', ['SomaFM']],
  ['Heart London', 'heart.co.uk', 'GB', ['Heart', 'Global']],
  ['Rai Radio 1', 'raiplaysound.it', 'IT', ['RAI']],
  ['Sveriges Radio P3', 'sverigesradio.se', 'SE', ['Sveriges Radio']],
  ['Radio SRF 1', 'srf.ch', 'CH', ['SRF', 'SRG SSR']],
];
for (const [name, host, country, networks] of WELL_KNOWN) {
  test(`${name} belongs to ${networks.join(' and ')}`, () => {
    assert.deepEqual(
      Object.keys(networksOf([station(1, name, host, country)])).toSorted(),
      networks.toSorted(),
    );
  });
}

test('a name counts as whole words, and only where the network is', () => {
  assert.deepEqual(
    networksOf([station(1, 'Heartland Country', null, 'GB'), station(2, 'Heart FM', null, 'ZA')]),
    {},
  );
  assert.deepEqual(networksOf([station(1, 'Radio BBCX', null), station(2, 'My BBC', null)]), {});
});

test('stations of one homepage that begin with the same words are a network', () => {
  const names = [
    'Radio Caprice - Eurodance',
    'Radio Caprice - Thrash',
    'Radio Caprice - Retro',
    'Something else',
  ];
  const stations = names.map((name, index) => station(index + 1, name, 'radcap.example'));
  assert.deepEqual(networksOf(stations), { 'Radio Caprice': [1, 2, 3, 4] });
});

test('hosts on which strangers have pages are no network, nor are two streams of one station', () => {
  const cases: [domain: string, names: string[]][] = [
    ['blogs.example', ['Abaco Jazz', 'My 90s Bengali', 'Radio Mango', 'Radio Sol', 'Radio Vida', 'Suara FM']],
    ['hosted.example', ['Radio One', 'Radio Two', 'Radio Three', 'Radio Four']],
    ['jackie.example', ['Radio Jackie 128k', 'Radio Jackie 64 kbps', 'Radio Jackie (HQ)', 'Radio Jackie']],
    ['two.example', ['Town Folk', 'Town Rock']],
  ];
  for (const [domain, names] of cases) assert.equal(commonName(domain, names), undefined, domain);
  const social = ['Town Folk', 'Town Rock', 'Town Jazz'].map((name, at) =>
    station(at, name, `facebook.com/town${at}`),
  );
  assert.deepEqual(networksOf(social), {});
});

test('a network is called what most of its stations write, in whole words', () => {
  assert.equal(
    commonName('metro.example', ['Metro 98.5 FM', 'METRO 98.1 FM', 'Metro 98.7 FM', 'Metro']),
    'Metro',
  );
  assert.equal(
    commonName('jazzradio.example', ['Jazz Radio Blues', 'Jazz Radio Funk', 'Jazz Radio']),
    'Jazz Radio',
  );
});

test('a network is not called by what any station may be, nor by what stands behind a sign', () => {
  assert.equal(
    commonName('host.example', [
      'Royalty Free Music Jazz',
      'Royalty Free Music Pop',
      'Royalty Free Music Rock',
    ]),
    undefined,
  );
  const smart = ['Smart Radio - Smart Rock', 'Smart Radio - Smart Pop', 'Smart Radio - Smart Jazz'];
  assert.equal(commonName('smartradio.example', smart), 'Smart Radio');
});

test('the registered part of a host', () => {
  const cases = {
    'www1.wdr.de': 'wdr.de',
    'radio.abc.net.au': 'abc.net.au',
    'co.uk': 'co.uk',
    'x.com/a': 'x.com/a',
  };
  for (const [host, domain] of Object.entries(cases)) assert.equal(domainOf(host), domain);
});

test('a file of networks that is wrong says where', () => {
  const cases: [text: string, why: RegExp][] = [
    ['{}', /must be a JSON list/],
    ['[1]', /network 1 is not an object/],
    ['[{"domains":["a"]}]', /network 1 needs a "name"/],
    ['[{"name":"A"}]', /network 1 \("A"\) needs one of domains, names/],
    ['[{"name":"A","names":"B"}]', /"names" must be a list of strings/],
    ['[{"name":"A","stations":["x1"]}]', /"x1" is not a station's guide ID/],
    ['[{"name":"A","names":["B"],"nmaes":[]}]', /has "nmaes", which is not a known key/],
    ['[{"name":"A","names":["B"],"homepage":"ftp:"}]', /"homepage" must be/],
    ['[{"name":"A","names":["B"],"countries":["Ireland"]}]', /"Ireland" is not a two-letter country code/],
    ['[{"name":"A","domains":["a b"]}]', /"a b" is not a domain/],
    ['[{"name":"A","names":["B"],"within":["C"]}]', /"within" must be the name of one network/],
    ['[', /JSON/],
  ];
  for (const [text, why] of cases) assert.throws(() => parseNetworks(text), why, text);
});

test('domains are read as people copy them, and countries in any case', () => {
  const text = `[{"name":"A","domains":["https://www.Harbour.example/live?x", "müller.example", "b.example."],
    "names":["Harbour"], "countries":["ie"]}]`;
  const networks = parseNetworks(text);
  assert.deepEqual(networks[0]?.domains, ['harbour.example', 'xn--mller-kva.example', 'b.example']);
  const stations = [station(1, 'Quay', 'live.harbour.example', 'IE'), station(2, 'Harbour 2', null, 'IE')];
  assert.deepEqual(networksOf(stations, networks), { A: [1, 2] });
});
