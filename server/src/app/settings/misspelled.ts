import { editDistance } from '../../lib/near-names.ts';

/** A variable of the environment that is no setting, and the one that was probably meant. */
export interface Misspelled {
  name: string;
  meant: string;
}

/** Shorter names are like too many others. */
const MIN_LENGTH = 6;
const LONG = 8;
/** Other programs have variables as well: a misspelled one begins like ours. */
const SAME_START = 3;
const PREFIX = 'LONGWAVE_';

/** Variables that are like a setting and are none. An environment has many, so this is for a warning, never for a refusal. */
export function findMisspelled(names: readonly string[], settings: readonly string[]): Misspelled[] {
  const known = new Set(settings);
  return names.flatMap((name) => {
    if (known.has(name)) return [];
    const bare = name.toUpperCase().replace(PREFIX, '');
    const meant = known.has(bare) ? bare : settings.find((setting) => isLike(bare, setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isLike(name: string, setting: string): boolean {
  if (setting.length < MIN_LENGTH || name.slice(0, SAME_START) !== setting.slice(0, SAME_START)) return false;
  const most = setting.length >= LONG ? 2 : 1;
  return Math.abs(name.length - setting.length) <= most && editDistance(name, setting) <= most;
}

export const writeMisspelled = ({ name, meant }: Misspelled): string =>
  `${name} is not a setting and has no effect; ${meant} is one`;
