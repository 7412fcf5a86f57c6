import type { Answer } from './answer.ts';
import { expect, NotShown } from './expect.ts';
import { expectEvery } from './expectations.ts';
import type { Kit } from './kit.ts';
import { attribute, describe, type WireOutline } from './opml.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Without a username times are in UTC. */
export const startOf = (entry: WireOutline): number => Date.parse(`${attribute(entry, 'start')}Z`);
export const endOf = (entry: WireOutline): number =>
  startOf(entry) + Number(attribute(entry, 'duration')) * 1000;
export const dateText = (time: number): string =>
  new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
const midnight = (time: number): number => time - (time % DAY);

export const entriesOf = ({ document }: Answer): WireOutline[] =>
  document.outlines.filter((outline) => outline.attributes.has('start'));

export async function schedule(kit: Kit, query: string): Promise<Answer> {
  const { stationId } = await kit.subjects.schedule();
  return kit.success(`/Browse.ashx?c=schedule&id=${stationId}&${query}`);
}

/** The day of the first entry that is known: something is on then. */
export async function knownDay(kit: Kit): Promise<number> {
  const { answer } = await kit.subjects.schedule();
  const [first] = entriesOf(answer);
  if (!first) throw new NotShown('no station with a schedule was found');
  return midnight(startOf(first));
}

/** What the list of today says is on now. */
export async function showOnAir(kit: Kit): Promise<WireOutline> {
  const now = Date.now();
  const today = await schedule(kit, `start=${dateText(now)}`);
  const onAir = entriesOf(today).find((entry) => startOf(entry) <= now && endOf(entry) > now);
  if (!onAir) throw new NotShown('nothing is on air now');
  return onAir;
}

/** Whatever is on at some time between two instants. */
export const expectWithin = (answer: Answer, from: number, to: number): void =>
  expectEvery(
    answer,
    entriesOf(answer),
    `shows on air between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}`,
    (entry) => startOf(entry) < to && endOf(entry) > from,
  );

/** All of these are in the answer. */
export function expectListed(answer: Answer, wanted: readonly WireOutline[]): void {
  const starts = new Set(entriesOf(answer).map((entry) => attribute(entry, 'start')));
  const missing = wanted.find((entry) => !starts.has(attribute(entry, 'start')));
  expect(answer.reply, missing === undefined, 'every show of that time', missing ? describe(missing) : '');
}

/** More is refused, or cut at three days. */
export async function expectAtMostThreeDays(kit: Kit): Promise<void> {
  const day = await knownDay(kit);
  const { stationId } = await kit.subjects.schedule();
  const dates = `start=${dateText(day)}&stop=${dateText(day + 9 * DAY)}`;
  const answer = await kit.answer(`/Browse.ashx?c=schedule&id=${stationId}&${dates}`);
  if (answer.document.status === '200') expectWithin(answer, day, day + 3 * DAY);
}
