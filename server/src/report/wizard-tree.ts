import type { GuideLetter } from '../lib/guide-id.ts';
import type { MessageKey } from '../words/messages.ts';

/** One answer to "what is wrong", and narrower ones behind it. Without those it is the end of a path. */
export interface Choice {
  /** As it stands in the link; a path is `silent,stops`. */
  name: string;
  words: MessageKey;
  /** It speaks against the stream that the caller is given. */
  isSilence?: true;
  more?: readonly Choice[];
}

const silent = (...more: Choice[]): Choice => ({ name: 'silent', words: 'report.silent', more });
const details = (...more: Choice[]): Choice => ({ name: 'details', words: 'report.details', more });

const NOTHING: Choice = { name: 'nothing', words: 'report.nothing', isSilence: true };
const STOPS: Choice = { name: 'stops', words: 'report.stops', isSilence: true };
const REFUSED: Choice = { name: 'refused', words: 'report.refused', isSilence: true };
const POOR: Choice = {
  name: 'poor',
  words: 'report.poor',
  more: [
    { name: 'stutters', words: 'report.stutters' },
    { name: 'distorted', words: 'report.distorted' },
    { name: 'volume', words: 'report.volume' },
  ],
};
const OTHER: Choice = {
  name: 'other',
  words: 'report.other',
  more: [
    { name: 'station', words: 'report.otherStation' },
    { name: 'announcement', words: 'report.announcement' },
  ],
};
const NAME: Choice = { name: 'name', words: 'report.name' };
const LOGO: Choice = { name: 'logo', words: 'report.logo' };
const PLACE: Choice = { name: 'place', words: 'report.place' };
const GENRE: Choice = { name: 'genre', words: 'report.genre' };
const SCHEDULE: Choice = { name: 'schedule', words: 'report.schedule' };
const SONG: Choice = { name: 'song', words: 'report.song' };
const DESCRIPTION: Choice = { name: 'description', words: 'report.description' };
const MISSING: Choice = { name: 'missing', words: 'report.missing' };
const UNFIT: Choice = { name: 'unfit', words: 'report.unfit' };

const STATION: readonly Choice[] = [
  silent(NOTHING, STOPS, REFUSED),
  POOR,
  OTHER,
  details(NAME, LOGO, PLACE, GENRE, SCHEDULE, SONG),
  UNFIT,
];
const SHOW: readonly Choice[] = [
  silent(NOTHING, STOPS, REFUSED),
  MISSING,
  details(NAME, LOGO, DESCRIPTION, GENRE),
  UNFIT,
];
const TOPIC: readonly Choice[] = [silent(NOTHING, STOPS, REFUSED), POOR, details(NAME, DESCRIPTION), UNFIT];

const TREES: Partial<Record<GuideLetter, readonly Choice[]>> = { s: STATION, e: STATION, p: SHOW, t: TOPIC };

/** Where a path has led: what was chosen last, and what can be chosen next. */
export interface Step {
  chosen: Choice | undefined;
  next: readonly Choice[];
}

/** Undefined for a path that is none. */
export function followPath(letter: GuideLetter, path: readonly string[]): Step | undefined {
  let step: Step = { chosen: undefined, next: TREES[letter] ?? [] };
  for (const name of path) {
    const chosen = step.next.find((choice) => choice.name === name);
    if (!chosen) return undefined;
    step = { chosen, next: chosen.more ?? [] };
  }
  return step;
}
