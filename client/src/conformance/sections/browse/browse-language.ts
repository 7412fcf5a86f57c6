import type { Section } from '../../check.ts';
import { expect, deps, NotShown } from '../../expect.ts';
import { expectEvery, expectSome, linksIn, paramsOf, stationsIn } from '../../expectations.ts';
import type { Answer } from '../../answer.ts';
import type { Kit } from '../../kit.ts';
import { attribute, field, isLink, isShow, type WireOutline } from '../../opml.ts';
import type { Reply } from '../../reply.ts';

async function firstLanguage({ subjects }: Kit): Promise<WireOutline> {
  const [first] = await subjects.languages();
  if (!first) throw new NotShown('no language was found');
  return first;
}

const openLanguage = async (kit: Kit): Promise<Answer> =>
  kit.follow(attribute(await firstLanguage(kit), 'URL'));

/** The language that an item says it is in. */
async function spokenIn(kit: Kit, id: string): Promise<{ reply: Reply; spoken: string }> {
  const { reply, document } = await kit.success(`/Describe.ashx?id=${id}`);
  const object = document.outlines[0]?.object;
  return { reply, spoken: (object && field(object, 'language')) ?? '' };
}

/** How many items of a list are asked what they speak. */
const ASKED = 5;

async function expectSpoken(kit: Kit, items: readonly WireOutline[], language: string): Promise<void> {
  for (const item of items.slice(0, ASKED)) {
    const { reply, spoken } = await spokenIn(kit, attribute(item, 'guide_id'));
    expect(reply, spoken.includes(language), `an item in ${language}`, spoken);
  }
}

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
        const stations = stationsIn(await openLanguage(kit));
        if (stations.length === 0) throw new NotShown('the first language has no stations at its top');
        await expectSpoken(kit, stations, attribute(await firstLanguage(kit), 'text'));
      },
    },
    {
      id: '4.5-shows',
      statement: 'the shows are in that language too',
      run: async (kit) => {
        const language = (await spokenIn(kit, await kit.subjects.showId())).spoken;
        const line = (await kit.subjects.languages()).find((l) => attribute(l, 'text') === language);
        deps(line, `the language of the first show, '${language}', is not listed`);
        const menu = await kit.follow(attribute(line, 'URL'));
        await expectSpoken(kit, expectSome(menu, 'shows', isShow), language);
      },
    },
    {
      id: '4.5-deeper',
      statement: 'every deeper link repeats the language',
      run: async (kit) => {
        const filter = paramsOf(await firstLanguage(kit)).get('filter') ?? '';
        const menu = await openLanguage(kit);
        const deeper = linksIn(menu).filter((link) => /Browse\.ashx/i.test(attribute(link, 'URL')));
        expectEvery(menu, deeper, `${filter} in the filter`, (link) =>
          (paramsOf(link).get('filter') ?? '').split(':').includes(filter),
        );
      },
    },
  ],
};
