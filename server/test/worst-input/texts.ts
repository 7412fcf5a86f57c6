/** What every reader is tried with: signs that open something, separate something or may be passed over in two ways. */
const PIECES = [
  ...Array.from(' \t\r\n\0<>&=;:,.-_/\\|\'"()[]{}#%@+*?!1aAé\u3042\u00a0\u200b\u0301'),
  '\r\n',
  '<!',
  '<?',
  '<a ',
  '</',
  '&a',
  '&#1;',
  '&amp;',
  'a=',
  'a="',
  '=""',
  '":',
  ', ',
  ' - ',
  '%2',
  '%41',
  '1.',
  '1,',
  '://',
  'http://a/',
  '?a&',
  '\\"',
  '[{',
  '{"a":',
  'a ',
  ' a',
  '\ud83d',
  '\u{1f1e9}',
  ' \n',
  '\n ',
  '"\n',
];
/** Where an expression may end in any of many places, and none of them is right. */
const RUNS = [' ', '\t', '\n', 'a', '1', '-', '/', '.', '"', '\u00a0'];
const LINE_RUNS = [' ', 'a', '-', '/'];

export const KILOBYTES_64 = 65_536;

const fill = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** What leads into a reader and what ends its text: `['{"title":"', '"}']`. */
export type Frame = readonly [before: string, after: string];

/** A text of a shape that some reader might take the square of its length for. */
export type LongText = (length: number) => string;

/** All such shapes inside of a frame. */
export function longTexts([before, after]: Frame, more: readonly string[]): LongText[] {
  const framed =
    (inner: (room: number) => string): LongText =>
    (length) =>
      before + inner(length - before.length - after.length) + after;
  const begun = ['', ...more];
  return [
    ...[...PIECES, ...more].map((piece) => framed((room) => fill(piece, room))),
    ...begun.flatMap((piece) =>
      RUNS.map((run) => framed((room) => `${piece}${fill(run, room - piece.length - 1)}!`)),
    ),
    // In lines, since what is bounded for one line may add up.
    ...begun.flatMap((piece) =>
      LINE_RUNS.map((run) => framed((room) => fill(`${piece}${fill(run, 1900)}!\n`, room))),
    ),
  ];
}
