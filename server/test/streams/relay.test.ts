import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readMpegFrame } from '../../src/formats/audio/frames.ts';
import { IcySplitter } from '../../src/formats/icy/icy-splitter.ts';
import { audibleSeconds } from '../clients/players/audible-seconds.ts';
import { startMpd } from '../clients/players/mpd.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';
import { type Farm, openFarm } from './farm.ts';
import { countFrames } from './count-frames.ts';
import type { StationName } from './stations.ts';

const RELAYED = /^http:\/\/opml\.radiotime\.com:8704\/r\/[\w.-]+\.(?:mp3|aac)$/;
/** By plain HTTP behind a playlist, by HTTPS in two formats, and three kinds of HLS: a list of segments, one with titles, one of qualities. */
const STATIONS = [
  'Shared Harbour',
  'Secure Harbour',
  'Secure Advanced Harbour',
  'Segment Harbour',
  'Tagged Harbour',
  'Master Harbour',
] as const;
const SETTINGS = { RELAY: 'home', RELAY_KEY: 'a key of the relay, forty characters 1234' };

describe('radios without TLS hear stations that only send by HTTPS', () => {
  let farm: Farm;
  let relay: Program;
  before(async () => {
    farm = await openFarm({ env: SETTINGS });
    relay = await farm.relay();
    await waitFor(relay, 'the directory to see the relay', async () => {
      const [line = ''] = await tuned('Secure Harbour', 'old-radio');
      return line.includes('/r/') || undefined;
    });
  });
  after(() => farm[Symbol.asyncDispose]());

  const tuned = async (station: StationName, device: string, more = ''): Promise<string[]> => {
    const answer = await farm.get(`/Tune.ashx?id=${farm.idOf(station)}&device=${device}${more}`);
    return answer.split('\n').filter((line) => line.startsWith('http'));
  };
  const addressOf = async (station: StationName): Promise<string> => {
    const [address = ''] = await tuned(station, 'old-radio');
    assert.match(address, RELAYED);
    return address;
  };
  /** What a radio of HTTP/1.0 receives in some seconds, head and body. */
  const listen = async (address: string, seconds: number, ...headers: string[]) => {
    const file = join(farm.house.folder, `heard-${Math.random()}`);
    const asked = headers.flatMap((header) => ['-H', header]);
    const script = 'curl -0 -sS -i --no-buffer "$@" || true';
    await farm.house.run('bash', ['-c', script, 'curl', '-m', `${seconds}`, ...asked, '-o', file, address]);
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\r\n\r\n');
    return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end + 4) };
  };

  test('Tune sends a radio without TLS to the relay, one with TLS to the station', async () => {
    await addressOf('Secure Harbour');
    const [direct = ''] = await tuned('Secure Harbour', 'vlc');
    assert.match(direct, /^https:/);
    const [plain = ''] = await tuned('Plain Harbour', 'old-radio');
    assert.doesNotMatch(plain, /\/r\//);
  });

  test('the answer says why it goes through the relay', async () => {
    const said = await farm.get(`/Tune.ashx?id=${farm.idOf('Secure Harbour')}&device=old-radio&explain=true`);
    assert.match(said, /goes through the relay, since it needs HTTPS/);
  });

  test('a radio of HTTP/1.0 gets whole frames, without length and without chunks', async () => {
    const { head, body } = await listen(await addressOf('Secure Harbour'), 4);
    assert.match(head, /^HTTP\/1\.0 200 OK\r\nContent-Type: audio\/mpeg\r\n/);
    assert.doesNotMatch(head, /content-length|transfer-encoding|icy-/i);
    let at = 0;
    for (let frame = readMpegFrame(body, at); frame; frame = readMpegFrame(body, at)) at += frame.bytes;
    assert.ok(body.length > 20_000, `${body.length} bytes`);
    assert.ok(at >= body.length - 4, 'every byte belongs to a frame');
  });

  test('titles arrive where they are asked for', async () => {
    await farm.icecast.setTitle('/mp3', 'Ana Moura - Dia de Folga');
    const { head, body } = await listen(await addressOf('Secure Harbour'), 8, 'Icy-MetaData: 1');
    const [, metaint] = /icy-metaint: (\d+)/.exec(head) ?? [];
    assert.equal(metaint, '16000');
    const { audio, titles } = new IcySplitter(16_000).push(body);
    assert.deepEqual(titles, ['Ana Moura - Dia de Folga']);
    assert.ok(readMpegFrame(Buffer.concat(audio), 0));
  });

  const PLAYERS: Record<string, (address: string, recording: string) => [string, ...string[]]> = {
    mpv: (address, recording) => {
      const sound = ['--ao=pcm', `--ao-pcm-file=${recording}`, '--audio-format=s16', '--length=2'];
      return ['mpv', '--no-config', '--ytdl=no', '--no-video', ...sound, address];
    },
    VLC: (address, recording) => {
      const sound = ['--aout=afile', `--audiofile-file=${recording}`, '--audiofile-format=s16'];
      return ['timeout', '-s', 'INT', '6', 'cvlc', '-I', 'dummy', '--no-video', ...sound, address];
    },
    ffmpeg: (address, recording) => [
      'ffmpeg',
      '-loglevel',
      'error',
      '-t',
      '2',
      '-i',
      address,
      '-y',
      recording,
    ],
  };
  for (const [name, command] of Object.entries(PLAYERS))
    for (const station of STATIONS)
      test(`${name} plays ${station} through it`, async () => {
        const recording = join(farm.house.folder, `${name}-${farm.idOf(station)}.wav`);
        const player = command(await addressOf(station), recording);
        const script = 'timeout 30 "$@" > /dev/null 2>&1; true';
        await farm.house.run('bash', ['-c', script, 'player', ...player], { asNobody: name === 'VLC' });
        const heard = audibleSeconds(recording);
        assert.ok(heard >= 1, `${heard} seconds were heard`);
      });

  test('MPD plays it', async () => {
    const mpc = await startMpd(farm.house);
    await mpc('add', await addressOf('Secure Harbour'));
    await mpc('play');
    await waitFor(
      relay,
      'MPD to play',
      async () => /\[playing\].* 0:0[1-9]\//.test(await mpc('status')) || undefined,
    );
  });

  test('a relay that is renewed goes on with radios that have connections of their own', async () => {
    // Each is another radio than those that play already.
    const [[one = ''], [other = '']] = await Promise.all([
      tuned('Secure Harbour', 'old-radio', '&serial=one'),
      tuned('Secure Harbour', 'old-radio', '&serial=other'),
    ]);
    const both = Promise.all([listen(one, 12), listen(other, 12, 'Icy-MetaData: 1')]);
    await new Promise((done) => setTimeout(done, 4000));
    await farm.house.run('pkill', ['-o', '-HUP', '-f', 'main.ts relay']);
    const [plain, titled] = await both;
    await waitFor(
      relay,
      'the old process to end',
      async () => relay.said().includes('has taken over') || undefined,
    );
    const whole = countFrames(plain.body);
    assert.equal(whole.gaps, 0, 'every frame is whole');
    const cut = countFrames(Buffer.concat(new IcySplitter(16_000).push(titled.body).audio));
    assert.ok(cut.gaps <= 1, 'a title may cut a frame where the other process goes on');
    // What Icecast sends at the start comes before its time.
    for (const { seconds } of [whole, cut]) assert.ok(seconds > 10, `${seconds} seconds of sound in 12`);
  });

  test('the process that has ended wrote down how long stations were heard, and nothing about by whom', async () => {
    const { country, sessions, seconds } = await waitFor(relay, 'the numbers to be written', async () => {
      const { rows } = await farm.pool.query<{ country: string; sessions: number; seconds: number }>(
        'SELECT country, sessions, seconds FROM relay_listening WHERE station_id = $1',
        [Number(farm.idOf('Secure Harbour').slice(1))],
      );
      return rows[0];
    });
    assert.equal(country, '');
    // curl twice, mpv, VLC, ffmpeg and MPD, and two that were handed over.
    assert.ok(sessions >= 6 && sessions < 30, `${sessions} sessions`);
    assert.ok(seconds > 12, `${seconds} seconds`);
  });

  test('what is forged, expired or from elsewhere is told what to do', async () => {
    const address = await addressOf('Secure Harbour');
    const forged = await listen(
      address.replace(/\.c\.(.)/, (_all, sign: string) => `.c.${sign === 'x' ? 'y' : 'x'}`),
      5,
    );
    assert.match(forged.head, /^HTTP\/1\.0 404/);
    assert.match(forged.body.toString(), /ask the directory/);
  });
});
