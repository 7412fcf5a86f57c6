import {
  addEntry,
  emptySchedule,
  type ParsedSchedule,
  parseInstant,
  passOver,
  type ScheduleParser,
  scheduledShow,
} from './schedule.ts';
import { childrenOf, childText, readElements, type XmlElement } from './xml-elements.ts';

const PROGRAMME = new Set(['programme']);
const MAX_CHANNELS_NAMED = 10;

/** XMLTV: programmes of channels. For a file with several, the channel must be given. */
export const parseXmltv: ScheduleParser = (text, { channel }) => {
  const schedule = emptySchedule();
  const channels = new Set<string>();
  let isThere = false;
  readElements(text, { root: 'tv', names: PROGRAMME }, (element) => {
    const of = element.attributes.get('channel') ?? '';
    if (channels.size <= MAX_CHANNELS_NAMED) channels.add(of);
    if (channel === undefined ? channels.size > 1 : of !== channel) return;
    isThere = true;
    addProgramme(schedule, element);
  });
  const isClear = channel === undefined ? channels.size < 2 : isThere;
  if (!isClear) throw unclearChannel(channel, [...channels].slice(0, MAX_CHANNELS_NAMED));
  return schedule;
};

const unclearChannel = (channel: string | undefined, channels: readonly string[]): Error =>
  new Error(
    `the file ${channel === undefined ? 'has several channels' : `has no channel '${channel}'`}: choose one with --channel, such as ${channels.join(', ')}`,
  );

function addProgramme(schedule: ParsedSchedule, element: XmlElement): void {
  const show = scheduledShow({
    title: childText(element, 'title'),
    description: childText(element, 'desc'),
    hosts: presenters(element),
    genre: childText(element, 'category'),
    image: childrenOf(element, 'icon')[0]?.attributes.get('src'),
    homepage: childText(element, 'url'),
  });
  const start = parseXmltvTime(element.attributes.get('start') ?? '');
  const stop = element.attributes.get('stop');
  const end = stop === undefined ? undefined : parseXmltvTime(stop);
  if (show && start && (end || stop === undefined)) addEntry(schedule, { ...show, start, end });
  else
    passOver(
      schedule,
      show ? `"${show.title}": the start or stop is not a time` : 'a programme without a title',
    );
}

const presenters = (element: XmlElement): string =>
  childrenOf(element, 'credits')
    .flatMap((credits) => childrenOf(credits, 'presenter'))
    .map(({ text }) => text.trim())
    .join(', ');

const TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?(?:\s*([+-]\d{2}):?(\d{2})|\s*(?:UTC|GMT|Z))?$/;

/** `20260329060000 +0200`; without an offset it is in UTC, as the format says. */
export function parseXmltvTime(text: string): Temporal.Instant | undefined {
  const found = TIME.exec(text.trim());
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second = '00', hours = '+00', minutes = '00'] = found;
  return parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}${hours}:${minutes}`);
}
