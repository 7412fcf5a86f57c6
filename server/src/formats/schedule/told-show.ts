import { decodeHTML } from 'entities';
import type { ToldShow } from './schedule.ts';

/** What the catalogue has room for. */
const LENGTHS = {
  title: 300,
  description: 5000,
  hosts: 500,
  genre: 100,
  image: 2048,
  homepage: 2048,
} as const;
type Field = keyof typeof LENGTHS;
/** Beside the title. */
const FIELDS = ['description', 'hosts', 'genre', 'image', 'homepage'] as const satisfies readonly Field[];

/** A show of whatever texts there are; undefined when none is a title. Addresses are not cut: half of one leads nowhere. */
export function toldShow(texts: Partial<Record<Field, string | undefined>>): ToldShow | undefined {
  const title = plainText(texts.title ?? '', LENGTHS.title);
  if (title === '') return undefined;
  const show: ToldShow = { title };
  for (const field of FIELDS) {
    const text = texts[field];
    if (!text) continue;
    const most = LENGTHS[field];
    const told = field === 'image' || field === 'homepage' ? webAddress(text, most) : plainText(text, most);
    if (told !== '') show[field] = told;
  }
  return show;
}

/** The most that is looked at: markup around a text may be longer than the text. */
const LONGEST_SOURCE = 20_000;

/** What there is to tidy; most titles have none of it. */
const UNTIDY = /[^ -~]|^ | {2}| $/;

const plainText = (text: string, most: number): string =>
  text.length <= most && !UNTIDY.test(text) ? text : tidied(text, most);

const tidied = (text: string, most: number): string =>
  text
    .slice(0, LONGEST_SOURCE)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .slice(0, most)
    // A cut through the middle of a character leaves half of it.
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();

const webAddress = (text: string, most: number): string => {
  const address = text.trim();
  return address.length <= most && /^https?:\/\//.test(address) ? address : '';
};

/** The words of a piece of HTML. */
export const textOfHtml = (html: string): string =>
  decodeHTML(html.slice(0, LONGEST_SOURCE).replaceAll(/<[^<>]*>/g, ' '));
