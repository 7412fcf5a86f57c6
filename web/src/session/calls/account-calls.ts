import { askSite } from './api.ts';
import type { Access, Helper, SiteAccount } from '../use-session.ts';

/** The listener's place: one of the suggested towns, or a postal code of the United States or Canada. */
export type PlaceChoice = { id: string } | { postal: string };

export interface FoundSession {
  account: SiteAccount | null;
  signIn: Access;
  isPlain?: boolean;
  forgotten?: Helper;
  /** A cached answer, because the service does not respond. */
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
  /** Required with a new e-mail address. */
  currentPassword?: string;
  password?: { old: string; new: string };
  place?: PlaceChoice;
  zone?: string;
  readByName?: boolean;
  language?: string;
}

export const findSession = (signal?: AbortSignal): Promise<FoundSession> => askSite('session', { signal });

export const signIn = (body: { username: string; password: string }): Promise<void> =>
  askSite('sign-in', { method: 'POST', body });

export const signOut = (): Promise<void> => askSite('sign-out', { method: 'POST' });

export const register = (body: NewSiteAccount): Promise<void> =>
  askSite('register', { method: 'POST', body });

/** To the owner of the account with this name or e-mail address, if there is one. */
export const sendLink = (who: string): Promise<{ minutes: number }> =>
  askSite('forgotten', { method: 'POST', body: { who } });

/** Signs in, too. */
export const chooseByLink = (body: { username: string; token: string; password: string }): Promise<void> =>
  askSite('new-password', { method: 'POST', body });

export const changeAccount = (body: AccountChange): Promise<void> => askSite('me', { method: 'PATCH', body });

export const deleteAccount = (password: string): Promise<void> =>
  askSite('me', { method: 'DELETE', body: { password } });

/** Where the browser downloads everything that is stored about an account. */
export const ACCOUNT_EXPORT = '/listen/api/me/export';

/** A new short password for radios; it is sent only this once. */
export const newDevicePassword = (): Promise<{ password: string }> =>
  askSite('me/device-password', { method: 'POST' });
