import { expect, NotShown } from './check.ts';
import { addressOf, type Answer } from './answer.ts';
import type { Kit } from './kit.ts';
import { attribute, describe, everyOutline, isLink, isStation, type Outline } from './opml.ts';
import { textOf, type Reply } from './reply.ts';

/** Each of these outlines keeps a rule; the first that does not is shown. */
export function expectEvery(
  { reply }: Answer,
  outlines: readonly Outline[],
  expected: string,
  holds: (outline: Outline) => boolean,
): void {
  const wrong = outlines.find((outline) => !holds(outline));
  expect(reply, wrong === undefined, expected, wrong ? describe(wrong) : '');
}

/** There are such outlines, and these are they. */
export function expectSome(
  { reply, document }: Answer,
  expected: string,
  holds: (outline: Outline) => boolean,
): [Outline, ...Outline[]] {
  const [first, ...more] = everyOutline(document.outlines).filter(holds);
  expect(reply, first !== undefined, expected, textOf(reply) ?? '');
  return [first, ...more];
}

export const linksIn = ({ document }: Answer): Outline[] => everyOutline(document.outlines).filter(isLink);

export const stationsIn = ({ document }: Answer): Outline[] =>
  everyOutline(document.outlines).filter(isStation);

export const guideIds = (outlines: readonly Outline[]): string[] =>
  outlines.map((outline) => attribute(outline, 'guide_id'));

/** The parameters of a link. */
export const paramsOf = (outline: Outline): URLSearchParams =>
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
