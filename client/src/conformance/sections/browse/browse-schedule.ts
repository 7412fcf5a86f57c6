import type { Section } from '../../check.ts';
import { expect, deps, NotShown } from '../../expect.ts';
import { expectEvery, expectHeard } from '../../expectations.ts';
import { attribute } from '../../opml.ts';
import {
  dateText,
  DAY,
  endOf,
  entriesOf,
  expectAtMostThreeDays,
  expectListed,
  expectWithin,
  HOUR,
  knownDay,
  schedule,
  showOnAir,
  startOf,
} from '../../schedule-entries.ts';

/** Specification 4.7: the schedule of a station. */
export const browseSchedule: Section = {
  id: '4.7',
  title: 'Browse station schedule',
  checks: [
    {
      id: '4.7-c-id',
      statement: 'c=schedule&id=s… gives the shows of a station',
      run: ({ subjects }) => subjects.schedule(),
    },
    {
      id: '4.7-id-required',
      statement: 'id is required',
      run: (kit) => kit.fault('/Browse.ashx?c=schedule'),
    },
    {
      id: '4.7-username',
      statement: 'with username: times in the zone of the account, named by tz',
      run: async (kit) => {
        const { username } = kit.options;
        deps(username, 'give --username');
        const answer = await schedule(kit, `forward=true&live=true&username=${encodeURIComponent(username)}`);
        expectEvery(answer, entriesOf(answer), 'a tz', (entry) => attribute(entry, 'tz') !== '');
        const inUtc = await schedule(kit, 'forward=true&live=true');
        const [own, utc] = [entriesOf(answer)[0], entriesOf(inUtc)[0]];
        if (!own || !utc) throw new NotShown('nothing is on in the next hours');
        const hours = (startOf(own) - startOf(utc)) / HOUR;
        const isZone = Math.abs(hours) <= 14 && Number.isInteger(hours * 4);
        expect(answer.reply, isZone, 'the same show, by the clock of a zone', `${hours} hours from UTC`);
      },
    },
    {
      id: '4.7-start',
      statement: 'start without stop gives a single day',
      run: async (kit) => {
        const day = await knownDay(kit);
        const answer = await schedule(kit, `start=${dateText(day)}`);
        expect(answer.reply, entriesOf(answer).length > 0, 'the shows of the day', 'none');
        expectWithin(answer, day, day + DAY);
      },
    },
    {
      id: '4.7-stop',
      statement: 'start and stop give the days between, the last one whole',
      run: async (kit) => {
        const day = await knownDay(kit);
        const answer = await schedule(kit, `start=${dateText(day)}&stop=${dateText(day + DAY)}`);
        expectWithin(answer, day, day + 2 * DAY);
        const last = await schedule(kit, `start=${dateText(day + DAY)}`);
        expectListed(answer, entriesOf(last));
      },
    },
    {
      id: '4.7-date-format',
      statement: 'dates are yyyymmdd; another form is told',
      run: async (kit) => {
        const { stationId } = await kit.subjects.schedule();
        await kit.fault(`/Browse.ashx?c=schedule&id=${stationId}&start=1.2.2026`);
      },
    },
    {
      id: '4.7-forward',
      statement: 'forward=true ignores start and stop and gives the next 24 to 36 hours',
      run: async (kit) => {
        const now = Date.now();
        const answer = await schedule(kit, 'forward=true&start=20010101&stop=20010102');
        expect(answer.reply, entriesOf(answer).length > 0, 'the shows to come', 'none');
        expectWithin(answer, now - HOUR, now + 36 * HOUR + HOUR / 60);
        const days = await schedule(kit, `start=${dateText(now)}&stop=${dateText(now + DAY)}`);
        const soon = entriesOf(days).filter((entry) => startOf(entry) > Date.now());
        expectListed(
          answer,
          soon.filter((entry) => startOf(entry) < now + DAY),
        );
      },
    },
    {
      id: '4.7-live',
      statement: 'live=true starts with the show on air',
      run: async (kit) => {
        const onAir = await showOnAir(kit);
        const answer = await schedule(kit, 'forward=true&live=true');
        const [first] = entriesOf(answer);
        const came = first ? attribute(first, 'start') : 'nothing';
        const expected = attribute(onAir, 'start');
        expect(answer.reply, came === expected, `the show that began at ${expected}`, came);
      },
    },
    {
      id: '4.7-not-live',
      statement: 'without live the list starts with the next show',
      run: async (kit) => {
        const answer = await schedule(kit, 'forward=true');
        expectEvery(
          answer,
          entriesOf(answer),
          'shows that have not begun',
          (entry) => startOf(entry) > Date.now() - HOUR / 60,
        );
      },
    },
    {
      id: '4.7-output',
      statement: 'entries are links with text, URL, guide_id, start, duration, image',
      run: async ({ subjects }) => {
        const { answer } = await subjects.schedule();
        const names = ['text', 'URL', 'guide_id', 'start', 'duration', 'image'];
        expectEvery(
          answer,
          entriesOf(answer),
          `type="link" and ${names.join(', ')}`,
          (entry) =>
            attribute(entry, 'type') === 'link' && names.every((name) => attribute(entry, name) !== ''),
        );
      },
    },
    {
      id: '4.7-order',
      statement: 'entries are in chronological order',
      run: async ({ subjects }) => {
        const { answer } = await subjects.schedule();
        const starts = entriesOf(answer).map((entry) => attribute(entry, 'start'));
        expect(
          answer.reply,
          starts.join() === starts.toSorted().join(),
          'starts that ascend',
          starts.join(' '),
        );
      },
    },
    {
      id: '4.7-utc',
      statement: 'without username times are in UTC',
      run: async (kit) => {
        const { answer } = await kit.subjects.schedule();
        const [first] = entriesOf(answer);
        if (!first) return;
        // Whatever is on air or comes next ends in the future, and soon enough, by the clock of UTC alone.
        const hours = (endOf(first) - Date.now()) / HOUR;
        expect(
          answer.reply,
          hours > -0.1 && hours < 36,
          'a show that ends in the next hours',
          attribute(first, 'start'),
        );
      },
    },
    {
      id: '4.7-tune',
      statement: 'the URL of an entry that is on air leads to what can be played',
      run: async (kit) => {
        const { answer } = await kit.subjects.schedule();
        const [first] = entriesOf(answer);
        if (first) await expectHeard(kit, attribute(first, 'URL'));
      },
    },
    {
      id: '4.7-without',
      statement: 'a station without a schedule returns none',
      run: async (kit) => {
        for (const station of await kit.subjects.stations()) {
          const id = attribute(station, 'guide_id');
          const answer = await kit.success(`/Browse.ashx?c=schedule&id=${id}&forward=true&live=true`);
          if (entriesOf(answer).length === 0) return;
        }
        throw new NotShown('every station that was found has a schedule');
      },
    },
    {
      id: '4.7-span',
      statement: 'a request spans at most 3 days',
      run: (kit) => expectAtMostThreeDays(kit),
    },
  ],
};
