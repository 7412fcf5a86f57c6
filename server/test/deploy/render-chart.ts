import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

/*
 * As much of Helm as the templates of deploy/helm use: fields, variables of a range, `if`/`else`, `range $k, $v :=`,
 * pipes and the functions below. Anything else throws, so that a template cannot silently be rendered wrongly.
 */

const FUNCTIONS: Record<string, (...args: unknown[]) => unknown> = {
  quote: (value) => JSON.stringify(writeScalar(value)),
  toYaml: (value) => stringify(value).trimEnd(),
  toJson: (value) => JSON.stringify(value),
  sha256sum: (text) => createHash('sha256').update(String(text)).digest('hex'),
  nindent: (width, text) => `\n${String(text).replaceAll(/^/gmu, ' '.repeat(Number(width)))}`,
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  not: (value) => !isTrue(value),
  eq: (one, other) => one === other,
  omit: (map, ...names) =>
    Object.fromEntries(Object.entries(Object(map)).filter(([name]) => !names.includes(name))),
  required: (complaint, value) => {
    if (!isTrue(value)) throw new Error(String(complaint));
    return value;
  },
};

/** Go's templates count empty texts, lists and maps as false. */
const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** Helm would print Go's notation of a list or a map, which no template means. */
function writeScalar(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  throw new Error('a list or a map needs toYaml or toJson');
}

type Scope = Readonly<Record<string, unknown>>;
type Piece = { text: string } | { code: string };

/** Everything that the chart makes of these values, which are laid over its own. */
export function renderChart(folder: string, values: Scope, release = 'radio'): Manifest[] {
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8'));
  const own = parse(readFileSync(join(folder, 'values.yaml'), 'utf8'));
  const scope = {
    Values: merge(own, values),
    Release: { Name: release },
    Chart: { Name: chart.name, AppVersion: chart.appVersion },
  };
  return globSync('templates/*.yaml', { cwd: folder })
    .toSorted()
    .flatMap((file) => readManifests(file, renderTemplate(readFileSync(join(folder, file), 'utf8'), scope)));
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // oxlint-disable-next-line typescript/no-explicit-any -- the rest differs by kind, and tests read into its depths
  [rest: string]: any;
}

function readManifests(file: string, text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [problem] = document.errors;
    if (problem) throw new Error(`${file}: ${problem.message}`);
    const manifest: Manifest | null = document.toJS();
    return manifest ? [manifest] : [];
  });
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(below: unknown, above: unknown): unknown {
  if (!isMap(below) || !isMap(above)) return above;
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above))
    merged[key] = key in below ? merge(below[key], value) : value;
  return merged;
}

export function renderTemplate(template: string, scope: Scope): string {
  const pieces: Piece[] = [];
  // A dash inside the braces takes the white space beside them.
  const trimmed = template.replaceAll(/\s*\{\{-/gu, '{{').replaceAll(/-\}\}\s*/gu, '}}');
  for (const part of trimmed.split(/(\{\{.*?\}\})/u))
    pieces.push(part.startsWith('{{') ? { code: part.slice(2, -2).trim() } : { text: part });
  const rest = { pieces, at: 0 };
  const text = renderBlock(rest, scope, true);
  if (rest.at < pieces.length) throw new Error('an end without its beginning');
  return text;
}

/** Renders up to the `else` or `end` that closes the block, which is left for the caller. */
function renderBlock(rest: { pieces: Piece[]; at: number }, scope: Scope, isShown: boolean): string {
  let text = '';
  for (; rest.at < rest.pieces.length; rest.at += 1) {
    const piece = rest.pieces[rest.at];
    if (piece === undefined) break;
    if ('text' in piece) text += piece.text;
    else if (/^(?:else|end)$/u.test(piece.code)) break;
    else if (piece.code.startsWith('if ')) text += renderIf(rest, piece.code.slice(3), scope, isShown);
    else if (piece.code.startsWith('range ')) text += renderRange(rest, piece.code.slice(6), scope, isShown);
    else if (isShown) text += writeScalar(evaluate(piece.code, scope));
  }
  return isShown ? text : '';
}

const codeAt = ({ pieces, at }: { pieces: Piece[]; at: number }): string => {
  const piece = pieces[at];
  return piece && 'code' in piece ? piece.code : '';
};

function renderIf(
  rest: { pieces: Piece[]; at: number },
  condition: string,
  scope: Scope,
  isShown: boolean,
): string {
  const holds = isShown && isTrue(evaluate(condition, scope));
  rest.at += 1;
  let text = renderBlock(rest, scope, holds);
  if (codeAt(rest) === 'else') {
    rest.at += 1;
    text += renderBlock(rest, scope, isShown && !holds);
  }
  if (codeAt(rest) !== 'end') throw new Error(`if ${condition} has no end`);
  return text;
}

function renderRange(
  rest: { pieces: Piece[]; at: number },
  head: string,
  scope: Scope,
  isShown: boolean,
): string {
  const [, key = '', value = '', list = ''] = /^(\$\w+), (\$\w+) := (.+)$/u.exec(head) ?? [];
  if (key === '') throw new Error(`range ${head} is not understood`);
  const start = rest.at + 1;
  const items = isShown
    ? Object.entries(Object(evaluate(list, scope))).toSorted(([a], [b]) => (a < b ? -1 : 1))
    : [];
  let text = '';
  for (const [name, item] of items) {
    rest.at = start;
    text += renderBlock(rest, { ...scope, [key]: name, [value]: item }, true);
  }
  rest.at = start;
  renderBlock(rest, scope, false);
  if (codeAt(rest) !== 'end') throw new Error(`range ${head} has no end`);
  return text;
}

/** A pipe hands its value to the next function as the last argument. */
function evaluate(code: string, scope: Scope): unknown {
  let value: unknown;
  for (const [index, stage] of code.split(/\s\|\s/u).entries()) {
    const [name = '', ...args] = stage.trim().match(/"[^"]*"|\S+/gu) ?? [];
    const given = [...args.map((word) => readWord(word, scope)), ...(index > 0 ? [value] : [])];
    const call = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!call && given.length > 0) throw new Error(`${code}: there is no function ${name}`);
    value = call ? call(...given) : readWord(name, scope);
  }
  return value;
}

function readWord(word: string, scope: Scope): unknown {
  if (/^"[^"]*"$|^\d+$/u.test(word)) return JSON.parse(word);
  if (word.startsWith('$')) return scope[word];
  if (!/^(?:\.\w+)+$/u.test(word)) throw new Error(`${word} is not understood`);
  return word
    .slice(1)
    .split('.')
    .reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), scope);
}
