import { useEffect } from 'react';
import { onReturn } from '../app/on-return.ts';
import { news } from './news.ts';
import { setNewCount } from './new-count.ts';
import { useNews } from './use-news.ts';

const LOOK_MS = 10 * 60_000;

/** Counts what is new of these shows, for the menu; loaded on every page where somebody subscribes to something. */
export default function FollowNews({ showIds }: { showIds: readonly string[] }): undefined {
  const { fresh } = useNews();
  useEffect(() => news.follow(showIds), [showIds]);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') news.follow(showIds);
    };
    const timer = setInterval(look, LOOK_MS);
    const leave = onReturn(look);
    return () => {
      clearInterval(timer);
      leave();
    };
  }, [showIds]);
  useEffect(() => setNewCount(fresh.length), [fresh.length]);
  useEffect(() => () => setNewCount(0), []);
  return undefined;
}
