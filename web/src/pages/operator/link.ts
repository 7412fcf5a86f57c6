const NAME = 'longwave.operator-link';

/**
 * The token of the link that made an installation's operator come here. It waits in this tab while they sign in, and is
 * removed from the address at once, so that neither the history nor a glance at the screen reveals it.
 */
export function takeLink(): string | undefined {
  const [, token] = /^#([\w-]{43})$/.exec(location.hash) ?? [];
  if (token !== undefined) {
    history.replaceState(history.state, '', location.pathname);
    store(token);
  }
  return token ?? stored();
}

export function forgetLink(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Nothing was stored.
  }
}

function store(token: string): void {
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // Without storage, the operator signs in first and opens the link again.
  }
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined;
  } catch {
    return undefined;
  }
}
