import { askSite } from './api.ts';

/** How an installation is doing, for who looks after it. */
export interface Installation {
  stations: number;
  home: { place: string; isGuess: boolean } | null;
  sources: { name: string; readAt: string | null; trouble: string | null }[];
  radios: HouseRadio[];
}

/** A device that called lately, paired with an account or not. */
export interface HouseRadio {
  address: string;
  device: string;
  partnerId: string;
  agent: string;
  seenAt: string;
  /** Why it does not play, and what to do about it; in English. */
  trouble: { text: string; mend: string } | null;
  calls: { at: string; what: string; status: number; answer?: string }[];
}

/** How far the first run is. */
export interface Setup {
  step: string;
  done: number;
}

export const findInstallation = (signal?: AbortSignal): Promise<Installation> =>
  askSite('operator', { signal });

/** By the link that the installation printed. */
export const becomeOperator = (token: string): Promise<void> =>
  askSite('operator', { method: 'POST', body: { token } });

/** Null when it is not running. */
export const findSetup = async (signal?: AbortSignal): Promise<Setup | null> =>
  (await askSite<{ setup: Setup | null }>('setup', { signal })).setup;
