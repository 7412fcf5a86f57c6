#!/usr/bin/env node
import { HELP, readArguments, UsageError, type Arguments } from './arguments.ts';
import { Unreachable } from './ask.ts';
import type { Section } from './check.ts';
import { Kit } from './kit.ts';
import { summarise, writeHeading, writeRow, writeSummary } from './report.ts';
import { runChecks, type Result } from './run.ts';
import { chooseSections } from './sections.ts';

/** Runs the checks, prints as asked, and gives the exit code. */
async function run({ kit: options, sections: wanted, json }: Arguments): Promise<number> {
  const sections = chooseSections(wanted);
  const kit = new Kit(options);
  const start = performance.now();
  try {
    await kit.get('/Browse.ashx');
    const results = await collect(kit, sections, json);
    const summary = summarise(results);
    const milliseconds = performance.now() - start;
    process.stdout.write(
      json
        ? `${JSON.stringify({ baseUrl: options.baseUrl, ...summary, requests: kit.requests, results }, undefined, 2)}\n`
        : writeSummary(summary, kit.requests, milliseconds),
    );
    return summary.failed === 0 ? 0 : 1;
  } finally {
    kit.close();
  }
}

/** Rows are printed as they come, for a slow server is watched. */
async function collect(kit: Kit, sections: readonly Section[], isQuiet: boolean): Promise<Result[]> {
  const results: Result[] = [];
  for (const section of sections) {
    if (!isQuiet) process.stdout.write(writeHeading(section));
    for await (const result of runChecks(kit, [section])) {
      results.push(result);
      if (!isQuiet) process.stdout.write(writeRow(result));
    }
  }
  return results;
}

try {
  const given = readArguments(process.argv.slice(2));
  if (given) process.exitCode = await run(given);
  else process.stdout.write(HELP);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof Unreachable)) throw error;
  const more = error instanceof UsageError ? '\nSee longwave-conformance --help' : `\nTry: ${error.repeat}`;
  process.stderr.write(`${error.message}${more}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
