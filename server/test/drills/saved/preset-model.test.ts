import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { auditMembers } from '../../database/schema/member-audit.ts';
import { type PresetApp, presetApp } from '../../apps/preset-app.ts';
import { type ModelFolder, addItem, drawn, drop, join, removeItem } from './preset-model.ts';
import { type Actor, PresetWorld, accountOf, savingAccountOf } from './preset-world.ts';

const SEQUENCES = Number(process.env['MODEL_SEQUENCES'] ?? 500);
const MY_STREAM = 'http://mine.example.net/';
const ITEMS = ['s1', 's2', 's3', 'p1', MY_STREAM, `${MY_STREAM}2`];
const NAMES = ['Kitchen', 'KITCHEN', 'Bath', 'favorites'];

let app: PresetApp;
before(async () => {
  app = await presetApp();
});
after(() => app[Symbol.asyncDispose]());

/** A step as numbers; what they mean is settled when it is taken, by what there is then. */
interface Step {
  does: (typeof DOINGS)[number];
  actor: number;
  item: number;
  number: number | undefined;
  /** Of all folders that ever were; undefined means the default one. */
  folder: number | undefined;
  name: number;
}
const DOINGS = [
  'add',
  'add',
  'add',
  'place',
  'place',
  'place',
  'remove',
  'remove',
  'removeSaved',
  'addFolder',
  'renameFolder',
  'removeFolder',
  'listFolders',
  'browse',
  'join',
  'drop',
] as const;

const steps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom(...DOINGS),
    // Some do more than others, so that their folders fill up and buttons are fought for.
    actor: fc.constantFrom(0, 0, 0, 1, 2, 3, 3, 4),
    item: fc.nat(ITEMS.length - 1),
    number: fc.integer({ min: 1, max: 6 }),
    folder: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: fc.nat(20) }),
    name: fc.nat(NAMES.length - 1),
  }),
  { minLength: 1, maxLength: 24, size: 'max' },
);

const codeOf = (body: string): string =>
  body.includes('<status>200</status>') ? 'ok' : (/<fault_code>([^<]+)/.exec(body)?.[1] ?? body);
const nameOf = (item: string): Record<string, string> =>
  item.startsWith('http') ? { url: item } : { id: item };

/** Takes one step in the service and in the model, and holds the answers against each other. */
async function take(world: PresetWorld, step: Step): Promise<void> {
  const actor = world.actors[step.actor];
  assert.ok(actor);
  const folders = world.folders;
  const folder = step.folder === undefined ? undefined : folders[step.folder % folders.length];
  await ACTS[step.does](world, { actor, folder, ...pick(step) });
}

const pick = ({ item, name, number }: Step) => ({ item: ITEMS[item] ?? '', name: NAMES[name] ?? '', number });
type Act = (
  world: PresetWorld,
  taken: { actor: Actor; folder: ModelFolder | undefined } & ReturnType<typeof pick>,
) => Promise<void>;

const addWith =
  (hasNumber: boolean): Act =>
  async (world, { actor, folder, item, number: asked }) => {
    const number = hasNumber ? asked : undefined;
    const params = { c: 'add', ...nameOf(item), folderId: folder?.guideId, presetNumber: number?.toString() };
    const code = codeOf(await world.call(actor, 'Preset', params));
    // A folder is looked for in the account there is; without one an account is made.
    const account = folder ? accountOf(actor) : savingAccountOf(actor);
    const target = account?.folder(folder) ?? 'request.folderInvalid';
    if (typeof target === 'string') return assert.equal(code, target);
    assert.equal(code, 'ok');
    addItem(target, item, number);
    await learn(world, actor);
  };

/** What the service calls the folders. */
async function learn(world: PresetWorld, actor: Actor): Promise<void> {
  const live = accountOf(actor)?.live ?? [];
  if (live.every(({ guideId }) => guideId !== undefined)) return;
  const ids = [...(await world.call(actor, 'Preset', { c: 'listFolders' })).matchAll(/guide_id="(f\d+)"/g)];
  for (const [index, folder] of live.entries()) folder.guideId ??= ids[index]?.[1] ?? 'none';
}

const remove: Act = async (world, { actor, folder, item }) => {
  const code = codeOf(
    await world.call(actor, 'Preset', { c: 'remove', ...nameOf(item), folderId: folder?.guideId }),
  );
  const account = accountOf(actor);
  const target = account?.folder(folder) ?? (folder ? 'request.folderInvalid' : undefined);
  if (typeof target === 'string') return assert.equal(code, target);
  assert.equal(code, 'ok');
  if (target) removeItem(target, item);
};

/** By the id that the presets browse shows, as the specification says. */
const removeSaved: Act = async (world, { actor }) => {
  const target = accountOf(actor)?.folder(undefined);
  if (target === undefined || typeof target === 'string') return;
  await learn(world, actor);
  const body = await world.call(actor, 'Browse', { c: 'presets', guide_id: target.guideId });
  const id = / guide_id="(u\d+)"/.exec(body)?.[1];
  const item = /URL="(http:\/\/mine[^"?]*)/.exec(body)?.[1];
  assert.equal(id === undefined, ![...target.buttons.values()].some((saved) => saved.startsWith('http')));
  if (id === undefined || item === undefined) return;
  assert.equal(codeOf(await world.call(actor, 'Preset', { c: 'remove', id })), 'ok');
  removeItem(target, item);
};

const addFolder: Act = async (world, { actor, name }) => {
  const body = await world.call(actor, 'Preset', { c: 'addFolder', name });
  const folder = savingAccountOf(actor).addFolder(name);
  const id = /guide_id="(f\d+)"/.exec(body)?.[1];
  assert.ok(id, body);
  assert.equal(id, folder.guideId ?? id);
  folder.guideId = id;
  await learn(world, actor);
};

const renameFolder: Act = async (world, { actor, folder, name }) => {
  if (!folder) return;
  const code = codeOf(
    await world.call(actor, 'Preset', { c: 'renameFolder', folderId: folder.guideId, name }),
  );
  const account = accountOf(actor);
  const target = account?.folder(folder) ?? 'request.folderInvalid';
  if (typeof target === 'string') return assert.equal(code, target);
  const taken = account?.named(name);
  if (taken && taken !== folder) return assert.equal(code, 'request.invalid');
  assert.equal(code, 'ok');
  folder.name = name;
};

const removeFolder: Act = async (world, { actor, folder }) => {
  if (!folder) return;
  const code = codeOf(await world.call(actor, 'Preset', { c: 'removeFolder', folderId: folder.guideId }));
  const isOwn = folder.owner === accountOf(actor) && !folder.isDefault;
  assert.equal(code, isOwn ? 'ok' : 'request.folderInvalid');
  if (isOwn) folder.isRemoved = true;
};

const listFolders: Act = async (world, { actor }) => {
  const body = await world.call(actor, 'Preset', { c: 'listFolders' });
  const names = [...body.matchAll(/type="text" text="([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, accountOf(actor)?.live.map(({ name }) => name) ?? []);
};

const browse: Act = async (world, { actor }) => {
  const body = await world.call(actor, 'Browse', { c: 'presets', options: 'recurse' });
  assert.equal(drawnFrom(body), drawn(accountOf(actor)));
};

/** The same drawing, from the wire. */
const drawnFrom = (body: string): string =>
  body
    .split('type="container" ')
    .slice(1)
    .map((folder) => {
      const items = [...folder.matchAll(/URL="([^"]*)"[^\n]* preset_number="(\d+)"/g)].map(
        ([, url = '', number]) => ` ${/[?&;]id=([sp]\d+)/.exec(url)?.[1] ?? url.replace('?', '')}@${number}`,
      );
      return `${/text="([^"]*)"/.exec(folder)?.[1]}:${items.join('')}`;
    })
    .join('\n');

const joining: Act = async (world, { actor, number = 0 }) => {
  const account = world.accounts[number % 2];
  const device = world.devices.find((known) => known === actor) ?? world.devices[0];
  assert.ok(account && device);
  const code = await world.join(account, device);
  assert.equal(code, join(account, device));
  await learn(world, account);
};

const dropping: Act = async (world, { number = 0 }) => {
  const device = world.devices[number % 3];
  assert.ok(device);
  assert.equal(await world.drop(device), drop(device));
};

const ACTS: Record<Step['does'], Act> = {
  add: addWith(false),
  place: addWith(true),
  remove,
  removeSaved,
  addFolder,
  renameFolder,
  removeFolder,
  listFolders,
  browse,
  join: joining,
  drop: dropping,
};

test(`${SEQUENCES} random sequences leave the service as they leave the model`, async (t) => {
  let run = 0;
  let taken = 0;
  const started = performance.now();
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      run += 1;
      const world = await PresetWorld.open(app, run);
      for (const account of world.accounts) await learn(world, account);
      for (const step of sequence) {
        await take(world, step);
        taken += 1;
      }
      for (const actor of world.actors)
        await browse(world, { actor, folder: undefined, item: '', name: '', number: 1 });
    }),
    { numRuns: SEQUENCES },
  );
  t.diagnostic(`${run} sequences, ${taken} steps in ${Math.round((performance.now() - started) / 1000)} s`);
  assert.ok(taken > SEQUENCES);
});

test('after all that every account is sound', async () => {
  assert.deepEqual(await auditMembers(app.database.pool), []);
});
