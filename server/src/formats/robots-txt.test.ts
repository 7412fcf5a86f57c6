import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowedBy, parseRobots } from './robots-txt.ts';

const OURS = 'User-agent: Longwave-Relay\n';
const CASES: [text: string, path: string, isAllowed: boolean][] = [
  ['', '/live', true],
  ['User-agent: *\nDisallow: /', '/live', true],
  [`${OURS}Disallow: /`, '/live', false],
  ['user-agent:longwave-relay # us\r\ndisallow:/ # all\r\n', '/live', false],
  [`${OURS}Disallow:`, '/live', true],
  [`${OURS}Disallow: /private`, '/live', true],
  [`${OURS}Disallow: /\nAllow: /live`, '/live.mp3', true],
  [`${OURS}Disallow: /\nAllow: /live`, '/talk', false],
  [`${OURS}Allow: /live\nDisallow: /live`, '/live', true],
  ['User-agent: a\nUser-agent: Longwave-Relay\nUser-agent: b\nDisallow: /', '/live', false],
  ['User-agent: Longwave-Relay\nAllow: /x\nUser-agent: other\nDisallow: /', '/live', true],
  [
    `User-agent: other\nDisallow: /\n\n${OURS}Crawl-delay: 1\nDisallow: /a\n\n${OURS}Disallow: /b`,
    '/b',
    false,
  ],
  [`${OURS}Disallow: /*.aac$`, '/live.aac', false],
  [`${OURS}Disallow: /*.aac$`, '/live.aac?x=1', true],
  [`${OURS}Disallow: /*/high`, '/fm/high', false],
  [`${OURS}Disallow: /live$`, '/live2', true],
  [`${OURS}Disallow: /a*a$`, '/a', true],
  ['<html>Disallow: /</html>', '/live', true],
];
for (const [text, path, isAllowed] of CASES)
  test(`${JSON.stringify(text)} ${isAllowed ? 'allows' : 'forbids'} ${path}`, () =>
    assert.equal(isAllowedBy(parseRobots(text, 'Longwave-Relay'), path), isAllowed));

test('a pattern full of stars is told at once', () => {
  const rules = parseRobots(`${OURS}Disallow: /${'*a'.repeat(10_000)}b`, 'longwave-relay');
  assert.equal(isAllowedBy(rules, `/${'a'.repeat(2000)}`), true);
});
