import { LANGUAGES, isLanguage } from '../src/i18n/languages.ts';
import { loadMessages } from '../src/i18n/load.ts';
import type { MessageKey } from '../src/i18n/messages.ts';

/** What pages say that the server writes, for readers without scripts and for pages of others that frame a player. */
const KEYS = [
  'home.all',
  'home.intro',
  'home.languages',
  'home.music',
  'home.places',
  'home.podcasts',
  'home.popular',
  'home.sports',
  'home.talk',
  'home.ways',
  'items.more',
  'player.pause',
  'player.playName',
  'player.whyNetwork',
  'shell.browse',
  'show.topics',
  'state.slow',
  'station.about',
  'station.now',
  'station.schedule',
  'station.similar',
  'station.streams',
  'station.today',
] as const satisfies readonly MessageKey[];

/** By language, then by key: nothing is translated twice. */
export async function pageWords(): Promise<Record<string, Record<string, string>>> {
  const words: Record<string, Record<string, string>> = {};
  for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
    const messages = await loadMessages(language);
    words[language] = Object.fromEntries(KEYS.map((key) => [key, messages[key]]));
  }
  return words;
}
