import { askSite } from './api.ts';
import type { Door, Helper, SiteAccount } from './use-session.ts';

/** Where somebody lives: one of the towns that were suggested, or a postal code of the United States or Canada. */
export type PlaceChoice = { id: string } | { postal: string };

export interface Found {
  account: SiteAccount | null;
  signIn: Door;
  forgotten?: Helper;
  /** It is what was last seen, because the service does not answer. */
  isKept?: true;
}

export interface NewSiteAccount {
  username: string;
  password: string;
  email: string;
  place: PlaceChoice;
  language: string;
}

export interface AccountChange {
  email?: string;
  /** Goes with another e-mail address. */
  currentPassword?: string;
  password?: { old: string; new: string };
  place?: PlaceChoice;
  zone?: string;
  readByName?: boolean;
  language?: string;
}

export const findSession = (signal?: AbortSignal): Promise<Found> => askSite('session', { signal });

export const signIn = (body: { username: string; password: string }): Promise<void> =>
  askSite('sign-in', { method: 'POST', body });

export const signOut = (): Promise<void> => askSite('sign-out', { method: 'POST' });

export const register = (body: NewSiteAccount): Promise<void> =>
  askSite('register', { method: 'POST', body });

/** To whom the account belongs that is named so, or has this e-mail address, if there is one. */
export const sendLink = (who: string): Promise<{ minutes: number }> =>
  askSite('forgotten', { method: 'POST', body: { who } });

/** Signs in, too. */
export const chooseByLink = (body: { username: string; token: string; password: string }): Promise<void> =>
  askSite('new-password', { method: 'POST', body });

export const changeAccount = (body: AccountChange): Promise<void> => askSite('me', { method: 'PATCH', body });

export const deleteAccount = (password: string): Promise<void> =>
  askSite('me', { method: 'DELETE', body: { password } });

/** Where the browser fetches everything that is kept of an account. */
export const ACCOUNT_EXPORT = '/listen/api/me/export';

/** A new short password for radios; it is told this once. */
export const newDevicePassword = (): Promise<{ password: string }> =>
  askSite('me/device-password', { method: 'POST' });
