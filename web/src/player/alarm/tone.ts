let context: AudioContext | undefined;

/** In a click, while the browser lets pages begin to make sound. */
export function allowTone(): void {
  context ??= new AudioContext();
  void context.resume().catch(() => {});
}

const EVERY_MS = 2000;
/** Two notes, a fifth apart. */
const NOTES = [
  { hertz: 587.33, at: 0 },
  { hertz: 880, at: 0.35 },
];
const NOTE_SECONDS = 0.9;
/** It begins softly, and is at its loudest after so many times. */
const GROWS_TIMES = 8;
const LOUDEST = 0.5;

/** A chime made by the browser itself: it needs no network. Returns how to stop it. */
export function startTone(): () => void {
  allowTone();
  let times = 0;
  const chime = (): void => {
    times += 1;
    if (context) for (const { hertz, at } of NOTES) strike(context, hertz, at, loudness(times));
  };
  chime();
  const timer = setInterval(chime, EVERY_MS);
  return () => clearInterval(timer);
}

const loudness = (times: number): number => (LOUDEST * Math.min(times, GROWS_TIMES)) / GROWS_TIMES;

/** One note that is struck and dies away. */
function strike(on: AudioContext, hertz: number, after: number, loud: number): void {
  const start = on.currentTime + after;
  const note = new OscillatorNode(on, { type: 'triangle', frequency: hertz });
  const gain = new GainNode(on, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, start + NOTE_SECONDS);
  note.connect(gain).connect(on.destination);
  note.start(start);
  note.stop(start + NOTE_SECONDS);
}
