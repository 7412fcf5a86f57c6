import { accessSync, constants, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

export const CHECKOUT = join(import.meta.dirname, '../../..');
export const readDocument = (file: string): string => readFileSync(join(CHECKOUT, file), 'utf8');

const markdown = new MarkdownIt();

/** Code that stands in lines of its own, indented or between fences. */
interface CodeBlock {
  /** What stands after the opening fence, such as `sh`; empty for an indented block. */
  language: string;
  /** Of its first line in the document, counted from 1. */
  line: number;
  lines: string[];
}

export function codeBlocksOf(text: string): CodeBlock[] {
  return markdown.parse(text, {}).flatMap(({ type, info, map, content }) => {
    if (type !== 'fence' && type !== 'code_block') return [];
    const line = (map?.[0] ?? 0) + (type === 'fence' ? 2 : 1);
    return [{ language: info.trim(), line, lines: content.replace(/\n$/, '').split('\n') }];
  });
}

/** A command that a reader types, or a statement for psql. */
export interface DocumentedCommand {
  document: string;
  line: number;
  /** On one line, without its comment. */
  text: string;
  /** What stands below it in the same block, up to the next command: what it prints. */
  answer: string;
}

/** The commands in the blocks of a document, in the order in which they stand there. */
export function commandsOf(document: string, text = readDocument(document)): DocumentedCommand[] {
  return codeBlocksOf(text)
    .filter(({ language }) => ['', 'sh', 'sql'].includes(language))
    .flatMap(({ language, line, lines }) => {
      const commands: DocumentedCommand[] = [];
      for (let at = 0; at < lines.length; at += 1) {
        const first = at;
        let typed = lines[at] ?? '';
        const ends = isStatement(typed) ? /;\s*$/ : /(?<!\\)$/;
        while (!ends.test(typed) && at + 1 < lines.length) typed = joined(typed, lines[(at += 1)] ?? '');
        const own = withoutComment(typed);
        if ((/^\S/.test(lines[first] ?? '') && isCommand(own)) || (language === 'sh' && own !== ''))
          commands.push({ document, line: line + first, text: own, answer: '' });
        else if (commands.length > 0) appendAnswer(commands, lines.slice(first, at + 1));
      }
      return commands;
    });
}

const joined = (typed: string, next: string): string => `${typed.replace(/\s*\\$/, '')} ${next.trim()}`;

function appendAnswer(commands: DocumentedCommand[], lines: readonly string[]): void {
  const last = commands.at(-1);
  const shown = lines.filter((line) => !line.startsWith('#'));
  if (last && (last.answer !== '' || shown.join('').trim() !== ''))
    last.answer += shown.map((line) => `${line}\n`).join('');
}

/** A comment begins the line, or has a space before it; one between quotes is none. */
export const withoutComment = (line: string): string =>
  (/^(?:[^'"#]|"[^"]*"|'[^']*'|(?<=\S)#)*/.exec(line)?.[0] ?? '').trim();

const isStatement = (line: string): boolean => /^(?:SELECT|ALTER|UPDATE|DELETE|INSERT) /.test(line);
const isCommand = (line: string): boolean =>
  isStatement(line) || programOf(line).some((word) => isProgram(word));

/** The program that a line calls: behind settings and `sudo`. Empty where it calls none. */
export function programOf(line: string): string[] {
  const [, program] =
    /^(?:\w+=(?:"[^"]*"|\S*)\s+|sudo (?:-u \S+ )?)*([A-Za-z][\w.-]*)(?:\s|$)/.exec(line) ?? [];
  return program === undefined ? [] : [program];
}

/** Of the shell, of this project, or of machines that this one need not be. */
const PROGRAMS = new Set(
  'longwave npm npx node export cd docker podman helm kubectl systemctl journalctl service uci pihole-FTL pgbackrest brew'.split(
    ' ',
  ),
);
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];

/** Any program of this machine too, so that a command is not overlooked because nobody has documented its like before. */
function isProgram(word: string): boolean {
  return PROGRAMS.has(word) || FOLDERS.some((folder) => isExecutable(join(folder, word)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Where operators and engineers are told what to type. */
export const COMMAND_DOCUMENTS = globSync('{README.md,CONTRIBUTING.md,docs/*.md,deploy/**/*.md}', {
  cwd: CHECKOUT,
}).toSorted();
