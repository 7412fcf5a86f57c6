import type { Outline, LinkPlace } from './document.ts';
import { withQuestionMark } from './links.ts';
import type { Parts } from './parts.ts';

type Value = string | number | boolean | LinkPlace | undefined;

/**
 * The order of attributes, for every kind of outline. Radios depend on it: some read the third attribute as the URL
 * and the fourth as the bitrate, some match a whole line, some look for `text="` and would find it in `subtext="`.
 * Reading through functions takes half the time of reading by name: each call site sees few kinds of outline.
 */
const ATTRIBUTES: readonly (readonly [name: string, valueOf: (outline: Outline) => Value])[] = [
  ['type', (outline) => outline.type],
  ['text', (outline) => outline.text],
  ['URL', (outline) => (outline.type === 'search' ? undefined : outline.target)],
  ['url', (outline) => (outline.type === 'search' ? outline.target : undefined)],
  ['bitrate', (outline) => outline.bitrate],
  ['reliability', (outline) => outline.reliability],
  ['guide_id', (outline) => outline.guideId],
  ['station_id', (outline) => outline.stationId],
  ['title', (outline) => outline.title],
  ['stream_type', (outline) => outline.streamType],
  ['topic_duration', (outline) => outline.topicDuration],
  ['subtext', (outline) => outline.subtext],
  ['genre_id', (outline) => outline.genreId],
  ['formats', (outline) => outline.formats],
  ['playing', (outline) => outline.playing],
  ['playing_image', (outline) => outline.playingImage],
  ['show_id', (outline) => outline.showId],
  ['seconds_remaining', (outline) => outline.secondsRemaining],
  ['start', (outline) => outline.start],
  ['duration', (outline) => outline.duration],
  ['key', (outline) => outline.key],
  ['value', (outline) => outline.value],
  ['item', (outline) => outline.item],
  ['image', (outline) => outline.image],
  ['tz', (outline) => outline.tz],
  ['current_track', (outline) => outline.currentTrack],
  ['now_playing_id', (outline) => outline.nowPlayingId],
  ['media_type', (outline) => outline.mediaType],
  ['preset_number', (outline) => outline.presetNumber],
  ['preset_id', (outline) => outline.presetId],
  ['is_preset', (outline) => outline.isPreset],
  ['has_profile', (outline) => outline.hasProfile],
  ['is_available', (outline) => outline.isAvailable],
  ['subscription_required', (outline) => outline.subscriptionRequired],
  ['nav', (outline) => outline.nav],
  ['is_default', (outline) => outline.isDefault],
];

export const ATTRIBUTE_NAMES: readonly string[] = ATTRIBUTES.map(([name]) => name);

/** Every attribute of an outline, in wire order. */
export function addAttributes(parts: Parts, outline: Outline): void {
  for (const [name, valueOf] of ATTRIBUTES) {
    const value = valueOf(outline);
    if (value === undefined) continue;
    if (typeof value === 'string') parts.attribute(name, value);
    else if (typeof value !== 'object') parts.attribute(name, plainText(value));
    else if (value === outline.target) parts.attribute(name, linkOf(value));
    else parts.attribute(name, value);
  }
  if (outline.attributes) addOddAttributes(parts, outline.attributes);
}

const TAKEN: ReadonlySet<string> = new Set([...ATTRIBUTE_NAMES, 'element', 'children']);
const NAME = /^[A-Za-z][\w.-]*$/;

function addOddAttributes(parts: Parts, attributes: NonNullable<Outline['attributes']>): void {
  const seen = new Set<string>();
  for (const [name, value] of attributes) {
    if (TAKEN.has(name) || seen.has(name) || !NAME.test(name)) {
      throw new TypeError(
        `"${name}" cannot be an extra attribute: it is not a valid name, or the outline already has it`,
      );
    }
    seen.add(name);
    parts.attribute(name, value);
  }
}

/** `isPreset` -> `is_preset`, for the fields of a described object. */
export function fieldName(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`"${name}" cannot be a field: give it a name of letters`);
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const linkOf = (place: LinkPlace): LinkPlace =>
  'address' in place ? { address: withQuestionMark(place.address) } : place;

/** Clients parse these as integers and fail on anything else, so an unknown number is 0. */
function plainText(value: number | boolean): string {
  if (typeof value === 'boolean') return String(value);
  return Number.isFinite(value) ? String(Math.round(value)) : '0';
}
