import type { Examined } from './examine.ts';
import type { Finding, State } from './finding.ts';
import { nameCommand } from './name-command.ts';

/** The whole as machines read it. */
export interface Report {
  /** The worst that was found, of the three that matter. */
  state: 'well' | 'warning' | 'broken';
  summary: string;
  checks: ({ group: string } & Finding)[];
}

export interface Wording {
  /** Takes out what must not be shown. */
  clean: (text: string) => string;
  /** How a command has to be typed here. */
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
  if (broken + warnings + unseen === 0) return `All is well: ${all} of ${all}.`;
  const parts = [
    ...(broken > 0 ? [`${broken} of ${all} ${broken === 1 ? 'is' : 'are'} broken`] : []),
    ...(warnings > 0 ? [`${warnings} worth a look`] : []),
    ...(unseen > 0 ? [`${unseen} could not be looked at`] : []),
  ];
  const told = parts.join(', ');
  return broken > 0 ? `${told}. Mend the first and run it again.` : `It works: ${told}, the rest is well.`;
}
