import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import { everyWireOutline, isShow, isStation } from '../../opml.ts';
import { SHOWS_PER_GROUP, STATIONS_PER_GROUP } from '../browse/browse-categories.ts';
import { expectAtMostThreeDays } from '../../schedule-entries.ts';

/** Specification 8: limits. */
export const limits: Section = {
  id: '8',
  title: 'Limits',
  checks: [
    {
      id: '8-schedule-span',
      statement: 'a schedule spans at most 3 days a request',
      run: expectAtMostThreeDays,
    },
    {
      id: '8-stations',
      statement: 'no group of a category holds more than 50 stations',
      run: async (kit) => {
        for (const path of ['/Browse.ashx?c=music', `/Browse.ashx?id=${await kit.subjects.genreId()}`]) {
          const { reply, document } = await kit.success(path);
          const sizes = document.outlines.map((o) => everyWireOutline([o]).filter(isStation).length);
          expect(
            reply,
            sizes.every((size) => size <= STATIONS_PER_GROUP),
            'at most 50',
            sizes.join(', '),
          );
        }
      },
    },
    {
      id: '8-shows',
      statement: 'no group of a category holds more than 10 shows',
      run: async (kit) => {
        await kit.subjects.show();
        const { reply, document } = await kit.success(`/Browse.ashx?id=${await kit.subjects.genreId()}`);
        const sizes = document.outlines.map((o) => everyWireOutline([o]).filter(isShow).length);
        expect(
          reply,
          sizes.every((size) => size <= SHOWS_PER_GROUP),
          'at most 10',
          sizes.join(', '),
        );
      },
    },
  ],
};
