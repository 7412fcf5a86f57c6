import type { Check } from '../../check.ts';
import { NotShown } from '../../expect.ts';
import { expectSome, expectTuned, tuneIn } from '../../expectations.ts';
import type { Kit } from '../../kit.ts';
import { attribute, everyWireOutline, isShow, isTopic, type WireOutline } from '../../opml.ts';

const FORMATS = ['mp3', 'aac', 'ogg', 'wma'];
/** How many of a list are looked at one by one. */
const LOOKED_AT = 2;

const isAudio = (outline: WireOutline): boolean => attribute(outline, 'type') === 'audio';

/** The first of a kind in a menu. */
async function firstIn(
  kit: Kit,
  path: string,
  isWanted: (outline: WireOutline) => boolean,
): Promise<WireOutline[]> {
  const { document } = await kit.success(path);
  return everyWireOutline(document.outlines).filter(isWanted).slice(0, LOOKED_AT);
}

/** A show is heard by itself or, where it is not on the air just now, by a line of its menu. */
async function expectShowHeard(kit: Kit, show: WireOutline, format: string): Promise<void> {
  if ((await tuneIn(kit, show, format)).isHeard) return;
  const id = attribute(show, 'guide_id');
  const menu = await kit.success(`/Tune.ashx?c=pbrowse&id=${id}&formats=${format}`);
  const [first] = expectSome(menu, `something to hear in ${format}, for ${id} was listed`, isAudio);
  await expectTuned(kit, first, format);
}

export const showFormats: Check = {
  id: '2.5-formats-shows',
  statement: 'formats leaves only shows and topics that can be heard in one of them',
  run: async (kit) => {
    const genre = attribute(await kit.subjects.show(), 'genre_id') || (await kit.subjects.genreId());
    let shows = 0;
    for (const format of FORMATS) {
      for (const show of await firstIn(kit, `/Browse.ashx?id=${genre}&filter=p&formats=${format}`, isShow)) {
        shows += 1;
        await expectShowHeard(kit, show, format);
        const topics = `/Browse.ashx?c=topics&id=${attribute(show, 'guide_id')}&formats=${format}`;
        for (const topic of await firstIn(kit, topics, isTopic)) await expectTuned(kit, topic, format);
      }
      const newest = `/Browse.ashx?id=${genre}&filter=p:topic&formats=${format}`;
      for (const topic of await firstIn(kit, newest, isTopic)) await expectTuned(kit, topic, format);
    }
    if (shows === 0) throw new NotShown(`no show was found for ${FORMATS.join(', ')}`);
  },
};
