import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addListToken } from '../../../src/core/accounts/list-tokens.ts';
import type { House } from '../../house/house.ts';
import { startIcecast } from '../../house/icecast.ts';
import { type Channel, type KodiCall, startKodi } from './kodi.ts';
import { DIRECTORY, serveHouse } from '../../house/served-house.ts';
import { waitUntil } from '../../time/wait-until.ts';

/** An account with two folders, a station of which has a show on now and one after it. */
const ROWS = `
INSERT INTO accounts (id, username, password_hash) VALUES (7, 'Ann', 'none');
INSERT INTO folders (account_id, id, name, is_default, position) VALUES
  (7, 1024 + 7, 'Kitchen', true, 1), (7, 2 * 1024 + 7, 'Bath, "upstairs"', false, 2);
INSERT INTO presets (account_id, id, folder_id, position, kind, item_id) VALUES
  (7, 1024 + 7, 1024 + 7, 1, 's', 1), (7, 2 * 1024 + 7, 1024 + 7, 2, 's', 2), (7, 3 * 1024 + 7, 2 * 1024 + 7, 1, 's', 3);
INSERT INTO shows (id, title, description, genre_id)
SELECT 100 + n, 'Quay Side ' || n, 'Swing & more, part ' || n, (SELECT id FROM genres WHERE slug = 'folk') FROM generate_series(1, 2) n;
INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
SELECT 1, date_trunc('hour', now()) + n * interval '1 hour', date_trunc('hour', now()) + (n + 1) * interval '1 hour', 101 + n % 2
FROM generate_series(0, 5) n;
UPDATE stations SET name = 'Lantern Jazz, the "late" one 📻' WHERE id = 3;`;

test(
  'Kodi shows presets as radio channels in groups, with their programme, and plays them',
  { timeout: 300_000 },
  async (t) => {
    let token: string | undefined;
    await using served = await serveHouse(async (pool) => {
      await pool.query(ROWS);
      token = await addListToken(pool, 7);
    });
    const { house } = served;
    await startIcecast(house);
    const call = await startKodi(house, `http://${DIRECTORY}/lists/${token ?? assert.fail()}/presets.m3u`);

    const channels = await waitUntil('channels', () => channelsOf(call), 60_000);
    assert.deepEqual(
      channels.map(({ label }) => label),
      ['Harbour Folk', 'Town FM 97.9', "Lantern Jazz, the 'late' one 📻"],
    );
    const [folk] = channels;

    await t.test('groups are the folders of the account', async () => {
      const groups = await waitUntil('groups', async () => {
        const found = labelsOf((await call('PVR.GetChannelGroups', { channeltype: 'radio' })).channelgroups);
        return found.length > 2 ? found : undefined;
      });
      for (const name of ['Kitchen', "Bath, 'upstairs'"]) assert.ok(groups.includes(name), groups.join('; '));
    });

    await t.test('the guide comes from the schedule', async () => {
      const broadcasts = await waitUntil(
        'the guide',
        async () => {
          const found = labelsOf(
            (await call('PVR.GetBroadcasts', { channelid: folk?.channelid ?? 0 })).broadcasts,
          );
          return found.length >= 6 ? found : undefined;
        },
        60_000,
      );
      assert.deepEqual(new Set(broadcasts), new Set(['Quay Side 1', 'Quay Side 2']));
    });

    await t.test('it plays', async () => {
      await call('Player.Open', { item: { channelid: folk?.channelid ?? 0 } });
      await waitUntil(
        'Kodi is a listener of the stream',
        async () => (await isHeard(house)) || undefined,
        60_000,
      );
      const [first] = await secondsPlayed(call);
      await waitUntil(
        'it goes on',
        async () => {
          const [now, speed] = await secondsPlayed(call);
          return (speed === 1 && now > first) || undefined;
        },
        60_000,
      );
    });
  },
);

interface Status {
  icestats: { source: { listenurl: string; listeners: number }[] };
}

async function isHeard(house: House): Promise<boolean> {
  const status: Status = JSON.parse(
    await house.run('curl', ['-fsS', '-m', '5', 'http://stream.example.net/status-json.xsl']),
  );
  const folk = status.icestats.source.find(({ listenurl }) => listenurl.endsWith('/harbourfolk-128.mp3'));
  return folk !== undefined && folk.listeners > 0;
}

async function secondsPlayed(call: KodiCall): Promise<[seconds: number, speed: number]> {
  const properties = ['time', 'speed'];
  const { time, speed = 0 } = await call('Player.GetProperties', { playerid: 0, properties });
  return [time ? time.hours * 3600 + time.minutes * 60 + time.seconds : 0, speed];
}

async function channelsOf(call: KodiCall): Promise<Channel[] | undefined> {
  const { channels = [] } = await call('PVR.GetChannels', { channelgroupid: 'allradio' });
  return channels.length >= 3 ? channels : undefined;
}

const labelsOf = (items: readonly Pick<Channel, 'label'>[] = []): string[] => items.map(({ label }) => label);
