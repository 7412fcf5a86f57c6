import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { auditMembers } from '../../database/schema/member-audit.ts';
import { type PresetApp, presetApp } from '../../apps/preset-app.ts';
import { PresetWorld } from './preset-world.ts';
import { sendAgain } from '../load/send-again.ts';

const ROUNDS = Number(process.env['JOIN_ROUNDS'] ?? 40);
const SAVES = 12;

let app: PresetApp;
before(async () => {
  app = await presetApp();
});
after(() => app[Symbol.asyncDispose]());

/** Saves on a device while it is joined to an account, and gives back those of them that the account then lacks. */
async function lostWhileJoining(run: number): Promise<string[]> {
  const world = await PresetWorld.open(app, run);
  const [device] = world.devices;
  const [account] = world.accounts;
  assert.ok(device && account);
  const addresses = Array.from({ length: SAVES }, (_, n) => `http://mine.example.net/${run}/${n}`);
  const save = (url: string): Promise<string> =>
    sendAgain(() => world.call(device, 'Preset', { c: 'add', url }));
  const [first = '', ...others] = addresses;
  await save(first);
  const half = others.length >> 1;
  const answers = await Promise.all([
    ...others.slice(0, half).map(save),
    world.join(account, device).then((code) => assert.equal(code, 'ok')),
    ...others.slice(half).map(save),
  ]);
  for (const answer of answers) if (answer !== undefined) assert.match(answer, /<status>200</);
  const shown = await world.call(account, 'Browse', { c: 'presets' });
  return addresses.filter((address) => !shown.includes(`"${address}?"`));
}

test(`nothing that was saved on a device while it was joined is lost, ${ROUNDS} times`, async () => {
  const lost: string[] = [];
  for (let run = 1; run <= ROUNDS; run += 1) lost.push(...(await lostWhileJoining(run)));
  assert.deepEqual(lost, []);
  assert.deepEqual(await auditMembers(app.database.pool), []);
});
