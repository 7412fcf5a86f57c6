/** A song as a stream names it. */
export interface SongText {
  artist?: string;
  title: string;
  album?: string;
}

export const LONGEST_TEXT = 256;
/** Controls, what turns the direction of the writing, and marks without a width: nothing that is read aloud. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\0-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060-\u2069\ufeff]+/g;
const SPACES = /\s+/g;
/** Far more than is kept, and little enough that what comes before the first letter does not matter. */
const LONGEST_READ = 4096;

/** Nearly all there is: nothing to be taken out, and to look is a tenth of the work. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

export const withoutHidden = (text: string): string =>
  PLAIN.test(text) ? text : text.toWellFormed().replace(HIDDEN, ' ');

/** A line of somebody else's as it may be shown: one line, without what hides or turns text, cut between letters. */
export function cleanText(text: string): string {
  if (text.length <= LONGEST_TEXT && PLAIN.test(text)) return text;
  const line = withoutHidden(text.slice(0, LONGEST_READ)).replace(SPACES, ' ').trim();
  return line
    .slice(0, LONGEST_TEXT)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** The song of these texts, or nothing where no title is left of them. */
export function songOf(texts: {
  artist?: string | undefined;
  title?: string | undefined;
  album?: string | undefined;
}): SongText | undefined {
  const [artist, title, album] = [texts.artist, texts.title, texts.album].map((text) =>
    cleanText(text ?? ''),
  );
  if (!title) return undefined;
  return { ...(artist ? { artist } : {}), title, ...(album ? { album } : {}) };
}
