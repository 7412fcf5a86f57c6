export type Values = Readonly<Record<string, string | number>>;

/** `{name}`, or `{name|one:# day|other:# days}`. */
const VALUE = /\{(\w+)(?:\|([^{}]*))?\}/;

/** A message in pieces: what stands between the values, and by turns each value's name and its forms. */
type Pieces = readonly (string | undefined)[];
const pieces = new Map<string, Pieces>();

/**
 * Puts values into a message of a language. `{name}` is the value itself. `{days|one:# день|few:# дня|many:# дней}` is
 * the form that the language wants with this number, by the categories of CLDR, with `#` for the number; for a category
 * that is not written, the last form.
 */
export function fill(message: string, values: Values, language: string): string {
  const parts = pieces.getOrInsertComputed(message, () => message.split(VALUE));
  let text = parts[0]!;
  for (let at = 1; at < parts.length; at += 3) {
    const name = parts[at]!;
    const forms = parts[at + 1];
    const value = Object.hasOwn(values, name) ? values[name]! : `{${name}}`;
    text += forms === undefined ? value : formOf(forms, value, language);
    text += parts[at + 2]!;
  }
  return text;
}

const rules = new Map<string, Intl.PluralRules>();

function formOf(forms: string, value: string | number, language: string): string {
  const byCategory = new Map(forms.split('|').map((form) => splitOnce(form)));
  const category = rules
    .getOrInsertComputed(language, () => new Intl.PluralRules(language))
    .select(Number(value));
  const form = byCategory.get(category) ?? [...byCategory.values()].at(-1)!;
  return form.replaceAll('#', () => String(value));
}

function splitOnce(form: string): [category: string, text: string] {
  const colon = form.indexOf(':');
  return [form.slice(0, colon), form.slice(colon + 1)];
}
