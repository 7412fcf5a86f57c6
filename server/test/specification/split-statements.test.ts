import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, splitStatements } from './split-statements.ts';

const TEXT = `# A service

About all of it.

## 1. Things

- One thing; another (of two; or three). \`c\` is a third, e.g. this one.
  - Deeper: a fourth.

Rules:
1. Stated by number.

## 2. Calls

Before the parts.

### 2.1 Ask

| Name | Needed | Meaning |
|---|---|---|
| a | Yes | The first. Also more |
| b | Yes if no \`a\` | word |
`;

test('sentences, parts of them, lines of lists and cells are statements, numbered by section and order', () => {
  assert.deepEqual(
    splitStatements(TEXT).map(({ number, text }) => `${number} ${text}`),
    [
      '0.1 About all of it.',
      '1.1 One thing;',
      '1.2 another (of two; or three).',
      '1.3 `c` is a third, e.g. this one.',
      '1.4 Deeper: a fourth.',
      '1.5 Stated by number.',
      '2.0.1 Before the parts.',
      '2.1.1 a | Yes | The first.',
      '2.1.2 a | Also more',
      '2.1.3 b | Yes if no `a` | word',
    ],
  );
});

const digests = (text: string): string[] => splitStatements(text).map(digestOf);

test('a word that changes changes the digest of its statement alone', () => {
  const [before, after] = [digests(TEXT), digests(TEXT.replace('| a | Yes', '| a | No'))];
  assert.deepEqual(
    after.flatMap((digest, at) => (digest === before[at] ? [] : [at])),
    [7],
  );
});
