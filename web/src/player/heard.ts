import { withPlayed } from '../saved/lists.ts';
import { saved } from '../saved/saved.ts';
import type { Engine } from './engine/engine.ts';
import type { PlayerItem, PlayerState } from './engine/state.ts';

/** Of this tab: a reload goes on with it, another tab does not begin to play by itself. */
const NAME = 'longwave.heard';

const isOn = ({ status }: PlayerState): boolean => status === 'playing' || status === 'loading';

/** Saves what is heard: for a reload of this tab, and for the list of what was played. */
export function rememberHeard(player: Pick<Engine, 'state' | 'subscribe'>): void {
  let last = '';
  let lastPlayed: string | undefined;
  player.subscribe(() => {
    const { item, status } = player.state;
    const text = item ? JSON.stringify({ item, isOn: isOn(player.state) }) : '';
    if (text !== last) store(text);
    last = text;
    if (item && status === 'playing' && item.guideId !== lastPlayed) addPlayed(item);
    if (status !== 'loading') lastPlayed = status === 'playing' ? item?.guideId : undefined;
  });
}

/** Goes on with what this tab played before it was reloaded; browsers that want a press of play first are given one. */
export function resumeHeard(player: Pick<Engine, 'play' | 'offer'>): void {
  const heard = parseHeard(stored());
  if (!heard) return;
  if (heard.isOn) player.play(heard.item);
  else player.offer(heard.item);
}

function addPlayed({ kind, guideId, name, subtext = '', address }: PlayerItem): void {
  if (address !== undefined) return;
  void saved.change('played', (list) => withPlayed(list, { kind, guideId, name, subtext, at: Date.now() }));
}

/** An invalid value counts as missing. */
export function parseHeard(text: string | null): { item: PlayerItem; isOn: boolean } | undefined {
  try {
    const { item, isOn: wasOn } = JSON.parse(text ?? '');
    const isItem = typeof item.name === 'string' && /^[a-z]\d+$/.test(item.guideId);
    return isItem && KINDS.has(item.kind) ? { item, isOn: wasOn === true } : undefined;
  } catch {
    return undefined;
  }
}

const KINDS: ReadonlySet<unknown> = new Set(['station', 'topic']);

/** Storage may be disabled: then a reload begins in silence. */
function store(text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(NAME);
    else sessionStorage.setItem(NAME, text);
  } catch {
    // As above.
  }
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}
