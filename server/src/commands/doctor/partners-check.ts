import type { Check } from './check.ts';
import { warning, well } from './finding.ts';
import { countPartners } from './queries.ts';
import { spellCount } from './spell.ts';

export const partnersCheck: Check = {
  title: 'Partners',
  async look({ pool }) {
    const { active, disabled } = await countPartners(pool);
    if (active === 0)
      return [
        warning(
          'active',
          'none: menus are answered, presets and accounts are refused (partner.invalid)',
          `longwave partner add my-radio --name 'My radio'${disabled > 0 ? ', or longwave partner enable ID' : ''}`,
        ),
      ];
    return [
      well('active', `${spellCount(active)}${disabled > 0 ? `, and ${spellCount(disabled)} disabled` : ''}`),
    ];
  },
};
