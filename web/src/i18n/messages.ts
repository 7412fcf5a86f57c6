import type { en } from './en.ts';

export type MessageKey = keyof typeof en;
/** A language's words: all of them, which the compiler sees to. */
export type Messages = Readonly<Record<MessageKey, string>>;
export type Values = Readonly<Record<string, string | number>>;

/**
 * Puts values into a message. `{name}` is the value itself, a number as the language writes it; what no value is given
 * for stays as it is. `{count|one:# station|other:# stations}` is the form that the language wants with this number, by
 * the categories of CLDR, with `#` for the number; for a category that is not written, the last form.
 */
export const fill = (message: string, values: Values, locale: string): string =>
  message.replaceAll(/\{(\w+)(?:\|([^{}]*))?\}/g, (whole, name: string, forms: string | undefined) => {
    if (!Object.hasOwn(values, name)) return whole;
    const value = values[name]!;
    const text = typeof value === 'number' ? written(value, locale) : value;
    return forms === undefined ? text : formOf(forms, Number(value), locale).replaceAll('#', () => text);
  });

/** All our languages are written with these digits, and group them from four on; to ask takes a phone 0.1 s. */
const written = (value: number, locale: string): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : numbersIn(locale).format(value);

/** Made once for each language. */
const kept = <T>(make: (locale: string) => T): ((locale: string) => T) => {
  const all = new Map<string, T>();
  return (locale) => all.get(locale) ?? all.set(locale, make(locale)).get(locale)!;
};
const numbersIn = kept((locale) => new Intl.NumberFormat(locale));
const pluralsIn = kept((locale) => new Intl.PluralRules(locale));

function formOf(forms: string, count: number, locale: string): string {
  const category = `${pluralsIn(locale).select(count)}:`;
  const all = forms.split('|');
  const form = all.find((each) => each.startsWith(category)) ?? all.at(-1)!;
  return form.slice(form.indexOf(':') + 1);
}
