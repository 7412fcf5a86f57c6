import { ELSEWHERE, type RunElsewhere } from './elsewhere.ts';
import { type DocumentSetUp, WORDS } from './examples.ts';
import { COMMAND_DOCUMENTS, commandsOf, type DocumentedCommand } from './read-documents.ts';
import { SET_UPS } from './set-ups.ts';

/** What is done with a command of a document: it is typed here, or it is run elsewhere, or there is a reason why nowhere. */
export interface PlannedCommand extends DocumentedCommand {
  typed: readonly string[];
  elsewhere: RunElsewhere | undefined;
}

const STAND_INS = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'g');

export const setUpOf = (document: string): DocumentSetUp => SET_UPS[document] ?? {};

export const isMeant = (entry: RunElsewhere, { document, text }: DocumentedCommand): boolean =>
  begins(document, entry.document) && begins(text, entry.command);

const begins = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text.startsWith(wanted) : wanted.test(text);

function linesFor({ document, text }: DocumentedCommand): readonly string[] {
  const given = setUpOf(document).typed?.[text];
  if (given) return given;
  const line = text.replaceAll(STAND_INS, (word) => WORDS[word] ?? word);
  return [
    line.startsWith('SELECT ')
      ? `psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -c '${line.replaceAll("'", "'\\''")}'`
      : line,
  ];
}

export const PLAN: readonly PlannedCommand[] = COMMAND_DOCUMENTS.flatMap((document) =>
  commandsOf(document).map((command) => {
    const elsewhere = ELSEWHERE.find((entry) => isMeant(entry, command));
    return { ...command, elsewhere, typed: elsewhere ? [] : linesFor(command) };
  }),
);

/** A word that stands for another one, a part that may be left out, several words of which one is meant. */
const STANDS_FOR = /(?<![\w$/{=(-])[A-Z]{2,}(?![\w=])|…|\[[^\]]*\]|\w\|\w|\| (?:[a-z]\d|[A-Z])/;

/** Why a line cannot be typed as it is: it has words that stand for others, such as FILE. */
export const placeholderIn = (line: string): string | undefined =>
  STANDS_FOR.exec(line.replaceAll(/'[^']*'|"[^"]*"/g, ''))?.[0];

export const WHAT_TO_DO = `give it an example in server/test/documents/set-ups.ts, so that it is typed; or say in
server/test/documents/elsewhere.ts which test, drill or step of the gate runs it, or why it cannot be run here`;
