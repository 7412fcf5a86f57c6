/** The commands of README.md, CONTRIBUTING.md and docs/*.md, typed as an operator would, document by document. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fillDirectory } from './examples.ts';
import { PLAN, type PlannedCommand, setUpOf, WHAT_TO_DO } from './plan.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

const documents = Map.groupBy(
  PLAN.filter(({ elsewhere }) => !elsewhere),
  ({ document }) => document,
);

const typedBefore = new Set<string>();
/** For all documents but those that need their own: a directory with a service. */
let shared: Workplace;
before(async () => {
  shared = await openWorkplace();
  await fillDirectory(shared);
  await shared.serve();
});
after(() => shared?.[Symbol.asyncDispose]());

for (const [document, commands] of documents)
  test(`${document}: what it has a reader type works`, async () => {
    const setUp = setUpOf(document);
    await using own = setUp.alone ? await openWorkplace() : undefined;
    const workplace = own ?? shared;
    await setUp.prepare?.(workplace);
    for (const command of commands)
      for (const line of command.typed) if (own || isNew(line)) await typeAndRead(workplace, command, line);
  });

/** What one document has typed need not be typed again for another. */
const isNew = (line: string): boolean => !typedBefore.has(line) && Boolean(typedBefore.add(line));

async function typeAndRead(workplace: Workplace, command: PlannedCommand, line: string): Promise<void> {
  const { document, answer } = command;
  const { settings, prints = [] } = setUpOf(document);
  const { status, said } = await workplace.type(line, settings);
  const where = `${document}:${command.line}: ${line}\n${said}`;
  assert.equal(
    status,
    0,
    `${where}It ended with ${status}: correct the document or the command, or ${WHAT_TO_DO}`,
  );
  assert.doesNotMatch(said, /^usage:/m, where);
  const [, wanted] = prints.find(([beginning]) => line.startsWith(beginning)) ?? [];
  if (wanted) assert.match(said, wanted, where);
  if (command.text.startsWith('curl') && answer !== '') sameAsShown(said, answer, where);
}

/** What a document shows of an answer, up to where it ends with dots, is what came. */
function sameAsShown(said: string, answer: string, where: string): void {
  const [shown = ''] = answer.trim().split('\n…', 1);
  assert.equal(said.slice(0, shown.length), shown, where);
}
