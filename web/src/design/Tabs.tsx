import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { useWords } from '../i18n/use-words.ts';
import styles from './Tabs.module.css';

interface Tab {
  id: string;
  title: string;
}

interface Props {
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  onChoose: (id: string) => void;
  /** Beside the tabs: a button to add one. */
  after?: ReactNode;
  /** The content of the chosen tab. */
  children: ReactNode;
}

/** Arrow keys move between tabs, as in every tab list; Tab moves on to the content. */
export function Tabs({ label, tabs, chosen, onChoose, after, children }: Props): ReactNode {
  const id = useId();
  const { direction } = useWords();
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const next = tabs[stepTo(event.key, at, tabs.length, direction)];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };
  return (
    <>
      <div className={styles['bar']}>
        <div ref={list} role="tablist" aria-label={label} className={styles['tabs']} onKeyDown={step}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              data-tab={tab.id}
              aria-selected={tab.id === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === chosen ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.title}
            </button>
          ))}
        </div>
        {after}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}

function stepTo(key: string, at: number, count: number, direction: 'ltr' | 'rtl'): number {
  const forward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = direction === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  if (key === forward) return (at + 1) % count;
  if (key === back) return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}
