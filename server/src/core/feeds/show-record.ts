import { plainLine, plainText } from '../../formats/feed/plain-text.ts';
import { foldText } from '../../lib/search-words.ts';
import type { ShowUpdate } from '../../storage/catalog/shows/shows.ts';
import taxonomy from '../../storage/catalog/stations/genre-taxonomy.json' with { type: 'json' };
import { cleanHomepage, cleanLogo } from '../cleaning/clean-homepage.ts';
import { genresOfTag } from '../cleaning/genres.ts';
import { parseLanguage } from '../cleaning/languages.ts';

/** What a feed or a list says about a show, unprocessed. */
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
const MAX_POPULARITY = 1_000_000;

/** The same, cleaned; invalid values are left out. */
export function showUpdate(record: ShowRecord): ShowUpdate {
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
    ...(popularity > 0 && { popularity: Math.min(popularity, MAX_POPULARITY) }),
  };
}

/** Categories of podcast directories, current and former, where the taxonomy's tags have no genre or a worse one. */
const OF_CATEGORY: Readonly<Record<string, string>> = {
  culture:
    'arts|books|design|fashion & beauty|performing arts|visual arts|society & culture|documentary|personal journals|philosophy|places & travel|relationships|tv & film|after shows|film history|film interviews|film reviews|tv reviews|history|literature|society|culture|travel|journal|journals|film|films|movies|tv|hobbies|crafts|leisure|games & hobbies|hobbies|animation & manga',
  'health-lifestyle':
    'health & fitness|alternative health|fitness|medicine|mental health|nutrition|sexuality|health|self improvement|self help|food|kids & family|parenting|pets & animals|home & garden|fitness & nutrition|family|beauty|fashion',
  'science-tech':
    'science|astronomy|chemistry|earth sciences|life sciences|mathematics|natural sciences|nature|physics|social sciences|technology|tech news|gadgets|podcasting|software how to|natural|earth|life|mathematics|medicine & science|cryptocurrency|programming|computer|computers',
  business:
    'business|careers|entrepreneurship|investing|management|marketing|non profit|business news|shopping|money|economics|finance',
  education:
    'education|courses|how to|language learning|higher education|k 12|training|educational technology|language courses|stories for kids|education for kids',
  comedy: 'comedy|comedy interviews|improv|stand up|comedy fiction',
  'drama-otr': 'fiction|drama|science fiction|audio drama|audiobook|audiobooks|storytelling|true crime|crime',
  news: 'news|daily news|news commentary|entertainment news|news & politics|commentary',
  politics: 'politics|government|government & organizations|national|regional|local|law',
  'religious-talk': 'religion & spirituality|religion|spirituality|buddhism|hinduism|judaism|other',
  christian: 'christianity',
  islamic: 'islam',
  'sports-talk': 'sports news|sports & recreation|professional|outdoor|recreation',
  sports: 'sports|wilderness|running|swimming|volleyball',
  'american-football': 'football|fantasy sports',
  'college-sports': 'college & high school',
  'tennis-golf': 'tennis|golf',
  combat: 'wrestling|martial arts',
  'cycling-outdoor': 'cycling|hiking',
  motorsport: 'automotive|aviation|motor sports',
  esports: 'video games|games|other games|gaming',
  music: 'music|music history|music interviews|music commentary',
};

/** Stems that match unlisted categories: "Softwareentwicklung", "Cloud Security". */
const STEMS: readonly [stem: RegExp, slug: string][] = [
  [/tech|softw|hardw|linux|internet|digital|comput|programm|entwickl|develop|devops/, 'science-tech'],
  [/sicherheit|security|cloud|open source|intelligen|\bdata\b|daten|wissenschaft|scien/, 'science-tech'],
  [/startup|wirtschaft|business|unternehm|karriere|career|financ|finanz|leadership/, 'business'],
  [/nachricht|actualit|noticia|journalis/, 'news'],
  [/politi|gesellschaft|societ/, 'politics'],
  [/geschichte|histor|kultur|cultur|literatur/, 'culture'],
  [/gesundheit|health|salud|sante\b/, 'health-lifestyle'],
  [/bildung|educa/, 'education'],
];

const SLUGS = new Map(
  Object.entries(OF_CATEGORY).flatMap(([slug, names]) =>
    names.split('|').map((name) => [name, slug] as const),
  ),
);
const PARENTS = new Map(taxonomy.genres.map(({ slug, parent }) => [slug, parent]));

/**
 * The one genre of a show: that of its first category, or a narrower one inside it from a later category. A feed lists
 * the wider category before those inside it, and its main category first.
 */
export function genreOfCategories(categories: readonly string[]): string | undefined {
  const known = categories.flatMap(slugsOf);
  const said = known.length > 0 ? known : categories.flatMap(slugsOfStem);
  return said.reduce<string | undefined>(
    (best, slug) => (best === undefined || isInside(slug, best) ? slug : best),
    undefined,
  );
}

function slugsOf(category: string): readonly string[] {
  const slug = SLUGS.get(foldText(category));
  return slug === undefined ? genresOfTag(category) : [slug];
}

function slugsOfStem(category: string): string[] {
  const folded = foldText(category.slice(0, 100));
  return STEMS.filter(([stem]) => stem.test(folded)).map(([, slug]) => slug);
}

function isInside(slug: string, around: string): boolean {
  let parent = PARENTS.get(slug);
  while (parent) {
    if (parent === around) return true;
    parent = PARENTS.get(parent);
  }
  return false;
}
