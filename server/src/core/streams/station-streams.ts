import type { StreamBoard } from '../directory/live/keep-streams.ts';
import type { DirectoryStation } from '../directory/snapshot/snapshot.ts';
import { chooseStreams, type Ranking } from './choose-streams.ts';
import { playAddress, type Player } from './player.ts';
import type { RelayCaller, RelayLinks } from './relay/relay-links.ts';
import { type OrderedStream, withRelayed } from './relay/relayed.ts';

export interface StationChoice {
  ranking: Ranking;
  /** What the player is given, the one to try first at the front; those through the relay among them. */
  order: readonly OrderedStream[];
}

/** The streams of a station, and what it says about relays. */
type RelayableStreams = Pick<DirectoryStation, 'streams'> & Partial<Pick<DirectoryStation, 'relay'>>;

/** Who asks, as far as it matters for where they are sent. */
export interface StreamCall {
  address: string;
  userAgent: string | undefined;
  /** `http://host`, by which they reached us. */
  origin: string;
  isSecure: boolean;
  nowMs: number;
}

/** A stream with where to send the player for it. */
export interface PlayableStream extends OrderedStream {
  target: string;
}

/** Which streams of a station a player is given, whatever protocol it asks in. */
export class StationStreams {
  readonly #board: Pick<StreamBoard, 'latest'> | undefined;
  readonly #relay: RelayLinks | undefined;

  /** Without a board, stream states are as old as the directory snapshot. Without a relay, nothing is relayed. */
  constructor(board?: Pick<StreamBoard, 'latest'>, relay?: RelayLinks) {
    this.#board = board;
    this.#relay = relay;
  }

  /** The relay serves the callers of some networks and partners only. */
  choose(
    { streams, relay }: RelayableStreams,
    player: Player,
    caller: Pick<RelayCaller, 'address' | 'partner'>,
  ): StationChoice {
    const board = this.#board;
    const latest = board === undefined ? streams : streams.map((stream) => board.latest(stream));
    const ranking = chooseStreams(latest, player);
    return { ranking, order: withRelayed(ranking, player, this.#relay?.reach(caller, relay)) };
  }

  /** All of it at once, for a caller that no partner sends. */
  listFor(
    station: RelayableStreams,
    player: Player,
    { userAgent = '', ...call }: StreamCall,
  ): { ranking: Ranking; playable: PlayableStream[] } {
    const caller = { ...call, partner: undefined };
    const { ranking, order } = this.choose(station, player, caller);
    const relayCaller = (): RelayCaller => ({ ...caller, id: `${call.address} ${userAgent}` });
    const playable = order.map((ordered) => ({
      ...ordered,
      target: this.addressOf(ordered, player, relayCaller),
    }));
    return { ranking, playable };
  }

  /** Where to send the player for a stream of the choice. */
  addressOf(ordered: OrderedStream, player: Player, caller: () => RelayCaller): string {
    const { stream, relayedFor } = ordered;
    if (relayedFor === undefined) return playAddress(stream, player);
    return this.#relay?.addressOf(ordered, caller()) ?? stream.address;
  }
}
