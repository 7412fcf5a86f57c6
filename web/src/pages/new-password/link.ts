/** What the link in a letter holds behind its `#`. */
export interface PasswordLink {
  username: string;
  token: string;
}

/** Undefined for one that lost a part on its way, as links do that a mail program breaks in two. */
export function parseLink(hash: string): PasswordLink | undefined {
  const [, username, token] = /^#([A-Za-z0-9]{1,12})\.([\w-]{43})$/.exec(hash) ?? [];
  return username !== undefined && token !== undefined ? { username, token } : undefined;
}
