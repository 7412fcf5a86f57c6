import { expect, NotShown, type Section } from '../check.ts';
import { expectEvery, expectSome, linksIn, paramsOf, stationsIn } from '../expectations.ts';
import type { Answer } from '../answer.ts';
import type { Kit } from '../kit.ts';
import { attribute, field, isLink, type Outline } from '../opml.ts';

async function firstLanguage({ subjects }: Kit): Promise<Outline> {
  const [first] = await subjects.languages();
  if (!first) throw new NotShown('no language was found');
  return first;
}

const openLanguage = async (kit: Kit): Promise<Answer> =>
  kit.follow(attribute(await firstLanguage(kit), 'URL'));

/** Specification 4.5: browse language. */
export const browseLanguage: Section = {
  id: '4.5',
  title: 'Browse language',
  checks: [
    {
      id: '4.5-list',
      statement: 'without filter: the languages of the directory',
      run: async (kit) => {
        const list = await kit.success('/Browse.ashx?c=lang');
        expectSome(list, 'links to languages', isLink);
      },
    },
    {
      id: '4.5-filter',
      statement: 'with filter: category browsing in that language',
      run: async (kit) =>
        expectSome(await openLanguage(kit), 'stations or links', (o) => o.attributes.has('URL')),
    },
    {
      id: '4.5-restricted',
      statement: 'the stations are in that language',
      run: async (kit) => {
        const language = attribute(await firstLanguage(kit), 'text');
        const [station] = stationsIn(await openLanguage(kit));
        if (!station) throw new NotShown('the first language has no stations at its top');
        const described = await kit.success(`/Describe.ashx?id=${attribute(station, 'guide_id')}`);
        const object = described.document.outlines[0]?.object;
        const spoken = (object && field(object, 'language')) ?? '';
        expect(described.reply, spoken.includes(language), `a station in ${language}`, spoken);
      },
    },
    {
      id: '4.5-deeper',
      statement: 'every deeper link repeats the language',
      run: async (kit) => {
        const filter = paramsOf(await firstLanguage(kit)).get('filter') ?? '';
        const menu = await openLanguage(kit);
        expectEvery(menu, linksIn(menu), `${filter} in the filter`, (link) =>
          (paramsOf(link).get('filter') ?? '').split(':').includes(filter),
        );
      },
    },
  ],
};
