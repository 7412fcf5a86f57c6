import type { Failure } from './deps.ts';

/** Plays HLS where the browser cannot. The library is large, and loaded when it is first needed. */
export async function openHls(
  audio: HTMLAudioElement,
  address: string,
  onFailure: (failure: Failure) => void,
  signal: AbortSignal,
): Promise<() => void> {
  const { default: Hls } = await import('hls.js');
  // Another station may have the element by now.
  signal.throwIfAborted();
  if (!Hls.isSupported()) throw new DOMException('HLS is not played here', 'NotSupportedError');
  // A worker would be a script from a blob address, which the site's policy refuses.
  const hls = new Hls({ enableWorker: false });
  hls.on(Hls.Events.ERROR, (_event, { fatal, details, response }) => {
    if (fatal) onFailure({ message: details, code: response?.code ?? 0 });
  });
  hls.loadSource(address);
  hls.attachMedia(audio);
  return () => hls.destroy();
}
