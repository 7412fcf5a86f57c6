import type { Check } from './check.ts';
import { note, warning, well } from './finding.ts';
import { countHeard } from './queries.ts';
import { drawBar, spellCount } from './spell.ts';

/** Where so few play, it is rather the line of this machine than the stations. */
const FEW = 0.5;

export const streamsCheck: Check = {
  title: 'Streams',
  async look({ pool }) {
    const { checked, plays } = await countHeard(pool);
    if (checked === 0) return [note('health', 'not known: none was listened to yet', 'longwave work')];
    const share = plays / checked;
    const text = `${drawBar(share)} ${Math.floor(share * 100)} % of ${spellCount(checked)} play`;
    if (share >= FEW) return [well('health', text)];
    return [
      warning(
        'health',
        text,
        'see why: longwave probe s1; when all fail alike, it is the line of this machine',
      ),
    ];
  },
};
