import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/Button.tsx';
import { Dialog } from '../../design/Dialog.tsx';
import { Logo } from '../../design/Logo.tsx';
import { Sign } from '../../design/Sign.tsx';
import { useWords } from '../../i18n/use-words.ts';
import { Heart } from '../../items/Heart.tsx';
import { Share } from '../../items/details/Share.tsx';
import { AlarmSetting } from '../alarm/AlarmSetting.tsx';
import { canBePreset, playerPageOf } from './page-of.ts';
import { PlayerDial } from '../controls/PlayerDial.tsx';
import { SleepTimer } from '../controls/SleepTimer.tsx';
import type { PlayerItem, PlayerState } from '../engine/state.ts';
import { Volume } from '../controls/Volume.tsx';
import { WhyNot } from '../controls/WhyNot.tsx';
import { NowInView } from './NowInView.tsx';
import styles from './PlayerView.module.css';
import { SongsBefore } from './SongsBefore.tsx';
import { Transport } from './Transport.tsx';
import { useRemote } from './use-remote.ts';

interface Props {
  item: PlayerItem;
  state: PlayerState;
  onClose: () => void;
}

/** All that there is to what plays: the song, the presets beside it, sharing, timers and what was played before. */
export default function PlayerView({ item, state, onClose }: Props): ReactNode {
  const { t } = useWords();
  const page = playerPageOf(item);
  const isStation = item.kind === 'station';
  const facts = { guideId: item.guideId, name: item.name };
  return (
    <Dialog title={item.name} onClose={onClose} isWhole>
      <div className={styles['view']}>
        <div className={styles['picture']}>
          <Logo
            guideId={item.address === undefined ? item.guideId : undefined}
            name={item.name}
            size={136}
            isFirst
          />
        </div>
        <NowInView item={item} state={state} />
        <PlayerDial item={item} />
        <Transport />
        <WhyNot item={item} state={state} />
        <div className={styles['tools']}>
          {canBePreset(item) && <Heart preset={{ ...facts, subtext: item.subtext ?? '' }} isLarge />}
          {page !== undefined && <Share name={item.name} href={page} />}
          <CastButton />
          <SleepTimer isLarge />
          <Volume />
        </div>
        {page !== undefined && (
          <Link href={page} className={styles['page'] ?? ''} onClick={onClose}>
            {t('presets.openPage')}
            <Sign name="next" size={18} />
          </Link>
        )}
        {isStation && <AlarmSetting item={item} />}
        {canBePreset(item) && <SongsBefore station={facts} />}
      </div>
    </Dialog>
  );
}

/** Only where the browser offers another device. */
function CastButton(): ReactNode {
  const { t } = useWords();
  const { isAvailable, isElsewhere, choose } = useRemote();
  if (!isAvailable) return null;
  return (
    <Button aria-pressed={isElsewhere} onClick={choose}>
      <Sign name="cast" size={20} />
      {t(isElsewhere ? 'player.casting' : 'player.cast')}
    </Button>
  );
}
