import { askSite } from '../../session/calls/api.ts';

/** An app that has a password of its own. */
export interface SiteApp {
  id: string;
  app: string;
  /** When it last signed in, as an instant; null if it never did. */
  lastUsed: string | null;
}

export const listApps = async (signal?: AbortSignal): Promise<SiteApp[]> =>
  (await askSite<{ apps: SiteApp[] }>('apps', { signal })).apps;

/** The password is sent only this once. */
export const makeAppPassword = (app: string): Promise<{ password: string }> =>
  askSite('apps', { method: 'POST', body: { app } });

export const endAppPassword = (id: string): Promise<void> =>
  askSite(`apps/${encodeURIComponent(id)}`, { method: 'DELETE' });
