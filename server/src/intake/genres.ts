import taxonomy from '../catalog/genre-taxonomy.json' with { type: 'json' };
import { genresOfName } from './genres-of-name.ts';
import { genresOfTag } from './genres-of-tag.ts';

export interface StationGenres {
  slugs: string[];
  /** True when the name alone suggested them. */
  inferred: boolean;
}

/** A station that claims more is claiming none in particular; what it says first is kept. */
export const MAX_GENRES = 8;

const ROOTS = new Set(taxonomy.genres.flatMap(({ slug, parent }) => (parent === null ? [slug] : [])));
const PARENTS = new Map(taxonomy.genres.map(({ slug, parent }) => [slug, parent]));
const ANCESTORS = new Map(taxonomy.genres.map(({ slug }) => [slug, ancestorsOf(slug)]));

/**
 * Genre slugs from a station's tags; from its name only when no tag gave any. Ancestors of a genre that was found are
 * left out: "classic-rock" says "rock".
 */
export function genresOf(tags: readonly string[], name: string): StationGenres {
  const fromTags = mostSpecific(tags.flatMap(genresOfTag));
  if (fromTags.length > 0) return { slugs: fromTags, inferred: false };
  const fromName = mostSpecific(genresOfName(name));
  return { slugs: fromName, inferred: fromName.length > 0 };
}

/** Without repetitions and ancestors; a root ("music") says something only where nothing else is said. */
function mostSpecific(slugs: readonly string[]): string[] {
  if (slugs.length < 2) return [...slugs];
  const said = new Set(slugs);
  const implied = new Set<string>();
  for (const slug of said) for (const ancestor of ANCESTORS.get(slug) ?? []) implied.add(ancestor);
  const specific = [...said].filter((slug) => !implied.has(slug));
  const belowRoots = specific.filter((slug) => !ROOTS.has(slug));
  return (belowRoots.length > 0 ? belowRoots : specific).slice(0, MAX_GENRES);
}

function ancestorsOf(slug: string): string[] {
  const parent = PARENTS.get(slug);
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}
