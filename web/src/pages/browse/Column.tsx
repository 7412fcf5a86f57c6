import { type ReactNode, useMemo } from 'react';
import { Broken } from '../../design/Broken.tsx';
import { Button } from '../../design/Button.tsx';
import { Empty } from '../../design/Empty.tsx';
import { Slow } from '../../design/Slow.tsx';
import { SectionView } from '../../items/lists/SectionView.tsx';
import { sectionsOf } from '../../items/lists/sections.ts';
import { useWords } from '../../i18n/use-words.ts';
import styles from './Browse.module.css';
import { listedIn } from './listed-in.ts';
import { Place } from './Place.tsx';
import { useMenu } from './use-menu.ts';

interface Props {
  query: string;
  isLast: boolean;
  /** The address that is open in the next column. */
  here: string | undefined;
  linkState: object;
}

/** One menu of the directory; the last one with its stations. */
export function Column(props: Props): ReactNode {
  const { query, isLast, linkState } = props;
  const { t } = useWords();
  const { value, isWaiting } = useMenu(query);
  const title = query === '' ? t('shell.browse') : (value?.title ?? t('shell.browse'));
  const groups = isLast ? listedIn(query) : undefined;
  return (
    <section
      className={styles['column']}
      aria-label={title}
      data-last={isLast || undefined}
      aria-busy={isWaiting}
    >
      {groups === undefined ? (
        <Lines {...props} />
      ) : (
        <Place key={groups} query={query} groups={groups} linkState={linkState}>
          <Lines {...props} />
        </Place>
      )}
    </section>
  );
}

/** The menu as it is. */
function Lines({ query, isLast, here, linkState }: Props): ReactNode {
  const { t } = useWords();
  const { value, error, isWaiting, again } = useMenu(query);
  const sections = useMemo(() => value && sectionsOf(value), [value]);
  return (
    <>
      {isWaiting && <Slow />}
      {error !== undefined && (isLast ? <Broken error={error} again={again} /> : <Again again={again} />)}
      {sections?.length === 0 && <Empty title={t('state.empty')} />}
      {sections?.map((section) => (
        <SectionView
          key={section.key}
          section={section}
          shape={isLast ? 'grid' : 'column'}
          here={here}
          linkState={linkState}
        />
      ))}
    </>
  );
}

/** Another column already shows the error, so that a button is enough. */
function Again({ again }: { again: () => void }): ReactNode {
  const { t } = useWords();
  return (
    <div>
      <Button onClick={again}>{t('state.tryAgain')}</Button>
    </div>
  );
}
