import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { DirectoryStation, Snapshot } from '../../../src/core/directory/snapshot/snapshot.ts';
import { openFolder } from '../../../src/core/folders/folder.ts';
import { wordsFor } from '../../../src/core/i18n/words.ts';
import { VTUNER_MODELS } from '../../devices/vtuner-models.ts';
import { linkOf, type SendRequest, VtunerRadio, type VtunerTraits } from '../../devices/vtuner-radio.ts';
import { Dice } from '../../fuzz/dice.ts';
import { TERMS } from '../../fuzz/list-calls.ts';
import { vtunerApp, type VtunerApp } from '../../apps/vtuner-app.ts';

/** `VTUNER_ANSWERS=100000 VTUNER_SEED=1 node scripts/test.ts server/test/drills/fuzz/vtuner-names.test.ts` */
const ANSWERS = Number(process.env['VTUNER_ANSWERS'] ?? 1500);
const SEED = Number(process.env['VTUNER_SEED'] ?? randomInt(2 ** 31));

const PIECES = [
  ...TERMS,
  ...'& && &amp; &lt; &#65; &#x1F; < > </StationName> <Item> ]]> <![CDATA[ " \' / \\ % %00 ? # ; = .mp3 . - _ LW1'.split(
    ' ',
  ),
  '\t',
  '\n',
  '\r\n',
  '\0',
  '\x1b[2J',
  '\x7f',
  '\x85',
  '\u2028',
  '\ufeff',
  '\u200f',
  '\u00a0',
  '\ud800',
  '\udc00',
  '\ufffe',
  ...'Ä ß é Ł ő Ω ж 電 台 ฟ न ﬁ ½ € “ ” ’ – 📻 👩‍🎤 e\u0301 Radio FM 97.9'.split(' '),
  'x'.repeat(120),
  '電'.repeat(60),
];

const textOf = (dice: Dice): string =>
  Array.from({ length: 1 + dice.below(8) }, () => dice.pick(PIECES)).join(dice.pick(['', ' ', '  ']));

const ADDRESSES = [
  'http://stream.example.net/a?x=1&y=2',
  'http://stream.example.net/Ä ö',
  'http://stream.example.net/"><Item>',
  'http://[::1/a',
  'http://',
  'https://stream.example.net/a',
  'mms://stream.example.net/a',
  'http://stream.example.net:99999/a',
  `http://stream.example.net/${'a'.repeat(400)}`,
];

/** The same directory, with names and addresses of anything. */
function spoiled(snapshot: Snapshot, dice: Dice, turn: number): Snapshot {
  const stations = snapshot.stations.map((station): DirectoryStation => {
    const [first, ...others] = station.streams;
    const address = dice.chance(0.3) ? dice.pick(ADDRESSES) : first!.address;
    return {
      ...station,
      name: textOf(dice),
      slogan: dice.chance(0.5) ? textOf(dice) : undefined,
      genreName: dice.chance(0.5) ? textOf(dice) : undefined,
      placeName: dice.chance(0.5) ? textOf(dice) : undefined,
      streams: [{ ...first!, address, resolvedAddress: undefined }, ...others],
    };
  });
  return {
    ...snapshot,
    changedAt: snapshot.changedAt.add({ seconds: turn + 1 }),
    stations,
    stationById: new Map(stations.map((station) => [station.id, station])),
  };
}

const ENGLISH = wordsFor('en');

/** What is in a folder, without the protocol. */
function stationsIn(snapshot: Snapshot, id: string): DirectoryStation[] {
  const folder = openFolder(snapshot, id, { offset: 0, limit: 1000, words: ENGLISH });
  return (folder?.items ?? []).flatMap((item) => (item.kind === 'station' ? [item.station] : []));
}

const lettersOf = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const ascii = (text: string): string => text.replaceAll(/[^0-9A-Za-z]/g, '');

/** Whether a title is what such a radio can show of a name: its letters from the first one on, none of others. */
function isOf(title: string, { name, id }: DirectoryStation, { reader }: VtunerTraits): boolean {
  if (reader.encoding === 'latin1') {
    return (
      lettersOf(title) !== '' &&
      (title.includes(`LW${id}`) || title.length > 90 || isWithin(ascii(name.normalize('NFC')), ascii(title)))
    );
  }
  const [shown, all] = [lettersOf(title), lettersOf(name)];
  return all === '' ? title.includes(`LW${id}`) : shown !== '' && all.startsWith(shown);
}

/** Whether the letters of a text all come in a title, in their order. */
function isWithin(text: string, title: string): boolean {
  let at = 0;
  for (const letter of title) if (text[at] === letter) at += 1;
  return at === text.length;
}

function sendInside({ server }: VtunerApp, count: () => void): SendRequest {
  return async (target, headers) => {
    count();
    const url = target.replace(/^http:\/\/[^/]+/, '').replace(/^\/+/, '/');
    const { statusCode, headers: given, rawPayload } = await server.app.inject({ url, headers });
    const flat = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: statusCode, headers: new Map(flat), body: rawPayload };
  };
}

test(
  `no radio misreads one of ${ANSWERS} answers, whatever stations are called`,
  { timeout: Math.max(600_000, ANSWERS * 20) },
  async (t) => {
    await using app = await vtunerApp();
    const original = app.snapshot();
    const dice = new Dice(SEED);
    const folders = original.languages
      .map(({ id }) => `l${id}`)
      .filter((id) => stationsIn(original, id).length > 0);
    const counted = { answers: 0 };
    let turn = 0;
    const send = sendInside(app, () => (counted.answers += 1));
    while (counted.answers < ANSWERS) {
      const snapshot = spoiled(original, dice, turn);
      app.replace(snapshot);
      const traits = VTUNER_MODELS[turn % VTUNER_MODELS.length]!;
      turn += 1;
      const radio = new VtunerRadio(traits, send, `names ${turn}`);
      try {
        const menu = await radio.boot();
        const languages =
          menu.entries.find((entry) => linkOf(entry).endsWith('gofile=languages')) ?? assert.fail();
        for (const folder of (await radio.openWhole(languages)).entries) {
          const id = /gofile=(l\d+)$/.exec(linkOf(folder))?.[1] ?? assert.fail(linkOf(folder));
          assert.ok(folders.includes(id), id);
          const { entries } = await radio.openWhole(folder);
          const expected = stationsIn(snapshot, id);
          assert.deepEqual(
            entries.map((entry) => entry.id),
            expected.map((station) => `LW${station.id}`),
          );
          for (const [place, { title }] of entries.entries())
            assert.ok(isOf(title, expected[place]!, traits), JSON.stringify([title, expected[place]!.name]));
        }
      } catch (error) {
        throw new Error(`${traits.name}, to see it again: VTUNER_SEED=${SEED}`, { cause: error });
      }
    }
    t.diagnostic(`seed ${SEED}: ${counted.answers} answers in ${turn} sessions`);
  },
);
