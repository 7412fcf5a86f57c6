import type { Check, Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { expectEvery, expectSome, linksIn, stationsIn } from '../../expectations.ts';
import { attribute, isLink, isShow, isStation, type WireOutline } from '../../opml.ts';

/** By default; an operator can arrange otherwise with a partner. */
export const STATIONS_PER_GROUP = 50;
export const SHOWS_PER_GROUP = 10;

/** World, continent, country, state, city, and room for one more. */
const MAX_PLACES = 6;
const isPlace = (o: WireOutline): boolean => isLink(o) && /^r\d+$/.test(attribute(o, 'guide_id'));

const category = (c: string): Check => ({
  id: `4.4-${c}`,
  statement: `c=${c} gives navigable sub-categories`,
  run: async (kit) => {
    const menu = await kit.success(`/Browse.ashx?c=${c}`);
    expectSome(menu, 'links to sub-categories', (o) => isLink(o) && attribute(o, 'guide_id') !== '');
    expectEvery(menu, linksIn(menu), 'a URL to follow', (o) => attribute(o, 'URL') !== '');
  },
});

/** Specification 4.4: browse categories. */
export const browseCategories: Section = {
  id: '4.4',
  title: 'Browse categories',
  checks: [
    ...['music', 'talk', 'sports', 'world'].map(category),
    {
      id: '4.4-stations',
      statement: 'links lead to groups of stations, at most 50 by default',
      run: async ({ subjects }) => {
        const { reply, document } = await subjects.genre();
        const groups = document.outlines.filter(({ children }) => children.some(isStation));
        const sizes = groups.map(({ children }) => children.filter(isStation).length);
        const holds = groups.length > 0 && Math.max(...sizes) <= STATIONS_PER_GROUP;
        expect(reply, holds, 'groups of 1 to 50 stations', `groups of ${sizes.join(', ') || 'none'}`);
      },
    },
    {
      id: '4.4-shows',
      statement: 'links lead to groups of shows, at most 10 by default',
      run: async (kit) => {
        const genreId = attribute(await kit.subjects.show(), 'genre_id') || 'none';
        const menu = await kit.success(`/Browse.ashx?id=${genreId}`);
        const groups = menu.document.outlines.filter(({ children }) => children.some(isShow));
        const sizes = groups.map(({ children }) => children.filter(isShow).length);
        const holds = groups.length > 0 && Math.max(...sizes) <= SHOWS_PER_GROUP;
        expect(menu.reply, holds, 'groups of 1 to 10 shows', `groups of ${sizes.join(', ') || 'none'}`);
      },
    },
    {
      id: '4.4-world-tree',
      statement: 'world leads through countries, and the states and cities in them, to stations',
      run: async (kit) => {
        let place = await kit.success('/Browse.ashx?c=world');
        let [link] = expectSome(place, 'links to regions', isPlace);
        let depth = 0;
        for (; link && depth < MAX_PLACES; depth += 1) {
          place = await kit.follow(attribute(link, 'URL'));
          link = linksIn(place).find(isPlace)!;
        }
        const came = `${stationsIn(place).length} stations after ${depth} places`;
        const holds = depth > 1 && stationsIn(place).length > 0;
        expect(place.reply, holds, 'places within places, and stations in the last', came);
      },
    },
  ],
};
