/** From this length on the runtime keeps a piece of a text as a place in the whole. */
const PIECE_LENGTH = 13;

/** The text without what it was cut from; for a piece of a call's address that is kept when the call is over. */
export const ownText = (text: string): string =>
  text.length < PIECE_LENGTH ? text : Buffer.from(text).toString();
