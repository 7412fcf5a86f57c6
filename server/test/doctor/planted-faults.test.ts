import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FAULTS } from './faults.ts';
import { type Install, openInstall } from './healthy-install.ts';

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());
let install: Install;
before(async () => (install = await openInstall(opened)));

const isFine = ({ state }: { state: string }): boolean => state === 'well' || state === 'note';
/** The port is part of its name. */
const lineOf = ({ group, name }: { group: string; name: string }): string =>
  `${group}/${name.replace(/^port \d+$/, 'port')}`;

/** Looks again where a line was late: checks wait seconds, and a busy machine may take longer than that. */
async function holds(look: () => Promise<void>, tries = 4): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (tries === 1) throw error;
    await holds(look, tries - 1);
  }
}

test('a healthy install has no fault', () =>
  holds(async () => {
    const lines = await install.examine();
    assert.deepEqual(
      lines.filter((line) => !isFine(line)),
      [],
    );
    assert.ok(lines.length > 30, `${lines.length} lines`);
  }));

assert.ok(FAULTS.length >= 25);
for (const { fault, plant, line, says, mend, also = [] } of FAULTS)
  test(`${fault}: ${line} says so, and what to do, and no other line complains`, async () => {
    const { settings, machine, more, undo } = await plant(install);
    const look = async (): Promise<void> => {
      const lines = await install.examine(settings, { machine: { ...install.machine, ...machine }, ...more });
      const found = lines.find((each) => lineOf(each) === line && !isFine(each));
      assert.ok(found, JSON.stringify(lines.filter((each) => !isFine(each))));
      assert.match(found.text, says);
      assert.match(found.mend ?? '', mend);
      const others = lines.filter((each) => each !== found && !isFine(each) && each.state !== 'unknown');
      assert.deepEqual(others.map(lineOf), also);
    };
    try {
      await holds(look);
    } finally {
      await undo?.();
    }
  });
