import type { Check, Section } from '../../check.ts';
import { expect, NotShown } from '../../expect.ts';
import { expectEvery, groupKeys, stationsIn } from '../../expectations.ts';
import type { Answer } from '../../answer.ts';
import type { Kit } from '../../kit.ts';
import { attribute, isLink } from '../../opml.ts';

/** The key of the group that each detail asks for. */
export const DETAILS = {
  genre: 'genres',
  affiliate: 'affiliates',
  recommendation: 'recommendations',
} as const;

export const parseDetails = (details: string): string[] =>
  Object.entries(DETAILS)
    .filter(([detail]) => details.split(',').includes(detail))
    .map(([, key]) => key);

async function browseStation(kit: Kit, detail = ''): Promise<Answer> {
  const id = await kit.subjects.stationId();
  return kit.success(`/Browse.ashx?id=${id}${detail && `&detail=${detail}`}`);
}

const detailCheck = (detail: string): Check => ({
  id: `4.6-${detail.replaceAll(',', '-')}`,
  statement: `detail=${detail} gives what it names, and nothing else`,
  run: async (kit) => {
    const menu = await browseStation(kit, detail);
    const keys = groupKeys(menu);
    const allowed = parseDetails(detail);
    const there = groupKeys(await browseStation(kit)).filter((key) => allowed.includes(key));
    const holds = keys.toSorted().join() === there.toSorted().join();
    expect(menu.reply, holds, `the groups ${there.join(', ')} and no other`, keys.join(', '));
    if (keys.length === 0) throw new NotShown(`the first station has no ${detail}`);
  },
});

/** Specification 4.6: browse a station. */
export const browseStationSection: Section = {
  id: '4.6',
  title: 'Browse a station',
  checks: [
    {
      id: '4.6-id',
      statement: 'without detail: its genre, and its affiliates where it has any',
      run: async (kit) => {
        const menu = await browseStation(kit);
        const keys = groupKeys(menu);
        const id = await kit.subjects.stationId();
        const described = await kit.success(`/Describe.ashx?id=${id}&detail=affiliate`);
        const wanted = [DETAILS.genre, ...groupKeys(described)];
        const holds = wanted.every((key) => keys.includes(key));
        expect(menu.reply, holds, `groups of key ${wanted.join(', ')}`, keys.join(', ') || 'no group');
      },
    },
    {
      id: '4.6-similar',
      statement: 'without detail: similar stations, not the station itself',
      run: async (kit) => {
        const menu = await browseStation(kit);
        const id = await kit.subjects.stationId();
        if (stationsIn(menu).length === 0) throw new NotShown('the first station has none like it');
        expectEvery(menu, stationsIn(menu), 'another station', (o) => attribute(o, 'guide_id') !== id);
      },
    },
    {
      id: '4.6-links',
      statement: 'genre and affiliates are links to browse',
      run: async (kit) => {
        const menu = await browseStation(kit);
        const groups = menu.document.outlines.filter((o) =>
          ['genres', 'affiliates'].includes(attribute(o, 'key')),
        );
        expectEvery(
          menu,
          groups.flatMap(({ children }) => children),
          'type="link"',
          isLink,
        );
      },
    },
    ...['affiliate', 'genre', 'recommendation', 'genre,recommendation', 'affiliate,genre,recommendation'].map(
      detailCheck,
    ),
  ],
};
