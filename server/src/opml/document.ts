import type { ByteText } from './byte-text.ts';

/** A call of this service. The writer puts the caller's global parameters after `params`, and `filter` after those. */
export interface Target {
  path: string;
  params: readonly (readonly [name: string, value: string])[];
  filter?: string | undefined;
}

/** A file of this host, such as a logo: the origin goes in front, nothing is appended. */
export interface HostFile {
  path: string;
}

/** An address somewhere else, written as it is. */
export interface Address {
  address: string;
}

export type Place = Target | HostFile | Address;

/** What a listener is shown or follows. Names are the wire's in camel case; a property left out is not written. */
export interface Outline {
  /** Absent on a group, which is then written only when it has children. */
  type?: 'link' | 'audio' | 'text' | 'object' | 'search' | 'container' | undefined;
  text: string;
  target?: Target | Address | undefined;
  bitrate?: number | undefined;
  reliability?: number | undefined;
  guideId?: string | undefined;
  stationId?: string | undefined;
  title?: string | undefined;
  streamType?: 'download' | 'ondemand' | 'live' | undefined;
  topicDuration?: number | undefined;
  subtext?: string | undefined;
  genreId?: string | undefined;
  formats?: string | undefined;
  playing?: string | undefined;
  playingImage?: HostFile | Address | undefined;
  showId?: string | undefined;
  secondsRemaining?: number | undefined;
  /** Local time of a schedule entry, `yyyy-mm-ddThh:mm:ss`. */
  start?: string | undefined;
  duration?: number | undefined;
  key?: string | undefined;
  value?: string | undefined;
  item?: 'station' | 'show' | 'topic' | 'url' | undefined;
  image?: HostFile | Address | undefined;
  tz?: string | undefined;
  currentTrack?: string | undefined;
  nowPlayingId?: string | undefined;
  mediaType?: string | undefined;
  presetNumber?: number | undefined;
  presetId?: string | undefined;
  /** Only ever true: clients take the attribute's presence for the answer. */
  isPreset?: true | undefined;
  hasProfile?: boolean | undefined;
  isAvailable?: boolean | undefined;
  subscriptionRequired?: boolean | undefined;
  nav?: 'stop' | undefined;
  isDefault?: boolean | undefined;
  /** Attributes outside the dialect's common set, in wire spelling (`albumart.url`); written last. */
  attributes?: readonly (readonly [name: string, value: string | Place])[] | undefined;
  children?: readonly Outline[] | undefined;
  /** On an outline that stands in many menus: what it was last written as. */
  kept?: KeptLine | undefined;
  object?: DescribedObject | undefined;
  /** Instead of this outline: many lines, kept as they were written once. */
  run?: LineRun | undefined;
}

/** Lines of a kind that are written once, each with one link of ours, and copied from then on. */
export interface LineSource {
  /** Whose they are; what is kept of them goes when it goes. */
  owner: object;
  /** Names them among the owner's. */
  kind: string;
  /** There are lines from 0 to one less than this. */
  count: number;
  outlineOf: (line: number) => Outline;
}

/** Some of those, in this order. */
export interface LineRun {
  source: LineSource;
  lines: readonly number[];
  /** The filter of each link. */
  filter: string | undefined;
}

/** What an outline was written as for one origin; one text more than it has links of ours. */
export interface KeptTexts {
  origin: string;
  texts: readonly ByteText[];
}

/** Of an outline that stands in many menus: what it was last written as. It goes when the outline goes. */
export interface KeptLine {
  /** The outline this belongs to: a copy that says something else has it too, and is written as what it is. */
  of: Outline;
  written: { xml?: KeptTexts | undefined; json?: KeptTexts | undefined };
}

export type FieldValue = string | number | boolean | null | Place;

/** One described item. Field names are camel case and in the order they are written. */
export interface DescribedObject {
  element: 'station' | 'show' | 'topic' | 'nowplaying' | 'audio' | 'device' | 'stream';
  fields: readonly (readonly [name: string, value: FieldValue])[];
}

export interface OpmlDocument {
  title?: string | undefined;
  /** 200 unless told. */
  status?: number | undefined;
  fault?: string | undefined;
  faultCode?: string | undefined;
  outlines: readonly Outline[];
  /** Why the answer is what it is: in JSON beside the body, in XML behind its outlines. Only for who asks for it. */
  explain?: readonly Outline[] | undefined;
}
