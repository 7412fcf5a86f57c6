import { DirectoryFault, type Menu, type Outline, callUrl } from '@longwave/client';
import { keep, kept } from '../app/kept.ts';
import { onReturn } from '../app/on-return.ts';
import { directoryIn } from '../directory/client.ts';
import { DEFAULT_LANGUAGE } from '../i18n/languages.ts';
import { Engine } from './engine/engine.ts';
import { goOn } from './go-on.ts';
import { showInSystem } from './media-session.ts';
import type { Failure, Tuned } from './engine/deps.ts';
import { nowSong } from './now-song.ts';
import { openHls } from './engine/open-hls.ts';
import { rememberHeard, resumeHeard } from './heard.ts';
import { KeptPositions, takeOver } from './positions.ts';
import { isReachable } from './engine/reachable.ts';
import { keepSpeed } from './speed.ts';
import type { PlayerItem, PlayerStream } from './engine/state.ts';

/** The directory's device profile for browsers; not every browser identifies itself as one. */
const DEVICE = 'web';
const REPORT_DEADLINE_MS = 10_000;
const NOTHING: Tuned = { streams: [], isIncompatible: false };

const directory = directoryIn(DEFAULT_LANGUAGE);

async function tune({ guideId }: PlayerItem, signal: AbortSignal): Promise<Tuned> {
  const params = { id: guideId, device: DEVICE };
  const url = callUrl({ baseUrl: location.origin }, '/Tune.ashx', params).toString();
  try {
    return toTuned(await directory.follow({ url, text: guideId }, { signal }));
  } catch (error) {
    // It has none, and a retry will not change that.
    if (error instanceof DirectoryFault && (error.status === 400 || error.status === 404)) return NOTHING;
    throw error;
  }
}

/** Tune's answer. With a reason, its only stream is a spoken announcement, which the page shows as text instead. */
function toTuned({ outlines }: Menu): Tuned {
  const isAnnouncement = outlines.some(({ described }) => (described?.fields['reason'] ?? '') !== '');
  if (isAnnouncement) return { streams: [], isIncompatible: outlines.some(isForOthers) };
  return { streams: outlines.map(toStream).filter(({ address }) => address !== ''), isIncompatible: false };
}

/** The reason is for developers, and begins like this if there are streams for other devices. */
const isForOthers = ({ described }: Outline): boolean =>
  (described?.fields['reason'] ?? '').startsWith('No stream for');

function toStream({ described }: Outline): PlayerStream {
  const {
    url = '',
    guide_id: guideId = '',
    media_type: mediaType = '',
    bitrate = '',
    is_relayed: isRelayed,
  } = described?.fields ?? {};
  return { address: url, guideId, mediaType, bitrate: Number(bitrate) || 0, isRelayed: isRelayed === 'true' };
}

function report({ guideId }: PlayerItem, { address }: PlayerStream, { message, code }: Failure): void {
  const failed = { id: guideId, url: address, error: code, message };
  // A lost report is not worth disturbing the listener.
  directory.report.stream(failed, { signal: AbortSignal.timeout(REPORT_DEADLINE_MS) }).catch(() => {});
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

function keptVolume(): number {
  const volume = Number.parseFloat(kept('volume') ?? '');
  return volume >= 0 && volume <= 1 ? volume : 1;
}

takeOver();
export const sound = new Audio();
sound.preload = 'none';

/** The one player of the site. It belongs to no page, so that none can interrupt it. */
export const player = new Engine(
  {
    sound,
    tune,
    report,
    openHls: (...given) => openHls(sound, ...given),
    positions: new KeptPositions(),
    isSecurePage: location.protocol === 'https:',
    isOnline: () => navigator.onLine,
    isReachable,
    onReturn,
    now: () => performance.now(),
    wallNow: () => Date.now(),
    after,
  },
  keptVolume(),
);

player.subscribe(() => {
  const volume = String(player.state.volume);
  if (volume !== kept('volume')) keep('volume', volume);
});
nowSong.of(player);
showInSystem(player, nowSong);
keepSpeed(player, sound);
goOn(player);
rememberHeard(player);
resumeHeard(player);
// Closed, reloaded or moved to the background by a phone, which may end it without further notice.
addEventListener('pagehide', player.keepPlace);
document.addEventListener('visibilitychange', player.keepPlace);
