import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ELSEWHERE } from './elsewhere.ts';
import { isMeant, placeholderIn, PLAN, setUpOf, WHAT_TO_DO } from './plan.ts';
import { CHECKOUT, commandsOf, readDocument } from './read-documents.ts';
import { SET_UPS } from './set-ups.ts';

const typed = PLAN.filter(({ elsewhere }) => !elsewhere);

test('every command of a document is typed, or run elsewhere, or there is a reason', (t) => {
  const byOthers = PLAN.filter(({ elsewhere }) => elsewhere?.by !== undefined).length;
  const nowhere = PLAN.filter(({ elsewhere }) => elsewhere?.because !== undefined).length;
  t.diagnostic(
    `${PLAN.length} commands: ${typed.length} are typed, ${byOthers} are run by other tests, ${nowhere} are not run here`,
  );
  assert.ok(PLAN.length > 150, `${PLAN.length} commands`);
  for (const { document, line, typed: lines } of typed)
    for (const each of lines) {
      const word = placeholderIn(each);
      assert.equal(
        word,
        undefined,
        `${document}:${line}: '${each}' cannot be typed because of ${word}: ${WHAT_TO_DO}`,
      );
    }
});

test('what is said to be run elsewhere is', () => {
  for (const entry of ELSEWHERE) {
    const { by, words = [], reads, because } = entry;
    const commands = PLAN.filter((command) => command.elsewhere === entry);
    const name = `${entry.document} ${entry.command}`;
    assert.ok(commands.length > 0, `${name}: no document has it any more; take it out of elsewhere.ts`);
    assert.equal(
      by === undefined,
      because !== undefined,
      `${name}: either a file runs it, or there is a reason`,
    );
    if (by === undefined) continue;
    assert.ok(existsSync(join(CHECKOUT, by)), `${name}: there is no ${by}`);
    assert.ok(words.length > 0 || reads !== undefined, `${name}: what in ${by} runs it?`);
    const source = readDocument(by);
    if (reads !== undefined) assert.ok(source.includes(reads), `${name}: ${by} does not say ${reads}`);
    for (const word of words) {
      assert.ok(source.includes(word), `${name}: ${by} does not say ${word}`);
      for (const { text } of commands) assert.ok(text.includes(word), `${text} does not say ${word}`);
    }
  }
});

test('every example belongs to a command, is a form of it, and has all of its options', () => {
  for (const [document, { typed: examples = {}, prints = [] }] of Object.entries(SET_UPS)) {
    const own = typed.filter((command) => command.document === document);
    for (const [text, lines] of Object.entries(examples)) {
      assert.ok(
        own.some((command) => command.text === text),
        `${document} has no '${text}' any more`,
      );
      const all = lines.join(' ');
      for (const option of text.match(/(?<=[\s[])--[a-z][\w-]+/g) ?? [])
        assert.ok(all.includes(option), `${text}: nobody types ${option}`);
      for (const word of text.match(/^(?:longwave|npx) [\w-]+(?: [a-z-]+(?=\s|$))?/)?.[0]?.split(' ') ?? [])
        assert.ok(all.includes(word), `${text}: nobody types ${word}`);
    }
    const lines = own.flatMap((command) => command.typed);
    for (const [beginning] of prints)
      assert.ok(
        lines.some((line) => line.startsWith(beginning)),
        `${document}: nobody types '${beginning}'`,
      );
  }
});

test('commands are told from what they print, with lines that go on and without comments', () => {
  const page = [
    'Text `longwave no`.',
    '',
    "    longwave one 'a # b'     # why",
    '    # alone',
    '    curl x \\',
    '      --two',
    '',
    '    <answer>',
    '      more',
    '',
    '    A=b sudo -u nobody longwave three',
    '    NAME=value',
    '',
    'text',
    '',
    '```json',
    'longwave none',
    '```',
    '',
    '    SELECT 1',
    '    FROM two;',
  ];
  assert.deepEqual(
    commandsOf('x.md', page.join('\n')).map(({ line, text, answer }) => [line, text, answer]),
    [
      [3, "longwave one 'a # b'", ''],
      [5, 'curl x --two', '<answer>\n  more\n\n'],
      [11, 'A=b sudo -u nobody longwave three', 'NAME=value\n'],
      [20, 'SELECT 1 FROM two;', ''],
    ],
  );
});

test('words that stand for others are found', () => {
  for (const line of [
    'longwave verify FILE.dump',
    'longwave x s1|e1',
    'longwave x [--json]',
    'A=… longwave y',
    'longwave z NUMBER…',
  ])
    assert.notEqual(placeholderIn(line), undefined, line);
  for (const line of [
    'A=b longwave x > y',
    "curl 'http://x/?a=B…'",
    'longwave x "$HOME" $PWD/a | sed -n p',
    'echo HTTP_PORT=80',
  ])
    assert.equal(placeholderIn(line), undefined, line);
  assert.ok(
    !isMeant({ document: 'a.md', command: 'x' }, { document: 'b.md', text: 'x', line: 1, answer: '' }),
  );
  assert.deepEqual(setUpOf('none.md'), {});
});
