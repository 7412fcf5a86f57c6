/** One line of a menu. What a server says beyond the names here is in `attributes`, as it is written there. */
export interface Outline {
  /** `link`, `audio`, `text`, `container`, `search`, `object`; '' for a group. */
  type: string;
  text: string;
  /** What a link leads to, or what plays a station: hand the outline to `follow` or its id to `tune`. */
  url: string | undefined;
  key: string | undefined;
  guideId: string | undefined;
  presetId: string | undefined;
  /** The button it is saved on; only in presets. */
  presetNumber: number | undefined;
  /** `station`, `show`, `topic`, `url`. */
  item: string | undefined;
  subtext: string | undefined;
  image: string | undefined;
  bitrate: number | undefined;
  /** Of 100. */
  reliability: number | undefined;
  /** In a schedule: `2026-03-28T06:00:00`, in the time zone of the account, else UTC. */
  start: string | undefined;
  /** In seconds. */
  duration: number | undefined;
  isDefault: boolean;
  attributes: Readonly<Record<string, string>>;
  children: readonly Outline[];
  /** What Describe tells about one station, show or topic. */
  described: Described | undefined;
}

/** The fields of a described item by their names on the wire, all as text; unknown ones are ''. */
export interface Described {
  kind: string;
  fields: Readonly<Record<string, string>>;
}

export interface Menu {
  title: string | undefined;
  outlines: readonly Outline[];
}

export function toOutline(
  attributes: Readonly<Record<string, string>>,
  children: readonly Outline[] = [],
  described?: Described,
): Outline {
  const { type = '', text = '', URL: url, key, item, subtext, image, start } = attributes;
  const { guide_id: guideId, preset_id: presetId } = attributes;
  const number = (name: string): number | undefined => parseNumber(attributes[name]);
  return {
    type,
    text,
    url,
    key,
    guideId,
    presetId,
    presetNumber: number('preset_number'),
    item,
    subtext,
    image,
    bitrate: number('bitrate'),
    reliability: number('reliability'),
    start,
    duration: number('duration'),
    isDefault: attributes['is_default'] === 'true',
    attributes,
    children,
    described,
  };
}

export const parseNumber = (text: string | undefined): number | undefined =>
  text === undefined || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);

/** Every outline, groups and what is in them, from top to bottom. */
export function* everyOutline(outlines: readonly Outline[]): Generator<Outline> {
  for (const outline of outlines) {
    yield outline;
    yield* everyOutline(outline.children);
  }
}
