import { DirectoryFault, type Menu } from '@longwave/client';
import { useState } from 'react';
import { forget, keep, kept } from '../../app/kept.ts';
import { type Answered, useAnswer } from '../../directory/use-answer.ts';
import { useSession } from '../../session/use-session.ts';
import { type ChosenPlace, parsePlace } from './chosen-place.ts';

export interface Near extends Answered<Menu> {
  /** The place that was chosen here; without one it is the account's, or the location of the connection. */
  place: ChosenPlace | undefined;
  choose: (place: ChosenPlace | undefined) => void;
}

/** The directory has no menu for a town without stations. */
function nothingThere(error: unknown): Menu {
  if (error instanceof DirectoryFault && error.status === 400) return { title: undefined, outlines: [] };
  throw error;
}

/** The stations near the listener. */
export function useNear(): Near {
  const { account, error } = useSession();
  const [place, setPlace] = useState(() => parsePlace(kept('place')));
  const username = place ? undefined : account?.username;
  // Waits until the session is known, so as not to request twice; if it stays unknown, requests without an account.
  const isUnknown = account === undefined && error === undefined;
  const key = place === undefined && isUnknown ? undefined : `near ${place?.id ?? ''} ${username ?? ''}`;
  const answered = useAnswer(key, (directory, call) => {
    if (place?.latlon) return directory.with({ latlon: place.latlon }).browse.local(call);
    if (!place) return directory.with({ username }).browse.local(call);
    return directory.browse.byId(place.id, [], call).catch(nothingThere);
  });
  const choose = (next: ChosenPlace | undefined): void => {
    if (next) keep('place', JSON.stringify(next));
    else forget('place');
    setPlace(next);
  };
  return { ...answered, isWaiting: answered.isWaiting || key === undefined, place, choose };
}
