import { useMemo } from 'react';
import { useAnswer } from '../../directory/use-answer.ts';
import { useWords } from '../../i18n/use-words.ts';
import { askMenu } from '../ask-menu.ts';
import type { Song } from './song.ts';
import { playedBefore, readPlayed } from './songs-played.ts';

/** What a station played before: `heard` on this page, the latest first, and what the directory knows. */
export function usePlayedBefore(guideId: string, now: Song | undefined, heard: readonly Song[]): Song[] {
  const { language } = useWords();
  const offset = -new Date().getTimezoneOffset();
  const params = { c: 'playlist', id: guideId, offset };
  const { value } = useAnswer(`playlist ${guideId}`, askMenu('/Browse.ashx', params, language));
  return useMemo(
    () => playedBefore(now, heard, value ? readPlayed(value.outlines, offset) : []),
    [now, heard, value, offset],
  );
}
