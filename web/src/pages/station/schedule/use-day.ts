import { useMemo } from 'react';
import { type Answered, useAnswer } from '../../../directory/use-answer.ts';
import { askMenu } from '../../../items/ask-menu.ts';
import { useWords } from '../../../i18n/use-words.ts';
import { type Broadcast, type Day, readBroadcasts } from './day.ts';

/** The broadcasts of a station on one day; without a day there is no request. */
export function useDay(guideId: string, day: Day | undefined): Answered<Broadcast[]> {
  const { language } = useWords();
  const { name = '', offsetMinutes = 0 } = day ?? {};
  const params = { c: 'schedule', id: guideId, start: name, offset: offsetMinutes };
  const key = day && `schedule ${guideId} ${name} ${offsetMinutes}`;
  const { value: menu, ...rest } = useAnswer(key, askMenu('/Browse.ashx', params, language));
  const value = useMemo(() => menu && readBroadcasts(menu.outlines, offsetMinutes), [menu, offsetMinutes]);
  return { ...rest, value };
}
