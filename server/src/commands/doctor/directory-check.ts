import type { Check, Patient } from './check.ts';
import { type Finding, broken, note, warning, well } from './finding.ts';
import { countDirectory, findLastImport } from './queries.ts';
import { secondsBetween, spellCount, spellSeconds } from './spell.ts';

/** Stations move, and new ones begin. */
const OLD_SECONDS = 60 * 86_400;
const IMPORT = 'longwave import stations https://de1.api.radio-browser.info';

export const directoryCheck: Check = {
  title: 'Directory',
  async look(patient) {
    const { stations, streams, cities } = await countDirectory(patient.pool);
    return [
      cities === 0
        ? broken('places', 'none: no station can be imported', 'longwave import places')
        : well('places', `${spellCount(cities)} cities`),
      stations === 0
        ? broken('stations', 'none: every menu is empty', IMPORT)
        : well('stations', `${spellCount(stations)} with ${spellCount(streams)} streams`),
      ...(stations === 0 ? [] : [await imported(patient)]),
    ];
  },
};

async function imported({ pool, clock }: Patient): Promise<Finding> {
  const last = await findLastImport(pool);
  if (!last) return note('import', 'no import is written down', IMPORT);
  const { source, started_at: startedAt, finished_at: finishedAt } = last;
  const ago = secondsBetween(finishedAt ?? startedAt, clock.now());
  if (finishedAt === null)
    return warning(
      'import',
      `the last one, of ${source}, began ${spellSeconds(ago)} ago and has not ended`,
      'wait for it, or run it again: it goes on where it was',
    );
  const text = `${source}, ${spellSeconds(ago)} ago`;
  return ago > OLD_SECONDS
    ? note('import', text, `to have what is new since: ${IMPORT}`)
    : well('import', text);
}
