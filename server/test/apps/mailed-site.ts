import assert from 'node:assert/strict';
import { type MailServer, openMailServer } from '../servers/mail-server.ts';
import { type SiteApp, siteApp } from './site-app.ts';

export interface MailedSite extends AsyncDisposable {
  mail: MailServer;
  site: SiteApp;
}

/** The site's API with a mail server of its own. */
export async function mailedSite(): Promise<MailedSite> {
  await using opened = new AsyncDisposableStack();
  const mail = opened.use(await openMailServer());
  const site = opened.use(await siteApp({ mailer: mail.mailer }));
  const both = opened.move();
  return { mail, site, [Symbol.asyncDispose]: () => both.disposeAsync() };
}

/** Where the letters to somebody who registered go. */
export const mailboxOf = (username: string): string => `${username.toLowerCase()}@mail.example`;

/** What a letter about a forgotten password leads to. */
export interface PasswordLink {
  host: string;
  username: string;
  token: string;
}

export const PASSWORD_LINK = /https?:\/\/([^/\s]+)\/listen\/new-password#(\w+)\.([\w-]{43})(?![\w-])/;

export function linkIn(text = ''): PasswordLink {
  const [, host = '', username = '', token = ''] =
    PASSWORD_LINK.exec(text) ?? assert.fail(`no link in ${text}`);
  return { host, username, token };
}
