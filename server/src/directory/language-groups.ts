import type { LanguageRow } from '../catalog/languages.ts';
import { type GroupDraft, emptyGroup, groupStations, remembered } from './group-stations.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';

interface LanguageDraft extends GroupDraft {
  code: string;
}

const byName = new Intl.Collator('en');

export async function groupByLanguage(
  rows: readonly LanguageRow[],
  stations: readonly DirectoryStation[],
  playable: Int32Array,
): Promise<Pick<Snapshot, 'languageById' | 'languages'>> {
  const all = new Map(rows.map((row) => [row.id, draftLanguage(row)]));
  const groupsOf = remembered((ids: readonly number[]) =>
    ids.map((id) => all.get(id)).filter((language) => language !== undefined),
  );
  await groupStations(stations, playable, ({ languageIds }) => groupsOf(languageIds));
  const languages = [...all.values()].filter(({ stationCount }) => stationCount > 0);
  languages.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id);
  return { languages, languageById: all };
}

const draftLanguage = ({ id, name, code }: LanguageRow): LanguageDraft => ({ ...emptyGroup(id, name), code });
