import type { FilePart } from '../file-part.ts';
import type { RelayedStream } from '../../../core/streams/relay/relay-address.ts';
import type { PlaceRefusal } from '../admission.ts';

/**
 * Between the first process of a relay and those at work, beside what all commands of several processes say. Numbers tell which
 * connection was taken.
 */
export type RelayMessage =
  /** With a connection; numbered on its way to the process that is to take it. */
  | { relay: 'listener'; listener: HandedListener; number?: number }
  /** The same for a call that nobody has answered yet, and the place of the process that is to answer it. */
  | { relay: 'call'; call: HandedCall; owner: number; number?: number }
  | { relay: 'taken'; number: number }
  | { relay: 'leave'; place: number };

/** What a process asks the first one: may somebody listen, or be converted? */
export const ASK_PLACE = 'place';

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
