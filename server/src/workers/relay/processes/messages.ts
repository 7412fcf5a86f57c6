import type { FilePart } from '../file-part.ts';
import type { RelayedStream } from '../../../core/streams/relay/relay-address.ts';
import type { MetricsReport } from '../../../net/http/metrics.ts';
import type { PlaceClaim, PlaceRefusal } from '../admission.ts';

/** Between the first process of a relay and those at work. Numbers tell which answer belongs to which question. */
export type RelayMessage =
  | { relay: 'ready' }
  | { relay: 'hand over' }
  /** With a connection; numbered on its way to the process that is to take it. */
  | { relay: 'listener'; listener: HandedListener; number?: number }
  /** The same for a call that nobody has answered yet, and the place of the process that is to answer it. */
  | { relay: 'call'; call: HandedCall; owner: number; number?: number }
  | { relay: 'taken'; number: number }
  /** May somebody listen, or be converted? */
  | { relay: 'take'; ask: number; claim: PlaceClaim }
  | { relay: 'place'; ask: number; answer: PlaceAnswer }
  | { relay: 'leave'; place: number }
  /** What do all of them count? */
  | { relay: 'gather'; ask: number }
  | { relay: 'gathered'; ask: number; reports: MetricsReport[] }
  | { relay: 'report'; round: number }
  | { relay: 'reported'; round?: number; report: MetricsReport };

export type PlaceAnswer = { place: number } | PlaceRefusal;

/** A listener in the middle of the sound, between two frames, and with titles between two units. */
export interface HandedListener {
  streamId: number;
  who: string;
  peer: string;
  /** Set for one who is not at home: whose radio it is. */
  partner?: string | undefined;
  /** What the device calls itself. */
  agent?: string | undefined;
  variant: RelayedStream['variant'];
  wantsTitles: boolean;
  /** Set for a device that plays files alone: what it asked for, or what is left of that. */
  file?: FilePart | undefined;
  /** The number of its place, which it keeps. */
  place?: number | undefined;
}

/** A call whose request was read, and which is answered elsewhere. */
export interface HandedCall extends Omit<HandedListener, 'place'> {
  isHead: boolean;
}
