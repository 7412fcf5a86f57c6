import { setTimeout as sleep } from 'node:timers/promises';
import { successOf } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { expect } from '../../expect.ts';
import type { Kit } from '../../kit.ts';
import { attribute, everyWireOutline, field, type WireOutline } from '../../opml.ts';

const PAUSE_MS = 250;

/**
 * What an answer says to a device. It may be kept for some seconds, so it is asked for again as long as one answer is
 * waited for.
 */
async function expectTold(
  kit: Kit,
  path: string,
  expected: string,
  given: (outlines: readonly WireOutline[]) => string,
): Promise<void> {
  const end = Date.now() + kit.options.timeoutMs;
  for (;;) {
    const { reply, document } = successOf(await kit.fresh(path));
    const came = given(document.outlines);
    if (came !== expected && Date.now() < end) {
      await sleep(PAUSE_MS);
      continue;
    }
    expect(reply, came === expected, `is_preset ${expected}`, came || 'no mark');
    return;
  }
}

const expectDescribed = (kit: Kit, id: string, serial: string, expected: string): Promise<void> =>
  expectTold(kit, `/Describe.ashx?id=${id}&serial=${serial}`, expected, ([outline]) => {
    const object = outline?.object;
    return (object && field(object, 'is_preset')) ?? 'none';
  });

/** The ids that a list has marked for a device. */
const expectMarked = async (kit: Kit, id: string, serial: string): Promise<void> =>
  expectTold(kit, `/Browse.ashx?id=${await kit.subjects.genreId()}&serial=${serial}`, id, (outlines) => {
    const marked = everyWireOutline(outlines).filter((o) => attribute(o, 'is_preset') === 'true');
    return [...new Set(marked.map((outline) => attribute(outline, 'guide_id')))].join(', ');
  });

export const isPreset: Check = {
  id: '4.10-is-preset',
  statement: 'is_preset is true for who saved the item, in Describe and in lists, and for nobody else',
  run: async (kit) => {
    const [device, stranger] = [kit.members.device(), kit.members.device()];
    const [station, show] = [await kit.subjects.stationId(), await kit.subjects.showId()];
    await device.done('add', { id: station });
    await expectDescribed(kit, station, device.serial, 'true');
    await expectDescribed(kit, station, stranger.serial, 'false');
    await expectMarked(kit, station, device.serial);
    await device.done('add', { id: show });
    await expectDescribed(kit, show, device.serial, 'true');
    await expectDescribed(kit, show, stranger.serial, 'false');
    for (const id of [station, show]) await device.done('remove', { id });
    await expectDescribed(kit, station, device.serial, 'false');
  },
};
