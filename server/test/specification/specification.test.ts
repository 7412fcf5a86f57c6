import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestsOf, readDigests, readSpecification, withoutSpecification } from './specification.ts';
import { numbersOf, readDeviations, readRows } from './statement-rows.ts';

const KEEP = 'node server/test/specification/keep-digests.ts';
const rows = readRows();
const covered = new Set(rows.flatMap(({ numbers }) => numbers));
const kept = readDigests();
const LINK = '[deviation](adr/0018-deviations.md)';

test(
  'the specification says what it said when docs/protocol.md was read against it',
  { skip: withoutSpecification },
  () => {
    const now = digestsOf(readSpecification());
    const changed = [
      ...Object.keys(now).flatMap((number) => {
        if (!(number in kept))
          return [`${number} is new: give it a row in docs/protocol.md, then run ${KEEP}`];
        if (kept[number] === now[number]) return [];
        return [
          `${number} says something else: read it, correct its row in docs/protocol.md, then run ${KEEP}`,
        ];
      }),
      ...Object.keys(kept).flatMap((number) =>
        number in now
          ? []
          : [`${number} is gone: take it from its row in docs/protocol.md, then run ${KEEP}`],
      ),
    ];
    assert.deepEqual(changed, []);
  },
);

test('every statement of the specification has its row in docs/protocol.md', () => {
  assert.ok(Object.keys(kept).length > 200);
  assert.deepEqual(
    Object.keys(kept).filter((number) => !covered.has(number)),
    [],
  );
});

test('no row of docs/protocol.md names a statement that does not exist', () => {
  assert.deepEqual(
    [...covered].filter((number) => !(number in kept)),
    [],
  );
});

test('every row is held by a test or by the kit, or says that there is nothing to hold, and why', () => {
  assert.ok(rows.length > 150);
  const bare = rows.filter(
    ({ heldBy }) => !/`kit [\w.-]+`|\.test\.ts`/.test(heldBy) && !/^nothing to hold: \w+/.test(heldBy),
  );
  assert.deepEqual(bare, []);
});

test('every deviation is told in its row, and every row that tells of one is in the list', () => {
  const listed = new Set(readDeviations());
  const deviating = rows.filter(({ says, heldBy }) => `${says} ${heldBy}`.includes(LINK));
  assert.deepEqual(
    deviating.filter(({ numbers }) => !numbers.some((number) => listed.has(number))),
    [],
  );
  const told = new Set(deviating.flatMap(({ numbers }) => numbers));
  assert.deepEqual(
    [...listed].filter((number) => !told.has(number)),
    [],
  );
});

test('numbers are read one by one and in ranges', () => {
  assert.deepEqual(numbersOf('4.7.3, 4.7.5 to 7'), ['4.7.3', '4.7.5', '4.7.6', '4.7.7']);
  assert.deepEqual(numbersOf('1.2, 4.0.1'), ['1.2', '4.0.1']);
});
