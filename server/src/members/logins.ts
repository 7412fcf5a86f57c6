/** Checks a name and a password. */
export interface Logins {
  /**
   * The account's id, or undefined when the two do not fit, in the same time whether there is such a name or not. Throws a
   * fault with a time to wait when there are too many at once or too many wrong ones.
   */
  verify(credentials: Credentials): Promise<number | undefined>;
}

export interface Credentials {
  username: string;
  password: string;
  /** Where the call comes from, as the service saw it itself; never what a header says. */
  address: string;
}
