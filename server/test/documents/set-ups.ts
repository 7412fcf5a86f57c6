import { type DocumentSetUp, fillDirectory, STATION_SOURCES, writeBlock } from './examples.ts';
import { CHECKOUT } from './read-documents.ts';

const bothKeys = 'MEMBER_KEY_OLD=$MEMBER_KEY MEMBER_KEY=$(cat new-key)';
const kit = (more: string): string[] => [`npx longwave-conformance --base-url $ORIGIN ${more}`.trim()];
const ofKit = (more: string): string => `npx longwave-conformance --base-url http://radio.example.org${more}`;
const STATUS_200 = /<status>200<\/status>/;

const GIT_GREP = `git grep -nE "c=recent|browse\\.recent|'recent'" -- server client docs`;

export const SET_UPS: Readonly<Record<string, DocumentSetUp>> = {
  'CONTRIBUTING.md': {
    // Whoever runs the tests may not own the checkout.
    settings: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
    typed: { [GIT_GREP]: [`cd ${CHECKOUT} && ${GIT_GREP}`] },
    prints: [
      [
        'cd ',
        /^server\/src\/core\/i18n\/translations\/de\.ts:\d+:.*[^]*^server\/src\/protocols\/radiotime\/browse\/pure-menus\.ts:/m,
      ],
    ],
  },
  'README.md': {
    settings: { STATION_SOURCES },
    prepare: (workplace) => writeBlock(workplace, 'docs/schedules.md', 'weekday,', 'week.csv'),
    typed: {
      'npm run longwave -- doctor': ['npm run longwave -- doctor --base-url $ORIGIN'],
      'npx longwave-conformance --base-url http://127.0.0.1:8700 --partner-id demo': kit(
        '--partner-id demo --username ann',
      ),
    },
    prints: [
      ['npm run longwave -- setup', /^Stations +radio-browser: /m],
      ['npm run longwave -- import csv', / {2}1 added: 1 new stations, 1 new streams\n/],
      ['npm run longwave -- import podcasts', /^1 shows read\n {2}1 added/m],
      ['npm run longwave -- import schedule', /broadcasts from .* read as csv\n {2}3 rules/],
      ['npm run longwave -- station key', /^lwk_/m],
      [
        'npm run longwave -- doctor',
        /✓ server +http.* answers, with an index of 8 lines\n[^]*^ {2}. sound /m,
      ],
      ['npx longwave-conformance', / passed, 0 failed, /],
    ],
  },
  'docs/accounts.md': {
    alone: true,
    prepare: fillDirectory,
    typed: {
      'MEMBER_KEY=… longwave serve': ['MEMBER_KEY=$MEMBER_KEY longwave serve'],
      'longwave config rotate-key switch': [`${bothKeys} longwave config rotate-key switch`],
      'longwave config rotate-key': [`${bothKeys} longwave config rotate-key`],
      'longwave config rotate-key finish': [`${bothKeys} longwave config rotate-key finish --forget`],
      // The radio of a page before is the one that everybody has.
      'longwave account password NAME': [`MEMBER_KEY=$(cat new-key) longwave account password ann`],
    },
    prints: [['longwave config rotate-key --write', /^the new key is in new-key, which only you can read\n/]],
  },
  'docs/apps.md': {
    prepare: async ({ pool }) =>
      void (await pool.query(`INSERT INTO accounts (id, username, password_hash) VALUES (78, 'podder', 'none');
        INSERT INTO usernames (username_key, account_id) VALUES ('podder', 78)`)),
    typed: {
      'longwave account app ann AntennaPod': ['longwave account app podder AntennaPod'],
      'longwave account app ann': ['longwave account app podder'],
      'longwave account app ann --end 12': [
        'longwave account app podder --end $(longwave account app podder | cut -d " " -f 1)',
      ],
    },
    prints: [
      [
        'longwave account app podder AntennaPod',
        /^(?:[a-z2-9]{5}-?){4} is the password of podder for AntennaPod/,
      ],
      ['longwave account app podder --end', /^app password \d+ of podder has ended/],
      ['longwave account app podder', /^\d+ {2}AntennaPod, made /],
    ],
  },
  'docs/backup.md': {
    alone: true,
    typed: {
      'BACKUP_FOLDER=/mnt/other-disk/longwave longwave work': ['BACKUP_FOLDER=$PWD/other-disk longwave work'],
      'longwave backup [FOLDER] [--keep 7]': ['longwave backup backups --keep 7'],
      'longwave verify FILE.dump': ['longwave verify backups/*.dump'],
      'longwave restore FILE.dump --replace': ['longwave restore backups/*.dump --replace'],
    },
    prints: [
      ['longwave backup', /\.dump: 71 stations, /],
      ['longwave verify', /\.dump restores: [\d,]+ rows, equal to the backup\n/],
      ['longwave restore', /^restored as of .*: 71 stations, .*, equal to the backup$/m],
      ['longwave doctor', /✓ schema +all \d+ migrations\n/],
    ],
  },
  'docs/broadcasters.md': {
    typed: {
      'longwave station drop-key s123 3fa9c1d2': [
        "longwave station key s1 | sed -n 's/^lwk_.*/&/p' > station-key",
        "longwave station drop-key s1 $(longwave station keys s1 | sed -n 's/ .*studio$//p')",
      ],
      "curl 'https://radio.example.org/Playing.ashx' --data-urlencode 'partnerKey=lwk_…' --data-urlencode 'id=s123' --data-urlencode 'title=First Light' --data-urlencode 'artist=The Duo' --data-urlencode 'album=Quay'":
        [
          // Servers know a new key within seconds.
          `for try in $(seq 40); do curl 'https://radio.example.org/Playing.ashx' --data-urlencode "partnerKey=$(cat station-key)" --data-urlencode 'id=s1' --data-urlencode 'title=First Light' --data-urlencode 'artist=The Duo' --data-urlencode 'album=Quay' | tee answer; grep -q '<status>200' answer && break; sleep 0.5; done`,
        ],
      'curl -u station:lwk_… https://radio.example.org/air/relay/s123 -d relay=never': [
        'curl -u "station:$(cat station-key)" https://radio.example.org/air/relay/s1 -d relay=never',
      ],
      'curl -u station:lwk_… https://radio.example.org/air/relay/s123': [
        'curl -u "station:$(cat station-key)" https://radio.example.org/air/relay/s1',
      ],
    },
    prints: [
      ['longwave station keys', /^KEY +MADE +LAST USED +NAME\n[^]*^[\da-f]{8} .* never +studio$/m],
      ['for try', STATUS_200],
      ['curl -u', /^(?:relay=never|day,country,sessions,hours)$/m],
    ],
  },
  'docs/conformance.md': {
    typed: {
      [ofKit('')]: kit(''),
      [ofKit(' --partner-id demo --username ann')]: kit('--partner-id demo --username ann'),
      [ofKit(' --https-base-url https://radio.example.org --partner-id demo --write')]: kit(
        '--https-base-url $SECURE_ORIGIN --partner-id demo --write',
      ),
      [ofKit(' --section 4.7 --section rules')]: kit('--section 4.7 --section rules'),
      [ofKit(' --json > report.json')]: kit('--json > report.json'),
    },
    prints: [['npx longwave-conformance', /^$| passed, 0 failed, /]],
  },
  'docs/devices.md': {
    async prepare(workplace) {
      await workplace.type("curl -A Linn/4.2 'http://127.0.0.1:8700/Tune.ashx?id=s1&partnerId=ah2rjr68'");
      await workplace.type('for try in $(seq 40); do longwave radios | grep linn && break; sleep 0.5; done');
    },
    typed: { 'longwave radios 192.168.1.31': ['longwave radios 127.0.0.1'] },
    prints: [
      ['longwave radios --json', /"profile": "linn"/],
      ['longwave radios 127', /Tune s1/],
      [
        'longwave radios',
        /^ADDRESS +DEVICE +PARTNER +SEEN +LAST ASKED\n[^]*^127\.0\.0\.1 +linn +ah2rjr68 .*Tune s1$/m,
      ],
    ],
  },
  'docs/doctor.md': {
    typed: {
      'npm run longwave -- doctor --base-url http://radio.example.org': [
        'npm run longwave -- doctor --base-url $ORIGIN',
      ],
    },
    prints: [
      ['npm run longwave -- doctor --base', /✓ tune +/],
      ['npm run longwave -- doctor --json', /"summary": "It works: /],
      ['npm run longwave -- doctor', /^Proof\n/m],
    ],
  },
  'docs/import.md': {
    settings: { STATION_SOURCES: 'house=my-stations.csv' },
    prepare(workplace) {
      writeBlock(workplace, 'docs/schedules.md', 'weekday,', 'week.csv');
      writeBlock(workplace, 'docs/import.md', '[', 'networks.json');
    },
    typed: {
      'longwave import sources [NAME …] [--accept-drop]': [
        'STATION_SOURCES=house=$PWD/my-stations.csv longwave import sources house --accept-drop',
      ],
      'longwave import stations SOURCE [--source NAME] [--accept-drop] [--report FILE]': [
        'longwave import stations server/test/seed/stations.jsonl --source seed --accept-drop --report report.jsonl',
      ],
      'longwave import m3u|pls|opml|csv FILE [--source NAME] [--accept-drop] [--report FILE]': [
        'longwave import m3u house.m3u --source m3u --accept-drop --report report.jsonl',
        'longwave import pls house.pls --source pls',
        'longwave import opml house.opml --source opml',
      ],
      'longwave import aliases FILE [--apply]': [
        'longwave import aliases house.m3u',
        'longwave import aliases house.m3u --apply',
      ],
      'longwave import affiliates FILE': ['longwave import affiliates networks.json'],
      'longwave import podcasts FILE': ['longwave import podcasts my-podcasts.opml'],
      'longwave import schedule FILE --station s123': ['longwave import schedule week.csv --station s1'],
    },
    prints: [
      ['longwave import stations', /^88 records read\n/m],
      ['longwave import m3u', / {2}2 added: 1 new stations, 1 new streams\n {2}1 of them merged/],
      [
        'longwave import aliases house.m3u --apply',
        /^1 saved:\n {2}tunein {2}s24896 .* -> s1 Harbour Folk {2}by address/m,
      ],
    ],
  },
  'docs/install.md': { prints: [['curl', STATUS_200]] },
  'docs/operations.md': {
    typed: {
      'cp deploy/prometheus/*.yml /etc/prometheus/': [
        'mkdir prometheus && cp deploy/prometheus/*.yml prometheus/ && promtool check config prometheus/prometheus.yml && amtool check-config prometheus/alertmanager.yml',
      ],
    },
    prints: [['mkdir', /SUCCESS: .*prometheus\.yml is valid/]],
  },
  'docs/operator.md': {
    alone: true,
    typed: {
      'longwave why-merged s123 [--json]': ['longwave why-merged s1 --json'],
      'longwave station split s123 e55 e56': ['longwave station split s1 e1 e2'],
      'longwave station revert 17': ['longwave station revert 1'],
      'longwave takedown lift 4': ['longwave takedown lift 1'],
    },
    prints: [
      ['longwave station show', /^name +Harbour Folk$/m],
      ['longwave station set', /^change 1: s1 is set/],
      ['longwave station merge', /s3 is part of s1, and its id leads there/],
      ['longwave station split', /e1, e2 of s1 are s\d+ now/],
      ['longwave station history', /^4 .* merge s3 into s1$/m],
      ['longwave station revert', /^change 1 .* is undone/],
      [
        'longwave takedown names.txt --why "a letter of 3 May" --apply',
        /^takedown 1: 2 stations are hidden/m,
      ],
      ['longwave takedown names.txt', /^Nothing was changed. Give --apply/m],
      ['longwave takedown lift', /^takedown 1 is lifted/],
    ],
  },
  'docs/partners.md': {
    typed: {
      'longwave partner unknown [--after ID]': [
        'longwave partner unknown',
        'longwave partner unknown --after a',
      ],
    },
    prints: [
      ['longwave partner show', /^requests per second {2}20\nformats +mp3,aac$/m],
      ['longwave partner list', /^quay +active +30 +5 +20 +mp3,aac /m],
    ],
  },
  'docs/podcasts.md': {
    typed: {
      'longwave import podcasts FILE [--report FILE]': [
        'longwave import podcasts my-podcasts.opml --report report.jsonl',
      ],
    },
  },
  'docs/lists.md': {
    prepare: async ({ pool }) =>
      void (await pool.query(`INSERT INTO accounts (id, username, password_hash) VALUES (77, 'lister', 'none');
        INSERT INTO usernames (username_key, account_id) VALUES ('lister', 77)`)),
    typed: { 'longwave account list NAME': ['longwave account list lister'] },
    prints: [
      ['curl', /^#EXTM3U x-tvg-url="\S+\/lists\/jazz\.xml"\n[^]*\/play\/s\d+\.mp3\n/],
      ['longwave account list', /^http:\S+\/lists\/lwl_[\w-]{32}\/presets\.m3u has the presets of lister/],
    ],
  },
  'docs/probing.md': {
    typed: {
      'longwave probe s123 | e123 | ADDRESS': [
        'longwave probe s1',
        'longwave probe e1',
        'longwave probe $ORIGIN/Browse.ashx',
      ],
    },
    prints: [
      ['longwave probe $ORIGIN', /^ {2}connect .*\n {2}answer +\d+ ms {2}200 OK[^]*=> dead: /m],
      ['longwave probe', /^e1 {2}http:\/\/stream\.example\.net\/harbourfolk-128\.mp3\n[^]*=> /],
    ],
  },
  'docs/radio-browser.md': {
    prints: [['curl', /^\[\{"changeuuid".*"name":"Lantern Jazz/]],
  },
  'docs/reports.md': {
    prepare: async ({ pool }) =>
      void (await pool.query(
        "INSERT INTO reports (kind, address, message, dedupe_key) VALUES ('stream', 'http://a.example.net/', 'silent', gen_random_uuid())",
      )),
    typed: {
      'longwave reports [--before NUMBER]': ['longwave reports', 'longwave reports --before 9'],
      'longwave reports settle NUMBER…': [
        "longwave reports settle $(longwave reports --open | sed -n 's/ .*silent$//p')",
      ],
    },
    prints: [
      ['longwave reports --csv', /^$/],
      ['longwave reports settle', /settled|done/],
      ['longwave reports', /^\d+ .* stream +http:\/\/a\.example\.net\/ +1 +open +silent$/m],
    ],
  },
  'docs/schedules.md': {
    prepare: (workplace) => writeBlock(workplace, 'docs/schedules.md', 'weekday,', 'week.csv'),
    typed: {
      'longwave import schedule FILE|ADDRESS --station s123 [--format NAME] [--zone ZONE] [--channel ID]': [
        'longwave import schedule week.csv --station s1 --format csv --zone Europe/Dublin --channel any',
      ],
    },
    prints: [
      ['longwave import schedule week.csv', /^\d+ broadcasts from .* read as csv\n/],
      ['longwave import schedule --station s1 --forget', /^the schedule of s1 is no longer updated/],
      ['longwave import schedule --list', /^no schedule is read from an address/],
      ['curl', STATUS_200],
    ],
  },
  'docs/setup.md': {
    settings: { STATION_SOURCES, TZ: 'Europe/Vienna', LEGACY_CREDENTIALS: 'allow' },
    prints: [
      [
        'longwave setup',
        /^Schema +\S[^]*^Places +\S[^]*^Home +Vienna, Austria, guessed by the time zone Europe\/Vienna; if it is another: longwave setup --home 'Cork, Ireland'\nStations +radio-browser: [^]*^Operator +open this within 24 hours: http:\S+\/listen\/operator#\S+$/m,
      ],
    ],
  },
  'docs/upgrading.md': { prints: [['longwave upgrade', /^ready: longwave migrate/m]] },
};
