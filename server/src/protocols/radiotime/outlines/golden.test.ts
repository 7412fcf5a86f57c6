import { join } from 'node:path';
import { test } from 'node:test';
import { parseFormats } from '../../../lib/stream-format.ts';
import type { OpmlDocument, Target } from '../../../formats/opml/document.ts';
import { suffixOf } from '../../../formats/opml/links.ts';
import {
  groupOutline,
  linkOutline,
  logoOf,
  moreShows,
  moreStations,
  stationOutline,
  textOutline,
  withOnAir,
} from '../../../formats/opml/outlines.ts';
import type { StationFacts } from '../../../formats/opml/outlines.ts';
import {
  asPreset,
  folderContainer,
  folderLink,
  urlPresetOutline,
} from '../../../formats/opml/preset-outlines.ts';
import { showOutline, topicOutline } from './show-outlines.ts';
import { streamObject, streamOutline } from './stream-outlines.ts';
import { writeJson } from '../../../formats/opml/write-json.ts';
import { writeXml } from '../../../formats/opml/write-xml.ts';

const browse = (...params: Target['params']): Target => ({ path: '/Browse.ashx', params });

const harbour: StationFacts = {
  id: 900101,
  name: 'Harbour Folk',
  genreName: 'Folk',
  genreId: 79,
  placeName: 'Cork, Ireland',
  slogan: 'Songs from the quay',
  languageName: 'English',
  bitrate: 128,
  reliability: 96,
  formats: parseFormats('mp3,aac'),
};
const town: StationFacts = {
  id: 900102,
  name: 'Town FM',
  frequency: '97.9',
  genreName: 'News',
  genreId: 32,
  placeName: 'Łódź, Poland',
  slogan: '"Your" town & more',
  languageName: 'Polish',
  bitrate: 96,
  reliability: 99,
  formats: parseFormats('mp3'),
};
const hearth = { id: 90011, title: 'Hearth Songs', subtext: 'An hour of old songs', genreId: 79 };

const index: OpmlDocument = {
  title: 'Browse',
  outlines: [
    linkOutline('Local Radio', browse(['c', 'local']), { key: 'local' }),
    linkOutline('Music', browse(['c', 'music']), { key: 'music' }),
    linkOutline('By Location', browse(['id', 'r0']), { key: 'location' }),
  ],
};
const genrePage: OpmlDocument = {
  title: 'Folk',
  outlines: [
    groupOutline('Local Stations', 'local', []),
    groupOutline('Stations', 'stations', [
      withOnAir(stationOutline(harbour, 'byGenre'), { song: 'The Example Duo - First Light' }),
      moreStations({ ...browse(['offset', '26'], ['id', 'g79']), filter: 's' }),
    ]),
    groupOutline('Shows', 'shows', [
      showOutline(hearth),
      moreShows({ ...browse(['offset', '6'], ['id', 'g79']), filter: 'p' }),
    ]),
    groupOutline('Explore Folk', 'related', [
      linkOutline(
        'By Location',
        { ...browse(['pivot', 'country'], ['id', 'g79']), filter: 's' },
        { key: 'pivotLocation' },
      ),
      linkOutline('Celtic', browse(['id', 'g80']), { guideId: 'g80' }),
    ]),
  ],
};
const region: OpmlDocument = {
  title: 'Ireland',
  outlines: [
    groupOutline('All Stations', 'stations', [
      stationOutline(harbour, 'byPlace'),
      stationOutline(town, 'byPlace'),
    ]),
    linkOutline('Cork', browse(['id', 'r91']), { guideId: 'r91' }),
  ],
};
const presetsRecursed: OpmlDocument = {
  title: "ann's Favorites",
  outlines: [
    folderContainer({ id: 1, name: 'General', isDefault: true }, [
      asPreset(stationOutline(town, 'preset'), 1),
      asPreset(showOutline(hearth), 2),
    ]),
    folderContainer({ id: 2, name: 'Empty one', isDefault: false }, []),
  ],
};
const presetFolders: OpmlDocument = {
  title: "ann's Favorites",
  outlines: [
    folderLink({ id: 3, name: 'Kitchen' }),
    urlPresetOutline({ id: 21, name: 'My stream', address: 'http://stream.example.net/live?x=1' }, 4),
  ],
};
const stream = {
  guideId: 'e700001' as const,
  parentId: 's900101' as const,
  name: 'Harbour Folk',
  address: 'http://stream.example.net/harbour-128.mp3',
  bitrate: 128,
  reliability: 96,
  format: 'mp3' as const,
};
const topics: OpmlDocument = {
  title: 'Hearth Songs',
  outlines: [
    groupOutline('Recent Episodes', 'topics', [
      topicOutline({
        id: 500001,
        showId: 90011,
        title: 'Winter Tunes (58m)',
        dateText: 'Friday Jan 9',
        durationSeconds: 3480,
        streamType: 'download',
      }),
    ]),
  ],
};
const nowPlaying: OpmlDocument = {
  outlines: [
    {
      ...textOutline('Town FM 97.9', { guideId: 's900102', key: 'station' }),
      image: logoOf('s900102'),
      presetId: 's900102',
    },
    {
      ...textOutline('Morning Desk', { guideId: 'p90020', key: 'show' }),
      secondsRemaining: 1500,
      duration: 7200,
    },
    textOutline('News'),
    {
      type: 'object',
      text: 'NowPlaying',
      object: {
        element: 'nowplaying',
        fields: [
          ['logo', logoOf('s900102')],
          ['twitterId', null],
        ],
      },
    },
  ],
};
const described: OpmlDocument = {
  outlines: [
    {
      type: 'object',
      text: 'Harbour Folk',
      object: {
        element: 'station',
        fields: [
          ['guideId', 's900101'],
          ['presetId', 's900101'],
          ['name', 'Harbour Folk'],
          ['slogan', 'Songs & "shanties"'],
          ['frequency', ''],
          ['band', null],
          ['url', { address: 'http://harbour.example.net/?a=1&b=2' }],
          [
            'reportUrl',
            {
              path: '/Report.ashx',
              params: [
                ['c', 'wizard'],
                ['id', 's900101'],
              ],
            },
          ],
          ['isPreset', false],
          ['isAvailable', true],
          ['logo', logoOf('s900101')],
          ['tzOffset', 60],
        ],
      },
    },
  ],
};
const listing: OpmlDocument = { outlines: [groupOutline('Listing', 'listing', described.outlines)] };
const schedule: OpmlDocument = {
  title: 'Schedule',
  outlines: [
    {
      ...linkOutline(
        'Morning Desk',
        {
          path: '/Tune.ashx',
          params: [
            ['c', 'pbrowse'],
            ['id', 'p90020'],
          ],
        },
        { guideId: 'p90020' },
      ),
      start: '2026-01-09T06:00:00',
      duration: 7200,
      image: logoOf('p90020'),
      tz: 'Central European',
    },
  ],
};
const config: OpmlDocument = {
  outlines: [
    {
      text: 'api',
      attributes: [
        ['albumart.lookupurl', { path: '/AlbumArt.ashx' }],
        ['albumart.extension.default', 'q.jpg'],
      ],
    },
  ],
};
const fault: OpmlDocument = {
  status: 404,
  fault: 'Invalid method',
  faultCode: 'api.methodNotFound',
  outlines: [],
};
const documents = {
  index,
  'genre-page': genrePage,
  region,
  'presets-recursed': presetsRecursed,
  'preset-folders': presetFolders,
  ebrowse: { title: 'Listening Options', outlines: [streamOutline(stream)] },
  tune: { outlines: [streamObject(stream), streamObject({ ...stream, playlistType: 'pls' })] },
  topics,
  'now-playing': nowPlaying,
  'describe-station': described,
  listing,
  schedule,
  config,
  fault,
  'fault-without-code': { status: 400, fault: 'Invalid root category', outlines: [] },
  empty: { outlines: [] },
} satisfies Record<string, OpmlDocument>;

const links = {
  origin: 'http://opml.example.org',
  suffix: suffixOf({ partnerId: 'demo', formats: 'mp3,aac', username: 'ann' }),
};
const golden = (file: string): string => join(import.meta.dirname, 'golden', file);

for (const [name, document] of Object.entries<OpmlDocument>(documents)) {
  test(`${name} is written as its golden files say`, (t) => {
    t.assert.fileSnapshot(writeXml(document, links), golden(`${name}.opml`), { serializers: [String] });
    t.assert.fileSnapshot(writeJson(document, links), golden(`${name}.json`), { serializers: [String] });
  });
}
