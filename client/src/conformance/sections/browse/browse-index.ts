import type { Check, Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { expectEvery } from '../../expectations.ts';
import { attribute } from '../../opml.ts';

/** Key and what the link asks for, in the order of the specification. */
const ENTRIES: readonly [key: string, what: string, query: RegExp][] = [
  ['local', 'local radio', /[?&]c=local(?:&|$)/],
  ['talk', 'talk', /[?&]c=talk(?:&|$)/],
  ['sports', 'sports', /[?&]c=sports(?:&|$)/],
  ['music', 'music', /[?&]c=music(?:&|$)/],
  ['location', 'by location', /[?&]id=r0(?:&|$)/],
  ['language', 'by language', /[?&]c=lang(?:&|$)/],
  ['podcast', 'podcasts', /[?&]c=podcast(?:&|$)/],
  ['presets', 'my presets', /^/],
];

const entryCheck = ([key, what, query]: (typeof ENTRIES)[number]): Check => ({
  id: `4.1-${key}`,
  statement: `the index links ${what}${key === 'location' ? '' : `, key ${key}`}`,
  run: async ({ subjects }) => {
    const { reply, document } = await subjects.index();
    const entry = document.outlines.find((outline) =>
      key === 'location' ? query.test(attribute(outline, 'URL')) : attribute(outline, 'key') === key,
    );
    const url = entry ? attribute(entry, 'URL') : 'no such entry';
    expect(reply, entry !== undefined && query.test(url), `a link to ${what} (${query.source})`, url);
  },
});

/** Specification 4.1: the index. */
export const browseIndex: Section = {
  id: '4.1',
  title: 'Browse index',
  checks: [
    {
      id: '4.1-links',
      statement: 'the index holds link outlines, each with text and URL',
      run: async ({ subjects }) => {
        const index = await subjects.index();
        expectEvery(
          index,
          index.document.outlines,
          'type="link", a text and a URL',
          (o) => attribute(o, 'type') === 'link' && attribute(o, 'text') !== '' && attribute(o, 'URL') !== '',
        );
      },
    },
    ...ENTRIES.map(entryCheck),
    {
      id: '4.1-order',
      statement: 'the entries stand in the order of the specification',
      run: async ({ subjects }) => {
        const { reply, document } = await subjects.index();
        const keys = document.outlines.map((outline) => attribute(outline, 'key'));
        const known = ENTRIES.map(([key]) => key).filter((key) => keys.includes(key));
        const came = keys.filter((key) => known.includes(key));
        expect(reply, came.join() === known.join(), known.join(', '), came.join(', '));
      },
    },
    {
      id: '4.1-registration',
      statement: 'my presets leads somebody who is not named to a registration page',
      run: async ({ subjects }) => {
        const { reply } = await subjects.index();
        const url = await subjects.entry('presets');
        expect(reply, !/c=presets/.test(url), 'a link to a page where an account is made', url);
      },
    },
  ],
};
