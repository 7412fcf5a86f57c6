/** Checks a name and a password. */
export interface Logins {
  /**
   * The account, or undefined when the two do not fit, in the same time whether there is such a name or not. Throws a
   * fault with a time to wait when there are too many at once or too many wrong ones.
   */
  verify(credentials: Credentials): Promise<Verified | undefined>;
}

export interface Verified {
  accountId: number;
  /** What the password fitted, as it is stored: whoever goes on for longer than this call asks whether it still is. */
  passwordHash: string;
}

export interface Credentials {
  username: string;
  password: string;
  /** Where the call comes from, as the service saw it itself; never what a header says. */
  address: string;
  /** Which of an account's two passwords is meant; a radio's unless told. Wrong ones are counted together. */
  door?: Door | undefined;
}

/**
 * A radio sends the device password, short and often in the clear. The site has one of its own, and as long as an account
 * has none, the device password opens the site too.
 */
export type Door = 'radio' | 'site';
