import {
  addEntry,
  emptySchedule,
  orUndefined,
  type ParsedSchedule,
  parseInstant,
  passOver,
  type ScheduleEntry,
  type ScheduleParser,
  type ScheduledShow,
  scheduledShow,
  widened,
} from './schedule.ts';
import { childrenOf, childText, readElements, type XmlElement } from './xml-elements.ts';

const WANTED = new Set(['scope', 'programme']);

/** RadioDNS SPI (ETSI TS 102 818), a programme information document of one service. */
export const parseSpi: ScheduleParser = (text) => {
  const schedule = emptySchedule();
  readElements(text, { root: 'epg', names: WANTED }, (element) => {
    if (element.name === 'scope') widen(schedule, element);
    else addProgramme(schedule, element);
  });
  return schedule;
};

function widen(schedule: ParsedSchedule, scope: XmlElement): void {
  const from = parseInstant(scope.attributes.get('startTime'));
  const until = parseInstant(scope.attributes.get('stopTime'));
  if (from && until) schedule.covers = widened(schedule.covers, { from, until });
}

function addProgramme(schedule: ParsedSchedule, element: XmlElement): void {
  const show = showOf(element);
  const times = timesOf(element, 'time').flatMap((time) => absolute(time) ?? []);
  if (!show || times.length === 0)
    return passOver(
      schedule,
      show ? `"${show.title}": no time with a duration` : 'a programme without a name',
    );
  for (const time of times) {
    addEntry(schedule, { ...show, ...time });
    for (const event of childrenOf(element, 'programmeEvent'))
      addEvent(schedule, event, { ...show, ...time });
  }
}

/** A part of a programme: at a time of its own, or at an offset from the programme's start. */
function addEvent(schedule: ParsedSchedule, element: XmlElement, parent: ScheduleEntry): void {
  const show = showOf(element);
  const times = [
    ...timesOf(element, 'time').flatMap((time) => absolute(time) ?? []),
    ...timesOf(element, 'relativeTime').flatMap((time) => relative(time, parent.start) ?? []),
  ];
  if (!show) return passOver(schedule, `a part of "${parent.title}" without a name`);
  for (const time of times) addEntry(schedule, { ...show, ...time, parent: parent.title });
}

const timesOf = (element: XmlElement, name: string): XmlElement[] =>
  childrenOf(element, 'location').flatMap((location) => childrenOf(location, name));

type Span = Pick<ScheduleEntry, 'start' | 'end'>;

function absolute({ attributes }: XmlElement): Span | undefined {
  const start = parseInstant(attributes.get('time'));
  const length = parseDuration(attributes.get('duration'));
  return start && length ? { start, end: start.add(length) } : undefined;
}

function relative({ attributes }: XmlElement, from: Temporal.Instant): Span | undefined {
  const after = parseDuration(attributes.get('time'));
  const length = parseDuration(attributes.get('duration'));
  if (!after || !length) return undefined;
  const start = from.add(after);
  return { start, end: start.add(length) };
}

function showOf(element: XmlElement): ScheduledShow | undefined {
  const media = childrenOf(element, 'mediaDescription');
  const pictures = media.flatMap((one) => childrenOf(one, 'multimedia'));
  const [genre] = childrenOf(element, 'genre');
  return scheduledShow({
    title: nameOf(element),
    description: firstOf(media, 'longDescription') ?? firstOf(media, 'shortDescription'),
    genre: genre && (childText(genre, 'name') ?? genre.text),
    image: pictures.map(({ attributes }) => attributes.get('url')).find((url) => url !== undefined),
    homepage: childrenOf(element, 'link')
      .map(({ attributes }) => attributes.get('uri') ?? attributes.get('url'))
      .find((uri) => uri?.startsWith('http')),
  });
}

const firstOf = (elements: readonly XmlElement[], name: string): string | undefined =>
  elements.map((element) => childText(element, name)).find((text) => text !== undefined);

/** The format's limit for a medium name. */
const MEDIUM_LENGTH = 16;

/** The medium name is the title, unless it has the maximum length and may be cut; long names add hosts and slogans. */
function nameOf(element: XmlElement): string | undefined {
  const medium = childText(element, 'mediumName');
  const long = childText(element, 'longName');
  if (medium !== undefined && (long === undefined || medium.length < MEDIUM_LENGTH)) return medium;
  return long ?? medium ?? childText(element, 'shortName');
}

const MAX_SECONDS = 10 * 86_400;
/** The usual form; reading it this way takes a tenth of the time. */
const PLAIN = /^PT(?=\d)(?:(\d{1,3})H)?(?:(\d{1,4})M)?(?:(\d{1,6})S)?$/;

/** `PT1H30M`; days are of 24 hours. Undefined if negative. */
function parseDuration(text: string | undefined): { seconds: number } | undefined {
  if (text === undefined) return undefined;
  const plain = PLAIN.exec(text);
  const seconds = plain ? plainSeconds(plain) : anySeconds(text);
  return seconds !== undefined && seconds <= MAX_SECONDS ? { seconds } : undefined;
}

const plainSeconds = ([, hours, minutes, seconds]: RegExpExecArray): number =>
  Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);

function anySeconds(text: string): number | undefined {
  const duration = orUndefined(() => Temporal.Duration.from(text));
  if (!duration || duration.sign < 0 || duration.years || duration.months || duration.weeks) return undefined;
  return Math.round(duration.total({ unit: 'seconds' }));
}
