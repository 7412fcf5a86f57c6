import { useEffect, useState } from 'react';
import { sound } from '../player.ts';

interface Remote {
  /** Whether there is a device to play on, as far as the browser tells. */
  isAvailable: boolean;
  isElsewhere: boolean;
  /** Opens the browser's own list of devices. */
  choose: () => void;
}

/** Speakers and televisions of the house, by AirPlay or Chromecast, in browsers that offer them to pages. */
export function useRemote(): Remote {
  const remote = 'remote' in sound ? sound.remote : undefined;
  const [isAvailable, setIsAvailable] = useState(false);
  const [isElsewhere, setIsElsewhere] = useState(remote?.state === 'connected');
  useEffect(() => {
    if (!remote) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const look = (): void => setIsElsewhere(remote.state === 'connected');
    for (const name of ['connect', 'connecting', 'disconnect'])
      remote.addEventListener(name, look, { signal });
    const watching = remote.watchAvailability(setIsAvailable).catch((error: unknown) => {
      // A browser that cannot watch all the time still has the list, and looks when it is opened.
      if (error instanceof DOMException && error.name === 'NotSupportedError') setIsAvailable(true);
      return undefined;
    });
    return () => {
      ending.abort();
      void watching
        .then((id) => (id === undefined ? undefined : remote.cancelWatchAvailability(id)))
        .catch(() => {});
    };
  }, [remote]);
  // Closed without a choice, or without a device to choose: the browser has said so itself.
  const choose = (): void => void remote?.prompt().catch(() => {});
  return { isAvailable: isAvailable || isElsewhere, isElsewhere, choose };
}
