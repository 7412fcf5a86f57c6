import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/**
 * Holds on to what the page makes sound with. A page may look into the sound of another host only where it asked for it
 * by CORS, which the meter needs and the player does not; Icecast as Debian sets it up allows it.
 */
const HOLD = `
  const sounds = [];
  const events = [];
  const listenTo = async (sound) => {
    if (window.soundMeter.analyser) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    window.soundMeter.analyser = analyser;
    context.createMediaElementSource(sound).connect(analyser).connect(context.destination);
    await context.resume();
  };
  window.soundMeter = { sounds, events, listenTo };
  window.Audio = class extends Audio {
    constructor(...given) {
      super(...given);
      this.crossOrigin = 'anonymous';
      sounds.push(this);
      for (const name of ['pause', 'waiting', 'emptied', 'ended', 'error'])
        this.addEventListener(name, () => events.push(name));
    }
  };`;

const LISTEN = `async ({ sounds, ...meter }, ms) => {
  const [sound] = sounds;
  const state = window.soundMeter;
  await state.listenTo(sound);
  const samples = new Float32Array(state.analyser.fftSize);
  const from = sound.currentTime;
  const began = performance.now();
  let peak = 0;
  while (performance.now() - began < ms) {
    await new Promise((done) => setTimeout(done, 20));
    state.analyser.getFloatTimeDomainData(samples);
    peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), peak);
  }
  return { seconds: sound.currentTime - from, ofSeconds: (performance.now() - began) / 1000, peak };
}`;

export interface Heard {
  /** By how much the sound went on. */
  seconds: number;
  /** In so many seconds. */
  ofSeconds: number;
  /** Of the samples, 1 being as loud as can be. */
  peak: number;
}

/** Before the page is opened. */
export const installMeter = (page: Page): Promise<unknown> => page.addInitScript(HOLD);

/** Listens for a while to what comes out of the page. */
export async function listen(page: Page, ms = 1500): Promise<Heard> {
  const heard = await page.evaluate<Heard>(`(${LISTEN})(window.soundMeter, ${ms})`);
  return heard;
}

/** By the browser's own frames: the clock of the page may be another. */
const UNTIL_AUDIBLE = `async ({ sounds: [sound], listenTo }, maxFrames) => {
  listenTo(sound);
  const { analyser } = window.soundMeter;
  const samples = new Float32Array(analyser.fftSize);
  const channel = new MessageChannel();
  for (let look = 0; look < maxFrames; look++) {
    analyser.getFloatTimeDomainData(samples);
    if (!sound.paused && samples.some((value) => Math.abs(value) > 0.05)) return true;
    await new Promise((done) => {
      channel.port1.onmessage = done;
      channel.port2.postMessage('');
    });
  }
  return false;
}`;

/** Until the first sound that can be heard. */
export async function untilAudible(page: Page): Promise<void> {
  const isHeard = await page.evaluate<boolean>(`(${UNTIL_AUDIBLE})(window.soundMeter, 1e7)`);
  assert.ok(isHeard, 'nothing is heard');
}

/** How long a machine with much to do may take until it plays in time. */
const AUDIBLE_WITHIN_MS = 60_000;

/** Listens until it is heard; on a machine that is busy, sound may come haltingly at first. */
export async function isAudible(page: Page, what: string): Promise<void> {
  const end = performance.now() + AUDIBLE_WITHIN_MS;
  let heard = await listen(page, 800);
  while (!isHeard(heard) && performance.now() < end) heard = await listen(page, 800);
  assertAudible(heard, what);
}

/** Listens until nothing is heard any more; what was played a moment ago may still be under way on a machine that is busy. */
export async function isSilent(page: Page, what: string): Promise<void> {
  const end = performance.now() + AUDIBLE_WITHIN_MS;
  let heard = await listen(page, 500);
  while (!isNothing(heard) && performance.now() < end) heard = await listen(page, 500);
  assert.ok(isNothing(heard), `${what}: ${heard.seconds} s at ${heard.peak} were heard`);
}

const isNothing = ({ seconds, peak }: Heard): boolean => seconds === 0 && peak < 0.001;
const isHeard = ({ seconds, ofSeconds, peak }: Heard): boolean => seconds > ofSeconds * 0.5 && peak > 0.05;

/** What happened to the sound since it was last asked: a pause, a gap, an end. */
export const interruptions = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>('window.soundMeter.events.splice(0)');

/** Where the sound stands, in seconds. */
export const position = (page: Page): Promise<number> =>
  page.evaluate<number>('window.soundMeter.sounds[0].currentTime');

/** The tone of the farm's stations is an eighth of the loudest. */
export function assertAudible({ seconds, ofSeconds, peak }: Heard, what: string): void {
  assert.ok(
    seconds > ofSeconds * 0.5,
    `${what}: ${seconds.toFixed(2)} s were heard in ${ofSeconds.toFixed(2)} s`,
  );
  assert.ok(peak > 0.05, `${what}: the loudest sample is ${peak}`);
}
