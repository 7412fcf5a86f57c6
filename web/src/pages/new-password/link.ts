/** The fragment of the link in a password mail. */
export interface PasswordLink {
  username: string;
  token: string;
}

/** Undefined if a part is missing, as when a mail program breaks a link in two. */
export function parseLink(hash: string): PasswordLink | undefined {
  const [, username, token] = /^#([A-Za-z0-9]{1,12})\.([\w-]{43})$/.exec(hash) ?? [];
  return username !== undefined && token !== undefined ? { username, token } : undefined;
}
