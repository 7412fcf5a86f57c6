/** Asks the two libraries for the radio-browser API that npm has as their descriptions say, and prints what they give. */
import { createRequire } from 'node:module';

const [, , origin = ''] = process.argv;
const require = createRequire(import.meta.url);

const { RadioBrowserApi } = require('radio-browser-api');
const api = new RadioBrowserApi('a test', false);
api.setBaseUrl(origin);
const [fjord] = await api.searchStations({ name: 'Fjordradio', nameExact: true });
const fjordId = fjord?.id ?? '';
const modern = {
  countries: await api.getCountries('ireland'),
  countryCodes: await api.getCountryCodes('ie'),
  codecs: await api.getCodecs(),
  states: await api.getCountryStates('hamburg'),
  languages: await api.getLanguages('german'),
  tags: await api.getTags('jazz'),
  byTag: await api.getStationsBy('byTagExact', 'jazz'),
  byName: await api.getStationsBy('byName', '月下'),
  search: await api.searchStations({ tagList: ['jazz', 'soul'], hasGeoInfo: true, countryCode: 'ZA' }),
  byVotes: await api.getStationsByVotes(3),
  all: await api.getAllStations(),
  byId: await api.getStationsById([fjordId]),
  byUrl: await api.getStationByUrl(fjord?.url ?? ''),
  click: await api.sendStationClick(fjordId),
  vote: await api.voteForStation(fjordId),
  voteAgain: await api.voteForStation(fjordId),
  after: await api.getStationsById([fjordId]),
};

const RadioBrowser = require('radio-browser');
RadioBrowser.service_url = origin;
const [radio] = await RadioBrowser.getStations({ by: 'nameexact', searchterm: 'Grachtenradio' });
const id = radio?.stationuuid ?? '';
const classic = {
  states: await RadioBrowser.getStates({ country: 'Germany', searchterm: 'ber' }),
  tags: await RadioBrowser.getTags({ searchterm: 'folk & singer', order: 'stationcount', reverse: true }),
  byTag: await RadioBrowser.getStations({
    by: 'tag',
    searchterm: 'folk & singer',
    limit: 4,
    order: 'votes',
    reverse: true,
  }),
  byUrl: await RadioBrowser.getStations({ by: 'url', searchterm: radio?.url }),
  top: await RadioBrowser.getStations({ by: 'topvote', limit: 3 }),
  search: await RadioBrowser.searchStations({ countrycode: 'NL', bitrateMin: 64, limit: 5 }),
  stats: await RadioBrowser.getServerStats(),
  mirrors: await RadioBrowser.getServerMirrors(),
  checks: await RadioBrowser.getChecks(id),
  click: await RadioBrowser.clickStation(id),
  vote: await RadioBrowser.voteStation(id),
  voteAgain: await RadioBrowser.voteStation(id),
  after: await RadioBrowser.getStations({ by: 'uuid', searchterm: id }),
};
process.stdout.write(JSON.stringify({ before: { fjord, radio }, modern, classic }));
