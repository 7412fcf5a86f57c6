import type { Snapshot } from '../../../../core/directory/snapshot/snapshot.ts';
import type { MessageKey } from '../../../../core/i18n/en.ts';
import type { Words } from '../../../../core/i18n/words.ts';
import type { DiaryCall } from '../../../../core/devices/recent-calls.ts';
import { whyRefused } from './radio-refusal.ts';

/** Which key of a radio was pressed, as far as its call tells; the site has a picture of each. */
type RadioKey = 'play' | 'knob' | 'search' | 'preset' | 'power';

/** What a radio did, in a sentence. */
export interface RadioAct {
  /** The last time, if it did so several times in a row. */
  at: string;
  sentence: string;
  count: number;
  key: RadioKey;
  /** What went wrong and what to do about it. */
  trouble?: string;
}

/** What guide IDs in calls are called. */
export type NameOf = (guideId: string) => string | undefined;

interface Did {
  text: MessageKey;
  key: RadioKey;
}

/** By the page and its action, as the diary has them; the longest match counts. */
const DEEDS: Readonly<Record<string, Did>> = {
  Tune: { text: 'radio-did.played', key: 'play' },
  Browse: { text: 'radio-did.browsed', key: 'knob' },
  'Browse presets': { text: 'radio-did.presets', key: 'preset' },
  Search: { text: 'radio-did.searched', key: 'search' },
  Describe: { text: 'radio-did.looked', key: 'knob' },
  Preset: { text: 'radio-did.changed', key: 'preset' },
  'Preset add': { text: 'radio-did.saved', key: 'preset' },
  'Preset remove': { text: 'radio-did.removed', key: 'preset' },
  Account: { text: 'radio-did.account', key: 'power' },
  'Account auth': { text: 'radio-did.signedIn', key: 'power' },
  'Account claim': { text: 'radio-did.code', key: 'power' },
  'Account join': { text: 'radio-did.joined', key: 'power' },
  Report: { text: 'radio-did.reported', key: 'power' },
  'vTuner menu': { text: 'radio-did.browsed', key: 'knob' },
  'vTuner search': { text: 'radio-did.searched', key: 'search' },
  'vTuner statxml': { text: 'radio-did.browsed', key: 'knob' },
  'vTuner getshowxml': { text: 'radio-did.browsed', key: 'knob' },
  'vTuner favxml': { text: 'radio-did.presets', key: 'preset' },
  'vTuner afavxml': { text: 'radio-did.presets', key: 'preset' },
  'vTuner addfav': { text: 'radio-did.changed', key: 'preset' },
  'vTuner removefavs': { text: 'radio-did.changed', key: 'preset' },
};
const CONNECTED: Did = { text: 'radio-did.connected', key: 'power' };

/** Deeds that name what they were done to, and what is said where that is not known. */
const UNNAMED: Partial<Record<MessageKey, MessageKey>> = {
  'radio-did.browsed': 'radio-did.menu',
  'radio-did.searched': 'radio-did.searchedSome',
  'radio-did.looked': 'radio-did.menu',
  'radio-did.saved': 'radio-did.changed',
  'radio-did.removed': 'radio-did.changed',
};

/** The calls of a radio as its owner would tell them, the newest first; the same several times in a row is one act. */
export function radioActs(calls: readonly DiaryCall[], words: Words, nameOf: NameOf): RadioAct[] {
  const acts: RadioAct[] = [];
  for (const call of calls) {
    const act = actOf(call, words, nameOf);
    const last = acts.at(-1);
    if (last?.sentence === act.sentence && last.trouble === act.trouble) last.count += 1;
    else acts.push(act);
  }
  return acts;
}

function actOf(call: DiaryCall, words: Words, nameOf: NameOf): RadioAct {
  const { at, what, query } = call;
  const [id] = /[a-z]\d+$/.exec(what) ?? [];
  const { text, key } = deedOf(what);
  const name = text === 'radio-did.searched' ? query : id === undefined ? undefined : nameOf(id);
  const isPlayed = text === 'radio-did.played';
  const known = name ?? (isPlayed ? words.text('radio-did.unlisted') : undefined);
  const said = known === undefined ? (UNNAMED[text] ?? text) : text;
  const trouble = whyRefused(call, known, words);
  return {
    at: Temporal.Instant.fromEpochMilliseconds(at).toString(),
    // Nothing was heard of what could not be played.
    sentence: words.text(isPlayed && trouble !== undefined ? 'radio-did.tried' : said, { name: known ?? '' }),
    count: 1,
    key,
    ...(trouble !== undefined && { trouble }),
  };
}

function deedOf(what: string): Did {
  const [page = '', action = ''] = what.split(' ', 2);
  const name = Object.hasOwn(DEEDS, `${page} ${action}`) ? `${page} ${action}` : page;
  return Object.hasOwn(DEEDS, name) ? (DEEDS[name] ?? CONNECTED) : CONNECTED;
}

/** Names from the directory as it is in memory; `shows` has those of shows. */
export function namesIn(snapshot: Snapshot, words: Words, shows: ReadonlyMap<number, string>): NameOf {
  return (guideId) => {
    const id = Number(guideId.slice(1));
    const genre = guideId.startsWith('g') ? snapshot.genreById.get(id) : undefined;
    const region = guideId.startsWith('r') ? snapshot.regionById.get(id) : undefined;
    if (genre) return words.genreName(genre.slug, genre.name);
    if (region) return words.regionName(region.code, region.name);
    if (guideId.startsWith('p')) return shows.get(id);
    return guideId.startsWith('s')
      ? (snapshot.stationById.get(id) ?? snapshot.mergedById.get(id))?.name
      : undefined;
  };
}
