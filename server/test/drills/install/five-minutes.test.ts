/**
 * The five minutes of the README. The ways themselves are gone where their machines are: image.test.ts and package.test.ts
 * type these lines, and hear a station.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandsBelow, readmeCommands, WAYS } from './five-minutes/readme.ts';

const CHECKOUT = join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(join(CHECKOUT, file), 'utf8');

test('what a reader types is read from the fenced blocks below a heading, without comments', () => {
  const page = [
    '# A',
    '```sh',
    'no',
    '```',
    '### Way',
    'text',
    '```sh',
    '# alone',
    "one 'a # b'   # why",
    '',
    'two',
    '```',
  ];
  assert.deepEqual(commandsBelow('Way', [...page, '```', 'shown', '```', '## B'].join('\n')), [
    "one 'a # b'",
    'two',
  ]);
  assert.throws(() => commandsBelow('Other', page.join('\n')), /no heading 'Other'/);
});

test('both ways are short, and begin in a clone', () => {
  for (const way of Object.values(WAYS)) {
    const commands = readmeCommands(way);
    assert.ok(commands.length > 1 && commands.length < 6, `${way}: ${commands.length} lines to type`);
  }
});

test('the package, the unit and the profile that the README names are those of this source', () => {
  const { version } = JSON.parse(read('package.json'));
  const debian = readmeCommands(WAYS.debian).join('\n');
  assert.match(debian, new RegExp(`\\./dist/longwave_${version.replaceAll('.', '\\.')}_amd64\\.deb`));
  for (const [, unit = ''] of debian.matchAll(/--now (\S+)/g))
    assert.ok(existsSync(join(CHECKOUT, 'deploy/debian', `${unit}.service`)), unit);
  for (const [, profile = ''] of readmeCommands(WAYS.containers)
    .join('\n')
    .matchAll(/--profile (\S+)/g))
    assert.match(read('compose.yaml'), new RegExp(`profiles: \\[${profile}\\]`));
});
