import {
  DEVICE_KINDS,
  listAppDevices,
  MAX_APP_DEVICES,
  writeAppDevice,
} from '../../core/accounts/subscriptions/app-devices.ts';
import {
  addEpisodeActions,
  type EpisodeAction,
  type EpisodeActionRow,
  listEpisodeActions,
} from '../../core/accounts/subscriptions/episode-actions.ts';
import { parseFeedAddress } from '../../core/accounts/subscriptions/subscription-rows.ts';
import { changeSubscriptions, listSubscriptions } from '../../core/accounts/subscriptions/subscriptions.ts';
import { cleanMarkupText } from '../../formats/opml/characters.ts';
import { Fault } from '../../lib/fault.ts';
import type { BodyCall } from '../../net/http/endpoints/body-endpoint.ts';
import { readAddresses, readJson, readObject, readSince } from './read-request.ts';
import type { Accounts } from './sign-in.ts';

/** A call of somebody who is signed in. */
export interface AccountCall extends BodyCall {
  accountId: number;
  accounts: Accounts;
}

const MAX_ACTIONS = 2000;
const MAX_CAPTION_LENGTH = 100;

export async function listDevices({ accounts: { pool }, accountId, now }: AccountCall): Promise<unknown> {
  const devices = await listAppDevices(pool, accountId);
  // One list for all devices, so each of them has as many.
  const { active } = await listSubscriptions(pool, accountId, now);
  return devices.map(({ device, caption, kind }) => ({
    id: device,
    caption,
    type: kind,
    subscriptions: active.length,
  }));
}

export async function describeDevice(call: AccountCall, device: string): Promise<void> {
  const { caption, type } = call.body.length === 0 ? {} : readObject(call);
  if (caption !== undefined && caption !== null && typeof caption !== 'string')
    throw new Fault(400, undefined, "'caption' is a text");
  const kind = DEVICE_KINDS.find((each) => each === type);
  if (type !== undefined && type !== null && !kind)
    throw new Fault(400, undefined, `'type' is one of ${DEVICE_KINDS.join(', ')}`);
  const text = caption ?? undefined;
  await knowDevice(call, device, {
    caption:
      text === undefined
        ? undefined
        : cleanMarkupText(text).trim().slice(0, MAX_CAPTION_LENGTH).toWellFormed(),
    kind,
  });
}

async function knowDevice(
  { accounts: { pool }, accountId }: AccountCall,
  device: string,
  more: Omit<Parameters<typeof writeAppDevice>[2], 'device'> = {},
): Promise<void> {
  if (!(await writeAppDevice(pool, accountId, { device, ...more })))
    throw new Fault(
      400,
      undefined,
      `An account can have ${MAX_APP_DEVICES} devices; use the name of one that is there already`,
    );
}

export async function listFeeds({ accounts: { pool }, accountId, now }: AccountCall): Promise<string[]> {
  const { active } = await listSubscriptions(pool, accountId, now);
  return active.map(({ address }) => address);
}

/** The list becomes this one. */
export async function putFeeds(call: AccountCall, device: string, feeds: readonly string[]): Promise<void> {
  const { accounts, accountId, now } = call;
  await knowDevice(call, device);
  const wanted = new Set(feeds.map((feed) => parseFeedAddress(feed)?.key));
  const { active } = await listSubscriptions(accounts.pool, accountId, now);
  const remove = active.filter((row) => !wanted.has(row.feed_key)).map(({ address }) => address);
  await changeSubscriptions(accounts.pool, accountId, { add: feeds, remove, now });
}

/** Whoever asks for the first time has nothing to remove. */
export async function listFeedChanges(call: AccountCall): Promise<unknown> {
  const { accounts, accountId, now } = call;
  const since = readSince(call);
  const { active, ended, serial } = await listSubscriptions(accounts.pool, accountId, now);
  const isNew = (row: { serial: number }): boolean => row.serial > since;
  return {
    add: active.filter(isNew).map(({ address }) => address),
    remove: since === 0 ? [] : ended.filter(isNew).map(({ address }) => address),
    timestamp: Math.max(since, serial),
  };
}

export async function changeFeeds(call: AccountCall, device: string): Promise<unknown> {
  const { accounts, accountId, now } = call;
  const body = readObject(call);
  const add = readAddresses(body['add'], 'add');
  const remove = readAddresses(body['remove'], 'remove');
  if (add.some((address) => remove.includes(address)))
    throw new Fault(400, undefined, 'The same feed is to be added and removed; decide on one of them');
  await knowDevice(call, device);
  const { serial, spelled } = await changeSubscriptions(accounts.pool, accountId, { add, remove, now });
  return { timestamp: serial, update_urls: spelled };
}

export async function listActions(call: AccountCall): Promise<unknown> {
  const { accounts, accountId, query } = call;
  const since = readSince(call);
  const rows = await listEpisodeActions(accounts.pool, accountId, {
    since,
    podcast: query.get('podcast')?.toWellFormed().replaceAll('\0', '') ?? undefined,
    device: query.get('device')?.toWellFormed().replaceAll('\0', '') ?? undefined,
  });
  const isAggregated = query.get('aggregated')?.toLowerCase() === 'true';
  const latest = isAggregated ? [...new Map(rows.map((row) => [row.episode_key, row])).values()] : rows;
  return { actions: latest.map(writeAction), timestamp: rows.at(-1)?.serial ?? since };
}

function writeAction(row: EpisodeActionRow): object {
  const { podcast, episode, action, device, happened_at: at, started, position, total } = row;
  return {
    podcast,
    episode,
    action,
    ...(device !== '' && { device }),
    ...(at && { timestamp: at.toString({ smallestUnit: 'second' }).replace('Z', '') }),
    ...(position !== null && { started: started ?? 0, position, total: total ?? position }),
  };
}

export async function addActions(call: AccountCall): Promise<unknown> {
  const { accounts, accountId, now } = call;
  const given = readJson(call);
  if (!Array.isArray(given) || given.length > MAX_ACTIONS)
    throw new Fault(400, undefined, `Send a list of actions, ${MAX_ACTIONS} at most`);
  const read = given.map(readAction);
  const actions = read.flatMap((action) => ('refused' in action ? [] : action));
  const timestamp = await addEpisodeActions(accounts.pool, accountId, { actions, now });
  // What is no address is not kept, and the app is told so by an empty one.
  const refused = new Set(read.flatMap((action) => ('refused' in action ? action.refused : [])));
  return { timestamp, update_urls: [...refused].map((address) => [address, '']) };
}

const ACTIONS = ['download', 'delete', 'play', 'new', 'flattr'];
const MAX_DEVICE_LENGTH = 100;
const MAX_SECONDS = 2 ** 31 - 1;

function readAction(given: unknown): EpisodeAction | { refused: string[] } {
  if (typeof given !== 'object' || given === null) throw new Fault(400, undefined, 'An action is an object');
  const {
    podcast,
    episode,
    action,
    device,
    timestamp,
    started,
    position,
    total,
  }: Readonly<Record<string, unknown>> = {
    ...given,
  };
  const kind = typeof action === 'string' ? action.toLowerCase() : '';
  if (!ACTIONS.includes(kind)) throw new Fault(400, undefined, `'action' is one of ${ACTIONS.join(', ')}`);
  if (typeof podcast !== 'string' || typeof episode !== 'string')
    throw new Fault(400, undefined, "An action has the addresses of its 'podcast' and 'episode'");
  const refused = [podcast, episode].filter((address) => parseFeedAddress(address) === undefined);
  if (refused.length > 0) return { refused };
  const isPlay = kind === 'play';
  return {
    podcast: podcast.trim(),
    episode: episode.trim(),
    action: kind,
    device:
      typeof device === 'string' ? cleanMarkupText(device).slice(0, MAX_DEVICE_LENGTH).toWellFormed() : '',
    happened_at: typeof timestamp === 'string' ? instantOf(timestamp) : null,
    started: isPlay ? secondsOf(started) : null,
    position: isPlay ? secondsOf(position) : null,
    total: isPlay ? secondsOf(total) : null,
  };
}

const MAX_INSTANT = Temporal.Instant.from('2200-01-01T00:00:00Z');
const MIN_INSTANT = Temporal.Instant.from('2000-01-01T00:00:00Z');

/** Without a zone it is UTC. A clock that is centuries wrong says nothing. */
function instantOf(text: string): Temporal.Instant | null {
  try {
    const instant = Temporal.Instant.from(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
    const isLikely =
      Temporal.Instant.compare(instant, MIN_INSTANT) >= 0 &&
      Temporal.Instant.compare(instant, MAX_INSTANT) < 0;
    return isLikely ? instant : null;
  } catch {
    return null;
  }
}

/** Apps send -1 for what they do not know. */
const secondsOf = (value: unknown): number | null => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 && number <= MAX_SECONDS ? Math.floor(number) : null;
};
