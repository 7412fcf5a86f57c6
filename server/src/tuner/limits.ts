/** How far one goes to hear a stream; `docs/tuning-in.md` says the same. */
export const TUNING = {
  deadlineMs: 15_000,
  /** How long one server is waited for, of all the time there is: for its answer, and for the first sound. */
  patience: 1 / 3,
  redirects: 5,
  /** One in the other. */
  playlists: 3,
  /** Players go on to the next when an address of a playlist is dead; few of them far. */
  addressesTried: 3,
  playlistBytes: 64 * 1024,
  hlsBytes: 2 ** 20,
  /** In all, whatever leads to whatever. */
  connections: 20,
};
