import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlayerWorld, STATION } from '../../../test/player-world.ts';
import { type Alarm, clockTime, nextAt, parseAlarm } from './alarm.ts';
import { AlarmClock } from './alarm-clock.ts';

const EVENING = new Date(2026, 10, 18, 22, 0).getTime();
const MORNING = new Date(2026, 10, 19, 7, 30).getTime();
const ALARM: Alarm = { at: MORNING, item: STATION };

/** A night at `now`, in which a page is open. */
function night(kept?: Alarm) {
  const world = new PlayerWorld();
  world.streams('http://a/');
  const asleep = { now: EVENING, kept, tones: [] as string[] };
  const clock = (): AlarmClock =>
    new AlarmClock({
      player: world.engine,
      kept: {
        find: () => asleep.kept,
        set: (alarm) => void (asleep.kept = alarm),
        forget: () => void (asleep.kept = undefined),
      },
      startTone: () => {
        asleep.tones.push('tone');
        return () => asleep.tones.push('silence');
      },
      wallNow: () => asleep.now,
    });
  /** Seconds in which the page is awake. */
  const pass = async (alarm: AlarmClock, seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      asleep.now += 1000;
      await world.pass(1);
      alarm.tick();
    }
  };
  return { world, asleep, clock, pass };
}

test('it wakes with its station, loud enough, and not before', async () => {
  const { world, asleep, clock, pass } = night();
  const alarm = clock();
  world.engine.setVolume(0.1);
  world.engine.setMuted(true);
  alarm.set(ALARM);
  asleep.now = MORNING - 5000;
  await pass(alarm, 4);
  assert.deepEqual([alarm.state.is, world.engine.state.status], ['set', 'idle']);
  await pass(alarm, 3);
  assert.deepEqual([alarm.state.is, world.engine.state.status], ['ringing', 'playing']);
  assert.deepEqual([world.sound.volume, world.sound.muted], [0.6, false]);
  assert.equal(asleep.kept, undefined);
  await pass(alarm, 60);
  assert.deepEqual(asleep.tones, []);
  alarm.stopRinging();
  assert.deepEqual([alarm.state.is, world.engine.state.status], ['off', 'paused']);
});

test('a page that was loaded again before its time rings too, and another tab does not', async () => {
  const { asleep, clock, pass } = night(ALARM);
  const [one, other] = [clock(), clock()];
  assert.deepEqual([one.state.is, other.state.is], ['set', 'set']);
  asleep.now = MORNING - 1000;
  await pass(one, 2);
  other.tick();
  assert.deepEqual([one.state.is, other.state.is], ['ringing', 'off']);
});

test('a station that fails gives way to a tone, and comes back in its place', async () => {
  const { world, asleep, clock, pass } = night(ALARM);
  world.sound.behaviours.set('http://a/', 'fails');
  const alarm = clock();
  asleep.now = MORNING;
  await pass(alarm, 14);
  assert.deepEqual(asleep.tones, []);
  await pass(alarm, 4);
  assert.deepEqual([asleep.tones, alarm.state], [['tone'], { is: 'ringing', alarm: ALARM, isTone: true }]);
  world.sound.behaviours.clear();
  world.comeBack();
  await pass(alarm, 2);
  assert.deepEqual(asleep.tones, ['tone', 'silence']);
  alarm.off();
  assert.equal(world.engine.state.status, 'playing', 'whoever is awake listens on');
});

test('a browser that wants a click, or a station that is gone, is not waited for', async () => {
  for (const behaviour of ['wants a click', 'gone'] as const) {
    const { world, asleep, clock, pass } = night(ALARM);
    if (behaviour === 'gone') world.streams();
    else world.sound.behaviours.set('http://a/', behaviour);
    const alarm = clock();
    asleep.now = MORNING;
    await pass(alarm, 3);
    assert.deepEqual(asleep.tones, ['tone'], behaviour);
  }
});

test('ten more minutes are ten more minutes', async () => {
  const { world, asleep, clock, pass } = night(ALARM);
  const alarm = clock();
  asleep.now = MORNING;
  await pass(alarm, 5);
  alarm.snooze();
  assert.deepEqual([alarm.state.is, world.engine.state.status], ['set', 'paused']);
  await pass(alarm, 599);
  assert.equal(alarm.state.is, 'set');
  await pass(alarm, 3);
  assert.deepEqual([alarm.state.is, world.engine.state.status], ['ringing', 'playing']);
});

test('a media key that pauses it has turned it off, headphones that fall out have not', async () => {
  const { world, asleep, clock, pass } = night(ALARM);
  const alarm = clock();
  asleep.now = MORNING;
  await pass(alarm, 5);
  world.engine.toggle();
  await pass(alarm, 30);
  assert.deepEqual([alarm.state.is, asleep.tones], ['off', []]);
  alarm.set({ ...ALARM, at: asleep.now + 5000 });
  await pass(alarm, 10);
  world.sound.pause();
  await pass(alarm, 30);
  assert.deepEqual([alarm.state.is, asleep.tones], ['ringing', ['tone']]);
  world.engine.stop();
  await pass(alarm, 2);
  assert.deepEqual([alarm.state.is, asleep.tones], ['off', ['tone', 'silence']]);
});

test('a device that slept through it says so, and wakes nobody at noon', async () => {
  const { world, asleep, clock } = night(ALARM);
  const alarm = clock();
  asleep.now = MORNING + 11 * 60_000;
  alarm.tick();
  assert.deepEqual([alarm.state.is, world.engine.state.status], ['missed', 'idle']);
  alarm.off();
  assert.equal(alarm.state.is, 'off');
});

test('it does not ring for ever where nobody is', async () => {
  const { asleep, clock, pass } = night(ALARM);
  const alarm = clock();
  asleep.now = MORNING;
  await pass(alarm, 2);
  asleep.now += 60 * 60_000;
  await pass(alarm, 2);
  assert.equal(alarm.state.is, 'off');
});

test('a time is the next that the clock shows', () => {
  assert.equal(nextAt('07:30', EVENING), MORNING);
  assert.equal(nextAt('22:01', EVENING), EVENING + 60_000);
  assert.equal(nextAt('22:00', EVENING), EVENING + 24 * 60 * 60_000, 'not this very minute');
  for (const text of ['', '7:30', '07:30:00', 'now']) assert.equal(nextAt(text, EVENING), undefined, text);
  assert.equal(clockTime(MORNING), '07:30');
});

test('what was kept of an alarm is read with care', () => {
  const item = {
    kind: 'station',
    guideId: 's1',
    name: 'Harbour Folk',
    subtext: undefined,
    address: undefined,
  };
  assert.deepEqual(parseAlarm(JSON.stringify(ALARM)), { at: MORNING, item });
  for (const text of [
    null,
    '',
    'null',
    '{}',
    '{"at":5}',
    '{"at":5,"item":{"guideId":"x y","name":"z"}}',
    '5',
  ])
    assert.equal(parseAlarm(text), undefined, String(text));
});
