import type { Pool, PoolClient } from 'pg';
import { numberOf } from '../../../lib/guide-id.ts';
import { Fault } from '../../../lib/fault.ts';
import {
  listShowFeeds,
  listShowsOfFeeds,
  type ShowFeedRow,
} from '../../../storage/catalog/shows/show-feeds.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { lockAccount } from '../accounts.ts';
import { removeShowPresets } from '../presets/arrange-presets.ts';
import { labelOf, MAX_PRESETS } from '../presets/preset-rules.ts';
import { listSavedItems } from '../presets/presets.ts';
import { addPreset } from '../presets/save-preset.ts';
import {
  listSubscriptionRows,
  MAX_SUBSCRIPTIONS,
  parseFeedAddress,
  serialsAfter,
  type SubscriptionRow,
  writeSubscriptions,
} from './subscription-rows.ts';

/*
 * One list of podcasts for an account. A podcast that the directory has as a show is a preset, wherever it was saved: by a
 * radio, at the site, by an app. One that it does not have is an address. Apps want to know what changed since they last
 * asked, which presets do not say, so each podcast has a row with the serial of its last change, and every call first
 * brings these rows up to date with the presets.
 */

export interface Subscriptions {
  active: readonly SubscriptionRow[];
  ended: readonly SubscriptionRow[];
  /** Of the last change. */
  serial: number;
}

const shown = (rows: readonly SubscriptionRow[]): Subscriptions => ({
  active: rows.filter((row) => !row.is_removed),
  ended: rows.filter((row) => row.is_removed),
  serial: rows.reduce((last, { serial }) => Math.max(last, serial), 0),
});

/** What an account listens to, as of now. Locks and writes only if presets have changed since. */
export async function listSubscriptions(
  pool: Pool,
  accountId: number,
  now: Temporal.Instant,
): Promise<Subscriptions> {
  const state = await readState(pool, accountId);
  if (differences(state).length === 0) return shown(state.rows);
  return transaction(pool, async (client) => {
    const { preset_count: presets } = await lockAccount(client, accountId);
    return shown(await catchUp(client, accountId, { now, presets }));
  });
}

interface State {
  rows: readonly SubscriptionRow[];
  /** Shows among the presets that have a feed. */
  saved: readonly ShowFeedRow[];
  /** Shows of feeds that are kept as mere addresses. */
  appeared: readonly ShowFeedRow[];
}

async function readState(db: Queryable, accountId: number): Promise<State> {
  const rows = await listSubscriptionRows(db, accountId);
  const savedIds = [...(await listSavedItems(db, accountId))].flatMap((id) => numberOf('p', id) ?? []);
  const unknown = rows.filter((row) => !row.is_removed && row.show_id === null).map((row) => row.feed_key);
  const saved = savedIds.length === 0 ? [] : await listShowFeeds(db, savedIds);
  const appeared = unknown.length === 0 ? [] : await listShowsOfFeeds(db, unknown);
  return {
    rows,
    saved: saved.filter((show) => show.feed_key !== null),
    appeared: appeared.filter(({ listed }) => listed),
  };
}

type Change = Omit<SubscriptionRow, 'serial'>;

/** How rows have to change to be what the presets are, and which shows have to become presets. */
function differences({ rows, saved, appeared }: State): (Change & { preset?: ShowFeedRow })[] {
  const active = rows.filter((row) => !row.is_removed);
  const byShow = new Set(active.map((row) => row.show_id));
  const byKey = new Map(active.map((row) => [row.feed_key, row]));
  const savedIds = new Set(saved.map(({ id }) => id));
  const added = saved
    .filter(({ id }) => !byShow.has(id))
    .map((show) => ({
      ...rowOf(show),
      address: byKey.get(show.feed_key ?? '')?.address ?? show.feed_address ?? '',
    }));
  const removed = active
    .filter(({ show_id: id }) => id !== null && !savedIds.has(id))
    .map(({ serial: _serial, ...row }) => ({ ...row, is_removed: true }));
  const adopted = appeared
    .filter(({ id }) => !savedIds.has(id))
    .map((show) => ({
      ...rowOf(show),
      address: byKey.get(show.feed_key ?? '')?.address ?? show.feed_address ?? '',
      preset: show,
    }));
  return [...added, ...removed, ...adopted];
}

const rowOf = ({ id, feed_key: key, feed_address: address }: ShowFeedRow): Change => ({
  feed_key: key ?? '',
  address: address ?? '',
  show_id: id,
  is_removed: false,
});

/** Of a locked account; returns its rows as they are then. */
async function catchUp(
  client: PoolClient,
  accountId: number,
  { now, presets }: { now: Temporal.Instant; presets: number },
): Promise<readonly SubscriptionRow[]> {
  const state = await readState(client, accountId);
  const serials = serialsAfter(shown(state.rows).serial, now);
  let room = MAX_PRESETS - presets;
  const changed: SubscriptionRow[] = [];
  for (const { preset, ...row } of differences(state)) {
    // An account that is full keeps the address, and gets the show when there is room.
    if (preset && room <= 0) continue;
    if (preset) await saveShow(client, accountId, preset);
    room -= preset ? 1 : 0;
    changed.push({ ...row, serial: serials.next().value });
  }
  await writeSubscriptions(client, accountId, changed);
  return changed.length === 0 ? state.rows : listSubscriptionRows(client, accountId);
}

const saveShow = (client: PoolClient, accountId: number, { id, title }: ShowFeedRow): Promise<void> =>
  addPreset(client, accountId, undefined, { kind: 'p', itemId: id, label: labelOf(title) });

export interface SubscriptionChange {
  add: readonly string[];
  remove: readonly string[];
  now: Temporal.Instant;
}

export interface ChangedFeeds {
  /** Of the last change. */
  serial: number;
  /** Addresses that are kept in another spelling, and those that are not kept, which are empty then. */
  spelled: [given: string, kept: string][];
}

/** Begins and ends subscriptions, all or none. What is there already, or was never there, stays as it is. */
export async function changeSubscriptions(
  pool: Pool,
  accountId: number,
  { add, remove, now }: SubscriptionChange,
): Promise<ChangedFeeds> {
  const wanted = add.map((given) => ({ given, feed: parseFeedAddress(given) }));
  const unwanted = new Set(remove.flatMap((given) => parseFeedAddress(given)?.key ?? []));
  const keys = wanted.flatMap(({ feed }) => feed?.key ?? []);
  const shows = keys.length === 0 ? [] : await listShowsOfFeeds(pool, keys);
  const showByKey = new Map(shows.filter(({ listed }) => listed).map((show) => [show.feed_key, show]));
  return transaction(pool, async (client) => {
    const { preset_count: presets } = await lockAccount(client, accountId);
    const rows = await catchUp(client, accountId, { now, presets });
    const byKey = new Map(rows.map((row) => [row.feed_key, row]));
    const serials = serialsAfter(shown(rows).serial, now);
    const changed = new Map<string, SubscriptionRow>();
    for (const row of rows.filter((each) => !each.is_removed && unwanted.has(each.feed_key))) {
      if (row.show_id !== null) await removeShowPresets(client, accountId, row.show_id);
      changed.set(row.feed_key, { ...row, is_removed: true, serial: serials.next().value });
    }
    const spelled: ChangedFeeds['spelled'] = [];
    let room = MAX_PRESETS - presets;
    for (const { given, feed } of wanted) {
      const known = feed && (changed.get(feed.key) ?? byKey.get(feed.key));
      const kept = known && !known.is_removed ? known.address : (feed?.address ?? '');
      if (kept !== given) spelled.push([given, kept]);
      if (!feed || (known && !known.is_removed)) continue;
      const show = room > 0 ? showByKey.get(feed.key) : undefined;
      if (show) await saveShow(client, accountId, show);
      room -= show ? 1 : 0;
      changed.set(feed.key, {
        feed_key: feed.key,
        address: feed.address,
        show_id: show?.id ?? null,
        is_removed: false,
        serial: serials.next().value,
      });
    }
    const all = new Map([...byKey, ...changed]);
    if ([...all.values()].filter((row) => !row.is_removed).length > MAX_SUBSCRIPTIONS) throw tooMany();
    await writeSubscriptions(client, accountId, [...changed.values()]);
    return { serial: shown([...all.values()]).serial, spelled };
  });
}

const tooMany = (): Fault =>
  new Fault(400, undefined, `An account can have ${MAX_SUBSCRIPTIONS} podcasts; remove some first`);
