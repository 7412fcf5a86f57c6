import type { Layout } from './layout.ts';

/** A call of this service. The writer puts the caller's global parameters after `params`, and `filter` after those. */
export interface Target {
  path: string;
  params: readonly (readonly [name: string, value: string])[];
  filter?: string | undefined;
}

export const linkTo = (path: string, ...params: Target['params']): Target => ({ path, params });

/** A file of this host, such as a logo: the origin goes in front, nothing is appended. */
export interface HostFile {
  path: string;
}

/** An address elsewhere, written unchanged. */
export interface Address {
  address: string;
}

export type LinkPlace = Target | HostFile | Address;

/**
 * A line that a listener sees or follows. Names are those on the wire in camel case; an omitted property is not
 * written.
 */
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
  attributes?: readonly (readonly [name: string, value: string | LinkPlace])[] | undefined;
  children?: readonly Outline[] | undefined;
  /** For an outline in many menus: its last serialisation. */
  kept?: KeptLine | undefined;
  object?: DescribedObject | undefined;
  /** Instead of this outline: many lines, cached after they were first written. */
  run?: LineRun | undefined;
}

/** Lines of one kind, each with one link of ours, which are written once and then copied. */
export interface LineSource {
  /** The cache belongs to this object and is collected with it. */
  owner: object;
  /** Names them among the owner's. */
  kind: string;
  /** Lines are numbered from 0 to one less than this. */
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

/** An outline as written for one origin; one text more than it has links of ours. */
interface KeptTexts {
  origin: string;
  layout: Layout;
}

/** The last serialisation of an outline that is in many menus. It is collected with the outline. */
export interface KeptLine {
  /** The outline this belongs to: a modified copy refers to it too, and must be written anew. */
  of: Outline;
  written: { xml?: KeptTexts | undefined; json?: KeptTexts | undefined };
}

export type FieldValue = string | number | boolean | null | LinkPlace;

/** One described item. Field names are camel case and in the order they are written. */
export interface DescribedObject {
  element: 'station' | 'show' | 'topic' | 'nowplaying' | 'audio' | 'device' | 'stream';
  fields: readonly (readonly [name: string, value: FieldValue])[];
}

export interface OpmlDocument {
  title?: string | undefined;
  /** Default 200. */
  status?: number | undefined;
  fault?: string | undefined;
  faultCode?: string | undefined;
  outlines: readonly Outline[];
  /** Why the answer is as it is: in JSON beside the body, in XML after its outlines. Only on request. */
  explain?: readonly Outline[] | undefined;
}

/** An immutable outline that will be part of many menus. */
export function keptOutline(outline: Outline): Outline {
  const line: Outline = { ...outline };
  line.kept = { of: line, written: {} };
  return line;
}

/**
 * The outlines that are written. Clients fail on an empty group (a typeless outline without children), and on a text
 * line inside a group; a group left with nothing else is dropped too. An empty preset folder is of type `container`
 * and stays.
 */
export function shownOutlines(outlines: readonly Outline[]): readonly Outline[] {
  return outlines.every(isShown) ? outlines : outlines.filter(isShown);
}

/** The children of an outline that are written. */
export function shownChildren({ type, children }: Outline): readonly Outline[] {
  if (!children) return NONE;
  if (type !== undefined) return shownOutlines(children);
  return children.every(isShownInGroup) ? children : children.filter(isShownInGroup);
}

const NONE: readonly Outline[] = [];

const isShownInGroup = (child: Outline): boolean => child.type !== 'text' && isShown(child);

const isShown = (outline: Outline): boolean =>
  outline.type !== undefined ||
  outline.attributes !== undefined ||
  outline.value !== undefined ||
  shownChildren(outline).length > 0;

interface Head {
  title?: string | undefined;
  status: string;
  fault?: string | undefined;
  faultCode?: string | undefined;
}

/** The head for both notations. A failure always has a fault: clients show it without checking that it exists. */
export function headOf(document: OpmlDocument): Head {
  const status = document.status ?? (document.fault ? 500 : 200);
  if (status === 200) return { title: document.title, status: '200' };
  const fault = document.fault || `The call failed with status ${status}`;
  return { status: String(status), fault, faultCode: document.faultCode };
}
