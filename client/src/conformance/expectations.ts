import { expect, NotShown } from './expect.ts';
import { addressOf, pathOf, type Answer } from './answer.ts';
import type { Kit } from './kit.ts';
import { attribute, describe, everyWireOutline, isLink, isStation, type WireOutline } from './opml.ts';
import { textOf, type Reply } from './reply.ts';

/** Each of these outlines keeps a rule; the first that does not is shown. */
export function expectEvery(
  { reply }: Answer,
  outlines: readonly WireOutline[],
  expected: string,
  holds: (outline: WireOutline) => boolean,
): void {
  const wrong = outlines.find((outline) => !holds(outline));
  expect(reply, wrong === undefined, expected, wrong ? describe(wrong) : '');
}

/** There are such outlines, and these are they. */
export function expectSome(
  { reply, document }: Answer,
  expected: string,
  holds: (outline: WireOutline) => boolean,
): [WireOutline, ...WireOutline[]] {
  const [first, ...more] = everyWireOutline(document.outlines).filter(holds);
  expect(reply, first !== undefined, expected, textOf(reply) ?? '');
  return [first, ...more];
}

export const linksIn = ({ document }: Answer): WireOutline[] =>
  everyWireOutline(document.outlines).filter(isLink);

export const stationsIn = ({ document }: Answer): WireOutline[] =>
  everyWireOutline(document.outlines).filter(isStation);

export const guideIds = (outlines: readonly WireOutline[]): string[] =>
  outlines.map((outline) => attribute(outline, 'guide_id'));

/** The parameters of a link. */
export const paramsOf = (outline: WireOutline): URLSearchParams =>
  addressOf(attribute(outline, 'URL')).searchParams;

/** The lines of a plain playlist: addresses and nothing else. */
export function expectPlaylist(reply: Reply): string[] {
  const text = textOf(reply) ?? '';
  const lines = text.replace(/\n$/, '').split('\n');
  expect(
    reply,
    lines.every((line) => /^[a-z]+:\/\/\S+$/.test(line)),
    'an address on every line and nothing else',
    text,
  );
  return lines;
}

/** An address that is a playlist, or a menu with something in it to play. */
export async function expectHeard(kit: Kit, link: string): Promise<void> {
  const reply = await kit.get(pathOf(link));
  if (!reply.body.toString().startsWith('<?xml')) {
    expectPlaylist(reply);
    return;
  }
  const [first] = expectSome(
    await kit.follow(link),
    'something to play',
    (o) => attribute(o, 'type') === 'audio',
  );
  expectPlaylist(await kit.get(pathOf(attribute(first, 'URL'))));
}

/** How many of a list are looked at one by one. */
const LOOKED_AT = 3;
/** What a server plays to a device that can play nothing of an item. */
export const ANNOUNCEMENT = /notcompatible|nostream|restricted/;

/** Stations that were listed for a format say that they have it, and the first of them are tuned to in it. */
export async function expectInFormat(kit: Kit, menu: Answer, format: string): Promise<void> {
  const stations = stationsIn(menu);
  const known = stations.filter((station) => station.attributes.has('formats'));
  expectEvery(menu, known, `stations that have ${format}`, (station) =>
    attribute(station, 'formats').split(',').includes(format),
  );
  for (const station of stations.slice(0, LOOKED_AT)) await expectTuned(kit, station, format);
}

/** What is listed for a format is heard in it. */
export async function expectTuned(kit: Kit, item: WireOutline, format: string): Promise<void> {
  const { reply, isHeard, came } = await tuneIn(kit, item, format);
  const id = attribute(item, 'guide_id');
  expect(reply, isHeard, `streams in ${format}, for ${id} was listed`, came);
}

/** Whether all that Tune gives for an item is sound of a format. */
export async function tuneIn(
  kit: Kit,
  item: WireOutline,
  format: string,
): Promise<{ reply: Reply; isHeard: boolean; came: string }> {
  const id = attribute(item, 'guide_id');
  const { reply, body } = await kit.json(`/Tune.ashx?id=${id}&formats=${format}`);
  const wrong = body.find(({ media_type: type, url }) => type !== format || ANNOUNCEMENT.test(String(url)));
  return { reply, isHeard: body.length > 0 && wrong === undefined, came: JSON.stringify(wrong ?? []) };
}

/** A few menus of different kinds, for what must hold in all of them. */
export async function someMenus(kit: Kit): Promise<Answer[]> {
  const { subjects } = kit;
  const wanted = [() => subjects.index(), () => subjects.genre(), () => subjects.region()];
  const optional = [
    async () => kit.success(`/Browse.ashx?id=${await subjects.stationId()}`),
    () => kit.success('/Browse.ashx?c=lang'),
    () => kit.success('/Browse.ashx?c=podcast'),
    () => subjects.listening(),
  ];
  const menus: Answer[] = [];
  for (const open of wanted) menus.push(await open());
  for (const open of optional) {
    const menu = await open().catch(() => undefined);
    if (menu) menus.push(menu);
  }
  return menus;
}

/** The groups of a menu by their keys. */
export const groupKeys = ({ document }: Answer): string[] =>
  document.outlines.filter(({ children }) => children.length > 0).map((group) => attribute(group, 'key'));

export const notShown = (reason: string): never => {
  throw new NotShown(reason);
};
