import { join } from 'node:path';
import { CHECKOUT } from '../tree/checkout.ts';
import { run } from '../tree/run.ts';

/** Fills in the commands as `longwave --help` tells them, so that the page cannot disagree. */
export function manualPage(template: string, { version, date }: { version: string; date: Date }): string {
  const help = run(process.execPath, [join(CHECKOUT, 'server/src/main.ts'), '--help']);
  return template
    .replace('@DATE@', date.toISOString().slice(0, 10))
    .replace('@VERSION@', version)
    .replace('@COMMANDS@', () => commandsOf(help));
}

/** Forms are indented by two, what they do by six. */
function commandsOf(help: string): string {
  const lines: string[] = [];
  let isFirst = true;
  for (const line of help.split('\n')) {
    const form = /^ {2}longwave (?<form>.*)$/u.exec(line)?.groups?.['form'];
    const summary = /^ {6}(?<summary>\S.*)$/u.exec(line)?.groups?.['summary'];
    if (form !== undefined) lines.push(isFirst ? '.TP' : '.TQ', `.B ${escape(form)}`);
    if (summary !== undefined) lines.push(escape(summary));
    if (form !== undefined || summary !== undefined) isFirst = summary !== undefined;
  }
  if (lines.length === 0) throw new Error('longwave --help named no command for the manual page');
  return lines.join('\n');
}

const escape = (text: string): string =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...').replace(/^[.']/u, '\\&$&');
