import { guideId } from '../lib/guide-id.ts';
import type { Outline } from '../opml/document.ts';
import { textOutline } from '../opml/outlines.ts';
import { TRANSLATIONS } from '../words/translations.ts';
import type { Words } from '../words/words.ts';
import type { Telling } from './request.ts';

type Told = Pick<Telling, 'snapshot' | 'words'>;

/** The countries an account can be made in; `guide_id` is what Account and Search take. */
export const countryList = (
  countries: readonly { id: number; code: string; name: string }[],
  words: Words,
): Outline[] =>
  sorted(
    countries.map(({ id, code, name }) => ({
      ...textOutline(words.countryName(code, name), { guideId: guideId('n', id) }),
      attributes: [['country_code', code]],
    })),
    words,
  );

/** The languages that something can be heard in, as `filter` takes them. */
export const languageList = ({ snapshot: { languages }, words }: Told): Outline[] =>
  sorted(
    languages.map(({ id, code, name }) =>
      textOutline(words.languageName(code, name), { guideId: guideId('l', id) }),
    ),
    words,
  );

/** Every genre there is, since clients put names to the `genre_id` of a station by this list. */
export const genreList = ({ snapshot: { genreById }, words }: Told): Outline[] =>
  sorted(
    Array.from(genreById.values(), ({ id, slug, name }) =>
      textOutline(words.genreName(slug, name), { guideId: guideId('g', id) }),
    ),
    words,
  );

/** The languages the service speaks, as `locale` takes them: `en-US`. */
export const localeList = ({ words }: Pick<Told, 'words'>): Outline[] =>
  sorted(
    Array.from(TRANSLATIONS.keys(), (language) =>
      textOutline(words.languageName(language), { guideId: localeOf(language) }),
    ),
    words,
  );

/** A language with the country that most of its speakers live in. */
function localeOf(language: string): string {
  const { region } = new Intl.Locale(language).maximize();
  return region === undefined ? language : `${language}-${region}`;
}

/** The codes that clients know, with the names people know them by; those are the same in every language. */
const FORMATS = {
  wma: 'Windows Media Audio',
  mp3: 'MP3',
  aac: 'AAC and AAC+',
  real: 'Real Audio',
  flash: 'Flash',
  html: 'HTML',
  wmpro: 'Windows Media Professional',
  wmvoice: 'Windows Media Voice',
  wmvideo: 'Windows Media Video',
  ogg: 'Ogg Vorbis',
  qt: 'QuickTime',
  // Not among the protocol's own; Kodi asks for no format that is missing here, and `ogg` has no Opus.
  hls: 'HTTP Live Streaming',
  opus: 'Opus',
  am: 'AM',
  fm: 'FM',
  hd: 'HD Radio',
  dab: 'DAB',
  sat: 'Satellite',
};

export const FORMAT_LIST: readonly Outline[] = Object.entries(FORMATS).map(([code, name]) =>
  textOutline(name, { guideId: code }),
);

const sorted = (outlines: Outline[], { language }: Words): Outline[] => {
  const { compare } = new Intl.Collator(language);
  return outlines.toSorted((a, b) => compare(a.text, b.text));
};
