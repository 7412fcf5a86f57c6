import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const README = readFileSync(join(import.meta.dirname, '../../../../../README.md'), 'utf8');

/** The ways of README.md to a directory of one's own, by their headings. */
export const WAYS = { containers: 'With containers', debian: 'On Debian 12' } as const;

/** What a reader of the README types below a heading. */
export const readmeCommands = (heading: string): string[] => commandsBelow(heading, README);

/** The lines of every fenced block of shell below a heading of a page, without comments. */
export function commandsBelow(heading: string, page: string): string[] {
  const section = page.split(/^#{2,3} /mu).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no heading '${heading}'`);
  return [...section.matchAll(/^```sh\n(?<block>[^]*?)^```$/gmu)]
    .flatMap(({ groups }) => groups?.['block']?.split('\n') ?? [])
    .map((line) => line.replace(/\s+#\s[^'"]*$/u, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** What was done, and how long each took; for people to read. */
export class Stopwatch {
  readonly #steps: { what: string; seconds: number }[] = [];

  async time<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const result = await work();
    this.#steps.push({ what, seconds: (performance.now() - startedMs) / 1000 });
    return result;
  }

  /** Minutes, megabytes, and what the minutes were spent on. */
  write(way: string, megabytes: string): string {
    const seconds = this.#steps.reduce((sum, step) => sum + step.seconds, 0);
    const lines = this.#steps.map((step) => `\n  ${step.seconds.toFixed(1).padStart(6)} s  ${step.what}`);
    return `${way}: ${(seconds / 60).toFixed(1)} minutes to the sound of a station, ${megabytes}${lines.join('')}`;
  }
}
