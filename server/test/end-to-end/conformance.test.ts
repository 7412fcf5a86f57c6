import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Section } from '../../../client/src/conformance/check.ts';
import { Kit } from '../../../client/src/conformance/kit.ts';
import { writeRow } from '../../../client/src/conformance/report.ts';
import { runChecks } from '../../../client/src/conformance/run.ts';
import { SECTIONS } from '../../../client/src/conformance/sections.ts';
import { startService, type Service } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service[Symbol.asyncDispose]());

/** Rows that this directory cannot show, each with the reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {};

/** The rows of a section that do not pass, as the kit prints them. */
async function faultsOf(section: Section, username: string): Promise<string> {
  const kit = new Kit({
    baseUrl: service.origin,
    httpsBaseUrl: service.secureOrigin,
    partnerId: 'kit',
    username,
    timeoutMs: 5000,
    maxRequests: 600,
  });
  let faults = '';
  for await (const result of runChecks(kit, [section])) {
    const isExcused = result.outcome === 'not applicable' && result.id in NOT_SHOWN;
    if (result.outcome !== 'pass' && !isExcused) faults += writeRow(result);
  }
  kit.close();
  return faults;
}

for (const section of SECTIONS) {
  test(`conformance ${section.id}: ${section.title}`, async () => {
    assert.equal(await faultsOf(section, 'ann'), '');
  });
}

test('conformance 4.3, for an account of several folders', async () => {
  const presets = SECTIONS.find(({ id }) => id === '4.3');
  assert.ok(presets);
  assert.equal(await faultsOf(presets, 'bob'), '');
});
