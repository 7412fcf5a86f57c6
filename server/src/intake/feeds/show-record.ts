import type { ToldShow } from '../../catalog/shows-told.ts';
import { plainLine, plainText } from '../../formats/feed/plain-text.ts';
import { cleanHomepage } from '../clean-homepage.ts';
import { cleanLogo } from '../clean-logo.ts';
import { parseLanguage } from '../languages.ts';
import { genreOfCategories } from './genre-of-categories.ts';

/** What a feed or a list says of a show, in its own words. */
export interface ShowRecord {
  title?: string | undefined;
  hosts?: string | undefined;
  description?: string | undefined;
  homepage?: string | undefined;
  image?: string | undefined;
  language?: string | undefined;
  categories: readonly string[];
  popularity?: number | undefined;
}

/** Longest texts of a show's row. */
const [TITLE, HOSTS, DESCRIPTION] = [300, 500, 5000];
const MOST_POPULARITY = 1_000_000;

/** The same in our words; what makes no sense is left out. */
export function toldShow(record: ShowRecord): ToldShow {
  const language = record.language && parseLanguage(record.language);
  const genre = genreOfCategories(record.categories);
  const title = plainLine(record.title ?? '', TITLE);
  const hosts = plainLine(record.hosts ?? '', HOSTS);
  const description = plainText(record.description ?? '', DESCRIPTION);
  const homepage = record.homepage && cleanHomepage(record.homepage);
  const image = record.image && cleanLogo(record.image);
  const popularity = Math.round(record.popularity ?? 0);
  return {
    ...(title && { title }),
    ...(hosts && { hosts }),
    ...(description && { description }),
    ...(homepage && { homepage }),
    ...(language && { language }),
    ...(genre && { genre }),
    ...(image && { image }),
    ...(popularity > 0 && { popularity: Math.min(popularity, MOST_POPULARITY) }),
  };
}
