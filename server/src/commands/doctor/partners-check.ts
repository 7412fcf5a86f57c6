import { MOST_BY_THEMSELVES } from '../../members/partner-table.ts';
import type { Check, Patient } from './check.ts';
import { type Finding, note, warning, well } from './finding.ts';
import { countPartners } from './queries.ts';
import { spellCount } from './spell.ts';

export const partnersCheck: Check = {
  title: 'Partners',
  async look(patient) {
    const counted = await countPartners(patient.pool);
    return [activeOnes(counted), unknownIds(patient, counted)];
  },
};

type Counted = Awaited<ReturnType<typeof countPartners>>;

function activeOnes({ active, disabled, by_themselves: itself, built_in: builtIn }: Counted): Finding {
  if (active === 0)
    return warning(
      'active',
      'none: menus are answered, presets and accounts are refused (partner.invalid)',
      "longwave partner add my-radio --name 'My radio', or longwave partner enable ID",
    );
  const parts = [
    ...(builtIn > 0 ? [`${spellCount(builtIn)} of them built into devices`] : []),
    ...(itself > 0 ? [`${spellCount(itself)} registered by themselves`] : []),
    ...(disabled > 0 ? [`and ${spellCount(disabled)} disabled`] : []),
  ];
  return well('active', [spellCount(active), ...parts].join(', '));
}

/** What becomes of an id that nobody has registered. */
function unknownIds({ config: { partners, publicHosts } }: Patient, counted: Counted): Finding {
  const name = 'unknown ids';
  if (partners !== 'any')
    return note(
      name,
      'refused by every call (PARTNERS=registered)',
      'longwave partner add ID for a radio that is refused, or PARTNERS=any in a house',
    );
  if (counted.by_themselves >= MOST_BY_THEMSELVES)
    return warning(
      name,
      `refused: ${spellCount(MOST_BY_THEMSELVES)} have registered themselves, which is the most`,
      'look at longwave partner list, and set PARTNERS=registered if these are not your radios',
    );
  if (publicHosts.length > 0)
    return note(
      name,
      'register themselves (PARTNERS=any), which suits a home and nothing else',
      'on the internet: PARTNERS=registered',
    );
  return well(name, 'register themselves, as suits a home (PARTNERS=any)');
}
