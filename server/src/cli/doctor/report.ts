import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Config } from '../../app/config.ts';
import type { Finding, State } from './check.ts';
import type { Examined } from './examine.ts';

/** The whole report, as printed with --json. */
interface Report {
  /** The worst state of all findings. */
  state: 'well' | 'warning' | 'broken';
  summary: string;
  checks: ({ group: string } & Finding)[];
}

interface Wording {
  /** Masks secrets. */
  clean: (text: string) => string;
  /** How `longwave` has to be typed here. */
  command: string;
}

export function reportOf(examined: readonly Examined[], { clean, command }: Wording): Report {
  const checks = examined.flatMap(({ title, findings }) =>
    findings.map(({ name, state, text, mend }) => ({
      group: title,
      name,
      state,
      text: clean(text),
      ...(mend !== undefined && { mend: nameCommand(clean(mend), command) }),
    })),
  );
  const count = (state: State): number => checks.filter((check) => check.state === state).length;
  const [broken, warnings, unseen] = [count('broken'), count('warning'), count('unknown')];
  const state = broken > 0 ? 'broken' : warnings > 0 ? 'warning' : 'well';
  return { state, summary: summaryOf({ broken, warnings, unseen, all: checks.length }), checks };
}

interface Counts {
  broken: number;
  warnings: number;
  unseen: number;
  all: number;
}

function summaryOf({ broken, warnings, unseen, all }: Counts): string {
  if (broken + warnings + unseen === 0) return `Everything works: ${all} of ${all} checks passed.`;
  const parts = [
    ...(broken > 0 ? [`${broken} of ${all} ${broken === 1 ? 'is' : 'are'} broken`] : []),
    ...(warnings > 0 ? [`${warnings} worth a look`] : []),
    ...(unseen > 0 ? [`${unseen} could not be checked`] : []),
  ];
  const given = parts.join(', ');
  return broken > 0
    ? `${given}. Fix the first one and run it again.`
    : `It works: ${given}, the rest is fine.`;
}

interface Screen {
  hasColours: boolean;
  columns: number;
}

const MAX_WIDTH = 110;

/** Colours only on a terminal, unless NO_COLOR is set (which Node itself reads). */
export const screenOf = (out: Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>): Screen => ({
  hasColours: out.isTTY && out.hasColors(),
  columns: out.isTTY && out.columns > 0 ? Math.min(out.columns, MAX_WIDTH) : MAX_WIDTH,
});

type Style = Parameters<typeof styleText>[0];

const MARKS: Readonly<Record<State, [mark: string, style: Style]>> = {
  well: ['✓', 'green'],
  note: ['·', 'dim'],
  warning: ['!', 'yellow'],
  broken: ['✗', 'red'],
  unknown: ['?', 'dim'],
};
const ENDS: Readonly<Record<Report['state'], Style>> = { well: 'green', warning: 'yellow', broken: 'red' };
const NARROWEST = 40;

/** For people: one line per finding under its group, followed by the fix. */
export function writeReport({ state, summary, checks }: Report, { hasColours, columns }: Screen): string {
  const paint = (style: Style, text: string): string =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  // Two spaces, the mark, a space, the name, two spaces.
  const indent = nameWidth + 6;
  const width = Math.max(columns - indent, NARROWEST);
  const lineOf = ({ name, state: found, text, mend }: Report['checks'][number]): string[] => {
    const [mark, style] = MARKS[found];
    const [first = '', ...more] = wrap(text, width);
    const mending = wrap(mend === undefined ? '' : `→ ${mend}`, width).filter((line) => line !== '');
    return [
      `  ${paint(style, mark)} ${name.padEnd(nameWidth)}  ${found === 'note' ? paint('dim', first) : first}`,
      ...more.map((line) => ' '.repeat(indent) + (found === 'note' ? paint('dim', line) : line)),
      ...mending.map((line) => ' '.repeat(indent) + paint(found === 'note' ? 'dim' : 'cyan', line)),
    ];
  };
  const groups = Map.groupBy(checks, ({ group }) => group);
  const paragraphs = [...groups].map(([title, lines]) =>
    [paint('bold', title), ...lines.flatMap(lineOf)].join('\n'),
  );
  return [...paragraphs, paint(ENDS[state], summary)].join('\n\n');
}

/** Breaks only at spaces, so that commands can be copied from the screen. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const COMMAND = /\blongwave (?=(?:migrate|import|serve|work|dns|radios|partner|config|probe|why)\b)/g;

/** Replaces `longwave` by what has to be typed here, such as `npm run longwave --`. */
const nameCommand = (text: string, invokedAs: string): string => text.replaceAll(COMMAND, `${invokedAs} `);

/** Shorter ones would match in any text. */
const MIN_LENGTH = 4;

/** Secrets to mask in every line: keys, and the passwords in URLs. */
export function secretsOf(config: Config): string[] {
  const { memberKey, memberKeyOld, relayKey, relayKeyOld, edgeKey } = config;
  const { databaseUrl, databaseReadUrl, redisUrl, mailUrl, tracesUrl } = config;
  const addresses = [databaseUrl, databaseReadUrl, redisUrl, mailUrl, tracesUrl];
  const keys = [memberKey, memberKeyOld, relayKey, relayKeyOld, edgeKey].map((key) => key ?? '');
  return [...new Set([...keys, ...addresses.flatMap((address) => passwordsIn(address))])].filter(
    (secret) => secret.length >= MIN_LENGTH,
  );
}

function passwordsIn(address: string | undefined): string[] {
  const url = URL.parse(address ?? '');
  if (!url) return [];
  const named = [...url.searchParams].filter(([name]) => /pass/i.test(name)).map(([, value]) => value);
  return [url.password, decoded(url.password), ...named];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
