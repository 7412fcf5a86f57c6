import { TRANSLATIONS } from '../../../core/i18n/translations.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { Outline } from '../../../formats/opml/document.ts';
import { textOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import type { DescribeContext } from './request.ts';

type ListContext = Pick<DescribeContext, 'snapshot' | 'words'>;

/** The countries an account can be in; Account and Search take their `guide_id`. */
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

/** The languages that have stations or shows, as `filter` takes them. */
export const languageOutlines = ({ snapshot: { languages }, words }: ListContext): Outline[] =>
  sorted(
    languages.map(({ id, code, name }) =>
      textOutline(words.languageName(code, name), { guideId: guideId('l', id) }),
    ),
    words,
  );

/** All genres, since clients use this list to name the `genre_id` of a station. */
export const genreList = ({ snapshot: { genreById }, words }: ListContext): Outline[] =>
  sorted(
    Array.from(genreById.values(), ({ id, slug, name }) =>
      textOutline(words.genreName(slug, name), { guideId: guideId('g', id) }),
    ),
    words,
  );

/** The supported languages, as `locale` takes them: `en-US`. */
export const localeList = ({ words }: Pick<ListContext, 'words'>): Outline[] =>
  sorted(
    Array.from(TRANSLATIONS.keys(), (language) =>
      textOutline(words.languageName(language), { guideId: localeOf(language) }),
    ),
    words,
  );

/** A language with the country of most of its speakers. */
function localeOf(language: string): string {
  const { region } = new Intl.Locale(language).maximize();
  return region === undefined ? language : `${language}-${region}`;
}

/** The codes that clients know, with their common names, which are the same in every language. */
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
  // Not in the original protocol; Kodi only requests formats listed here, and `ogg` does not include Opus.
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
