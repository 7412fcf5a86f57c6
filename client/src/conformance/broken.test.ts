import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FINDING } from '../../test/broken/finding.ts';
import { FRAME } from '../../test/broken/frame.ts';
import { LISTENING } from '../../test/broken/listening.ts';
import { MEMBERS } from '../../test/broken/members.ts';
import { MENUS } from '../../test/broken/menus.ts';
import { REPORTING } from '../../test/broken/reporting.ts';
import { RULES } from '../../test/broken/rules.ts';
import { type Break, startSmallServer } from '../../test/small-server.ts';
import type { Check } from './check.ts';
import { Kit } from './kit.ts';
import { runChecks, type Result } from './run.ts';
import { SECTIONS } from './sections.ts';

const CHECKS: ReadonlyMap<string, Check> = new Map(
  SECTIONS.flatMap(({ checks }) => checks.map((check) => [check.id, check])),
);

/** The checks of these ids against a server that is broken in one way. */
async function resultsOf(ids: readonly string[], change: Break): Promise<Result[]> {
  const server = await startSmallServer(change);
  const options = { partnerId: 'kit', username: 'ann', write: true, timeoutMs: 5000, maxRequests: 300 };
  const untrue = server.origin.replace('http:', 'https:');
  const httpsBaseUrl = ids.includes('rule-1-https') ? untrue : server.secureOrigin;
  const kit = new Kit({ baseUrl: server.origin, httpsBaseUrl, ...options });
  const checks = ids.map((id) => CHECKS.get(id) ?? assert.fail(`no check ${id}`));
  const results = await Array.fromAsync(runChecks(kit, [{ id: 'x', title: 'x', checks }]));
  kit.close();
  await server.close();
  return results;
}

const BROKEN = [...FRAME, ...MENUS, ...LISTENING, ...FINDING, ...RULES, ...MEMBERS, ...REPORTING];

for (const [what, ids, change] of BROKEN) {
  test(`noticed: ${what}`, async () => {
    for (const { id, outcome, expected, came, repeat } of await resultsOf(ids.split(' '), change)) {
      assert.equal(outcome, 'fail', `${id} is ${outcome}`);
      assert.ok(expected && came !== undefined, id);
      assert.match(repeat ?? '', /^curl .*'https?:\/\/127\.0\.0\.1:/, id);
    }
  });
}

test('every check can fail', () => {
  const proven = new Set(BROKEN.flatMap(([, ids]) => ids.split(' ')));
  assert.deepEqual(
    [...CHECKS.keys()].filter((id) => !proven.has(id)),
    [],
  );
});
