import { type DirectoryRegion, lineageOf } from '../../core/directory/snapshot/snapshot.ts';
import { searchText } from '../../lib/search-words.ts';
import { type ApiRequest, flagOf, pageOf, textParam } from './read-request.ts';
import { codeOfCountry, tagOf, type View } from './view.ts';
import type { Row } from './write-answer.ts';

/** Something stations are grouped by, as its list shows it: one country, one tag. */
interface Facet {
  name: string;
  foldedName: string;
  /** What the list tells beside the name. */
  more: Readonly<Record<string, string | null>>;
  /** What it can be asked for by beside its name. */
  code: string;
  ranks: Int32Array;
  /** How many of them play. */
  workingCount: number;
}

export type FacetKind = 'countries' | 'states' | 'languages' | 'tags' | 'codecs';
type Draft = Pick<Facet, 'name' | 'ranks'> & Partial<Pick<Facet, 'more' | 'code'>>;

const facets = new WeakMap<View, Map<FacetKind, readonly Facet[]>>();

/** The groups of a kind that have stations; worked out once for a view. */
export function facetsOf(view: View, kind: FacetKind): readonly Facet[] {
  return facets
    .getOrInsertComputed(view, () => new Map())
    .getOrInsertComputed(kind, () => MAKERS[kind](view).map((draft) => finished(view, draft)));
}

function finished({ working }: View, { name, ranks, more = {}, code = '' }: Draft): Facet {
  let workingCount = 0;
  for (let index = 0; index < ranks.length; index += 1) workingCount += working[ranks[index]!]!;
  return { name, foldedName: searchText(name), more, code, ranks, workingCount };
}

const regionsOf = ({ snapshot }: View, kind: DirectoryRegion['kind']): DirectoryRegion[] =>
  [...snapshot.regionById.values()].filter((region) => region.kind === kind && region.stationCount > 0);

const MAKERS: Readonly<Record<FacetKind, (view: View) => Draft[]>> = {
  countries: (view) =>
    regionsOf(view, 'country').map((region) => {
      const code = codeOfCountry(region);
      return { name: region.name, ranks: region.ranks, more: { iso_3166_1: code }, code };
    }),
  states: (view) =>
    regionsOf(view, 'state').map((region) => {
      const country = lineageOf(region).find(({ kind }) => kind === 'country')?.name ?? '';
      return { name: region.name, ranks: region.ranks, more: { country } };
    }),
  languages: ({ snapshot }) =>
    snapshot.languages.map(({ name, ranks, code }) => ({
      name: name.toLowerCase(),
      ranks,
      more: { iso_639: code },
      code,
    })),
  tags: ({ snapshot }) =>
    [...snapshot.genreById.values()]
      .filter(({ stationCount }) => stationCount > 0)
      .map(({ name, ranks }) => ({ name: tagOf(name), ranks })),
  codecs: ({ codecs }) =>
    [...Map.groupBy(codecs.keys(), (rank) => codecs[rank]!)].map(([name, ranks]) => ({
      name,
      ranks: Int32Array.from(ranks),
    })),
};

/** A list as it is asked for: `countrycodes` are countries that are shown by their codes. */
interface FacetList {
  kind: FacetKind;
  isCodes?: boolean;
  filter: string;
  /** Of states: those of one country alone. */
  country?: string | undefined;
}

/** The rows of a list of groups, such as all languages. */
export function listFacets(view: View, request: ApiRequest, list: FacetList): Row[] {
  const hidesBroken = flagOf(request, 'hidebroken') === true;
  const isReverse = flagOf(request, 'reverse') === true;
  const isByCount = textParam(request, 'order') === 'stationcount';
  const rows = facetsOf(view, list.kind)
    .filter((facet) => isListed(facet, list))
    .map(({ name, code, more, ranks, workingCount }) => ({
      ...(list.isCodes === true ? { name: code } : { name, ...more }),
      stationcount: hidesBroken ? workingCount : ranks.length,
    }))
    .filter(({ stationcount }) => stationcount > 0);
  rows.sort((a, b) => {
    const order = (isByCount ? a.stationcount - b.stationcount : 0) || compareTexts(a.name, b.name);
    return isReverse ? -order : order;
  });
  return pageOf(rows, request);
}

function isListed({ name, foldedName, code, more }: Facet, { isCodes, filter, country }: FacetList): boolean {
  const wanted = filter.toLowerCase();
  if (isCodes === true) return code.toLowerCase().includes(wanted);
  if (country !== undefined && more['country']?.toLowerCase() !== country.toLowerCase()) return false;
  const folded = searchText(filter);
  return name.toLowerCase().includes(wanted) || (folded !== '' && foldedName.includes(folded));
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
