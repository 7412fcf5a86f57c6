import type { DirectoryAnswer } from './answer.ts';
import { type Outline, toOutline } from './outline.ts';
import { parseJson } from './parse-json.ts';

type Item = Readonly<Record<string, unknown>>;

/** The answer that a JSON document holds; throws a SyntaxError for what is none. */
export function readJson(text: string): DirectoryAnswer {
  const { head, body, explain } = itemOf(parseJson(text));
  if (!isItem(head) || !Array.isArray(body)) throw new SyntaxError('{"head":{…},"body":[…]} was expected');
  return {
    status: Number(head['status']),
    title: textOf(head['title']),
    fault: textOf(head['fault']),
    faultCode: textOf(head['fault_code']),
    // An explanation stands beside the body; in XML at its end.
    outlines: [...body, ...listOf(explain)].filter(isItem).map(readItem),
  };
}

/** Described items stand in a list without an outline around them, under the name of their kind. */
function readItem({ element, children, ...rest }: Item): Outline {
  const fields = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, textOf(value) ?? '']));
  const inner = listOf(children).filter(isItem).map(readItem);
  if (element === undefined || element === 'outline') return toOutline(fields, inner);
  const described = { kind: textOf(element) ?? '', fields };
  return toOutline({ type: 'object', text: fields['name'] ?? fields['title'] ?? '' }, inner, described);
}

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const itemOf = (value: unknown): Item => (isItem(value) ? value : {});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
