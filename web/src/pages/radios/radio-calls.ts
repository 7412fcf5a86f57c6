import { askSite } from '../../session/calls/api.ts';

/** A radio that is paired with the account. */
export interface Radio {
  id: string;
  name: string;
  /** When it last called, as an instant; null if it has not since it was paired. */
  lastSeen: string | null;
  partner: string;
  profile: string | null;
  /** Whether its model is one that Longwave has a description of. */
  isKnown: boolean;
  /** When it was unpaired; this can be undone for a while. */
  droppedAt: string | null;
  isWell: boolean;
  /** Its state in words. */
  sentence: string;
}

/** The key that was pressed, as far as a call tells. */
export type RadioKey = 'play' | 'knob' | 'search' | 'preset' | 'power';

/** Something that a radio did, in a sentence. */
export interface RadioAct {
  /** The last time. */
  at: string;
  sentence: string;
  /** How often in a row. */
  count: number;
  key: RadioKey;
  /** What went wrong and what to do about it. */
  trouble?: string;
}

const at = (id: string): string => encodeURIComponent(id);

export const listRadios = async (signal?: AbortSignal): Promise<Radio[]> =>
  (await askSite<{ radios: Radio[] }>('radios', { signal })).radios;

/** By the code that the radio shows. */
export const pairRadio = (code: string): Promise<void> =>
  askSite('radios/pair', { method: 'POST', body: { code } });

export const renameRadio = (id: string, name: string): Promise<void> =>
  askSite(`radios/${at(id)}`, { method: 'PATCH', body: { name } });

export const dropRadio = (id: string): Promise<void> => askSite(`radios/${at(id)}`, { method: 'DELETE' });

/** Undoes the last pairing or unpairing, for thirty days. */
export const undoRadio = (id: string): Promise<void> => askSite(`radios/${at(id)}/undo`, { method: 'POST' });

export const listActs = async (id: string, signal?: AbortSignal): Promise<RadioAct[]> =>
  (await askSite<{ acts: RadioAct[] }>(`radios/${at(id)}/requests`, { signal })).acts;
