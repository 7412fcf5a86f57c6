import type { Pool } from 'pg';
import { announce, type AnnounceDeps } from '../../core/now-playing/announce.ts';
import { cleanSongText, splitSong } from '../../formats/song-text.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { networkOf } from '../../lib/network-of.ts';
import { type BucketLimits, TokenBuckets } from '../../lib/token-buckets.ts';
import { fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import {
  bodyText,
  plainEndpoint,
  type PlainAnswer,
  type PlainCall,
  type PlainEndpoint,
} from '../../net/http/endpoints/plain-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import {
  addAnnounced,
  MAX_OF_NETWORK,
  removeAnnounced,
  touchAnnounced,
} from '../../storage/catalog/streams/announced-streams.ts';
import { type YpDirectoryDeps, ypDirectory } from './directory.ts';
import { readAnnouncement } from './read-announcement.ts';

interface IntakeDeps extends AnnounceDeps {
  db: Pool;
  clock: Clock;
}

/** The protocol of Icecast's directory: `read` gives the directory only, `on` takes announcements too. */
export const yp = (mode: 'on' | 'read' | 'off', deps: IntakeDeps & YpDirectoryDeps): Protocol[] => [
  ...(mode === 'off' ? [] : [fileEndpoint(ypDirectory(deps))]),
  ...(mode === 'on' ? [plainEndpoint(intake(deps))] : []),
];

/** A call has a few hundred bytes. */
const MAX_BYTES = 16 * 1024;
/** How often a server is asked to say that it is still there. A new song it tells sooner, within a minute. */
const TOUCH_SECONDS = 180;
/** Per address: all streams of a server that starts, and each a few times over. */
const ADDS: BucketLimits = { perSecond: 1 / 30, burst: 40 };
/** Per stream; a server waits at least half a minute. */
const TOUCHES: BucketLimits = { perSecond: 1 / 10, burst: 10 };
const SID = /^[0-9a-f]{32}$/;

/** Icecast's `POST /cgi-bin/yp-cgi`: streams are announced, touched with their song, and removed. The answer is in its headers. */
function intake(deps: IntakeDeps): PlainEndpoint {
  const limits = { adds: new TokenBuckets(), touches: new TokenBuckets() };
  return { path: '/cgi-bin/yp-cgi', answer: (call) => receive(deps, limits, call) };
}

interface Limits {
  adds: TokenBuckets;
  touches: TokenBuckets;
}

async function receive(deps: IntakeDeps, limits: Limits, call: PlainCall): Promise<PlainAnswer> {
  if (call.method !== 'POST')
    throw new Fault(
      400,
      undefined,
      'Icecast announces its streams here by POST: put this address into <yp-url> of icecast.xml (docs/yp.md)',
    );
  const form = new URLSearchParams((await bodyText(call, MAX_BYTES)).trim());
  const action = form.get('action');
  if (action === 'add') return add(deps, limits.adds, call, form);
  const sid = form.get('sid') ?? '';
  if (action === 'touch') return touch(deps, limits.touches, sid, { form, call });
  if (action === 'remove')
    return SID.test(sid) && (await removeAnnounced(deps.db, sid))
      ? accepted('Removed')
      : refused(UNKNOWN_SID);
  return refused('The action is add, touch or remove');
}

async function add(
  { db, clock }: IntakeDeps,
  buckets: TokenBuckets,
  { address: caller }: PlainCall,
  form: URLSearchParams,
): Promise<PlainAnswer> {
  const network = networkOf(caller);
  if (buckets.take(network, ADDS, clock.elapsedMs()) > 0)
    return refused('Too many announcements from this address; announce each stream once');
  const read = readAnnouncement(form);
  if ('refused' in read) return refused(read.refused);
  const sid = await addAnnounced(db, { ...read, network, caller });
  if (sid === undefined)
    return refused(`No room: at most ${MAX_OF_NETWORK} streams of one address are listed; try again later`);
  return accepted('Added', ['SID', sid, 'TouchFreq', String(TOUCH_SECONDS)]);
}

const UNKNOWN_SID = 'Unknown SID, or nothing was heard of it for ten minutes: add it again';
const MAX_LISTENERS = 1_000_000_000;

async function touch(
  deps: IntakeDeps,
  buckets: TokenBuckets,
  sid: string,
  { form, call }: { form: URLSearchParams; call: PlainCall },
): Promise<PlainAnswer> {
  if (!SID.test(sid)) return refused(UNKNOWN_SID);
  if (buckets.take(sid, TOUCHES, deps.clock.elapsedMs()) > 0) return accepted('Touched; come again later');
  const title = form.get('st') ?? '';
  const count = /^\d{1,10}$/.test(form.get('listeners') ?? '') ? Number(form.get('listeners')) : undefined;
  const listeners = count === undefined ? undefined : Math.min(count, MAX_LISTENERS);
  const touched = await touchAnnounced(deps.db, sid, cleanSongText(title) || undefined, listeners);
  if (!touched) return refused(UNKNOWN_SID);
  const song = splitSong(title);
  // Anybody may announce a stream that is there; only its own host is believed what it plays, and a station's key before that.
  if (song && touched.proof === 'host' && touched.station_id !== null && !touched.has_key)
    await announce(deps, touched.station_id, song, call.now.epochMilliseconds);
  return accepted('Touched');
}

const accepted = (message: string, more: readonly string[] = []): PlainAnswer => ({
  status: 200,
  text: '',
  headers: ['YPResponse', '1', 'YPMessage', message, ...more],
});

/** Also by status 200: Icecast reads the headers of no other, and shows the message in its log. */
const refused = (message: string): PlainAnswer => ({
  status: 200,
  text: `${message}\n`,
  headers: ['YPResponse', '0', 'YPMessage', message.replaceAll(/[^ -~]/g, '?')],
});
