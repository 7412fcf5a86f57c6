import type { DirectoryStation } from '../directory/snapshot.ts';
import type { Call } from '../http/endpoint.ts';
import type { Chooser } from './choice.ts';
import { tunedStation } from './tuned.ts';

/** The stream a caller is given first when it tunes to a station now; undefined when there is none it can play. */
export function firstChoice(
  chooser: Pick<Chooser, 'choose'>,
): (call: Call, station: DirectoryStation) => number | undefined {
  return (call, station) => chooser.choose(call, tunedStation(station)).ranking.chosen[0]?.id;
}
