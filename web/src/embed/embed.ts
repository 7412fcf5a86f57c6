import { type Song, holdsSeconds, readNowPlaying, songText } from '../items/songs/song.ts';
import { onReturn } from '../app/on-return.ts';
import type { Tuned } from '../player/engine/deps.ts';
import { Engine } from '../player/engine/engine.ts';
import { openHls } from '../player/engine/open-hls.ts';
import { isReachable } from '../player/engine/reachable.ts';
import type { PlayerItem, PlayerState } from '../player/engine/state.ts';
import { readTune } from './read-tune.ts';
// oxlint-disable-next-line no-unassigned-import -- its style sheet, which the build writes beside it
import './embed.css';

// The player in other people's pages. The server writes the page with the station in it; this makes its button play.
// It knows no account, keeps nothing in the browser, and is told by nobody what it is framed in.

const DEADLINE_MS = 10_000;

const find = <T extends Element>(selector: string, type: new () => T): T => {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}`);
  return found;
};

const button = find('button', HTMLButtonElement);
const line = find('[aria-live]', HTMLElement);
const { station = '', name = '', play = '', pause = '', trouble = '', loading = '' } = button.dataset;
const item: PlayerItem = { kind: 'station', guideId: station, name };

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  return fetch(`${path}&id=${station}&render=json`, {
    credentials: 'omit',
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  });
}

const tune = async (_item: PlayerItem, signal: AbortSignal): Promise<Tuned> =>
  readTune(await (await ask('/Tune.ashx?device=web', signal)).json());

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

const audio = new Audio();
audio.preload = 'none';
const player = new Engine({
  sound: audio,
  tune,
  // A page that frames this could make it report whatever it likes.
  report: () => {},
  openHls: (...given) => openHls(audio, ...given),
  positions: { find: () => undefined, set: () => {}, forget: () => {} },
  isSecurePage: location.protocol === 'https:',
  isOnline: () => navigator.onLine,
  isReachable,
  onReturn,
  now: () => performance.now(),
  wallNow: () => Date.now(),
  after,
});

let song = line.textContent ?? '';
let stopAsking: (() => void) | undefined;

const isOn = ({ status }: PlayerState): boolean => status === 'playing' || status === 'loading';

function show(): void {
  const { status } = player.state;
  button.dataset['status'] = status;
  button.setAttribute('aria-label', isOn(player.state) ? pause : play);
  const said = status === 'failed' ? trouble : status === 'loading' ? loading : song;
  if (line.textContent !== said) line.textContent = said;
}

/** Only while it is heard: pages of others are open by the thousand. */
async function followSong(): Promise<void> {
  const seconds = await askSong().catch(() => 60);
  if (stopAsking) stopAsking = after(seconds * 1000, () => void followSong());
}

async function askSong(): Promise<number> {
  const response = await ask('/Describe.ashx?c=nowplaying');
  const now: Song | undefined = readNowPlaying(await response.json());
  song = now ? songText(now) : '';
  show();
  return holdsSeconds(response.headers.get('cache-control'));
}

player.subscribe(() => {
  const isHeard = player.state.status === 'playing';
  if (isHeard && !stopAsking) {
    stopAsking = () => {};
    void followSong();
  } else if (!isHeard && stopAsking) {
    stopAsking();
    stopAsking = undefined;
  }
  show();
});
button.addEventListener('click', () => (player.state.item ? player.toggle() : player.play(item)));
button.disabled = false;
