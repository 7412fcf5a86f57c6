import { coreRadius } from '../drawing/glow.ts';
import type { Mark } from '../drawing/marks.ts';
import { type ScreenPoint, type Size, type View, scaleOf, screenPoint } from '../view/view.ts';
import type { Room } from './country-room.ts';
import type { Place, Places } from './load-labels.ts';
import { Taken } from './taken.ts';

/** A name on the map, by the middle of its text. */
export interface Label extends ScreenPoint {
  name: string;
  kind: 'country' | 'town';
}

export interface Lettering {
  view: View;
  size: Size;
  marks: readonly Mark[];
  places: Places;
  /** Undefined where the country is too small to be drawn. */
  roomOf: (country: Place) => Room | undefined;
  widthOf: (name: string, kind: Label['kind']) => number;
}

/** Farther away, towns would be all over each other; nearer, the country is known. */
const TOWNS_FROM_ZOOM = 1.6;
const COUNTRIES_UNTIL_ZOOM = 6.5;
/** From here on, small countries are named beside their largest town. */
const SMALL_COUNTRIES_FROM_ZOOM = 4;
/** Of the map, in pixels: more names than this cannot be read at a glance. */
const PIXELS_PER_LABEL = 13_000;
export const LINE_HEIGHT = { country: 18, town: 16 } as const;
/** A light this near is the town's: nearby places share one. */
const NEAR_PIXELS = 26;
const BESIDE_PIXELS = 4;

/** Which names there is room for, the most important first, and where: no two overlap. */
export function placeLabels(lettering: Lettering): Label[] {
  const { view, size } = lettering;
  const taken = new Taken(size);
  const most = Math.max(6, Math.round((size.width * size.height) / PIXELS_PER_LABEL));
  const labels: Label[] = [];
  if (view.zoom < COUNTRIES_UNTIL_ZOOM) placeCountries(lettering, taken, labels);
  if (view.zoom >= TOWNS_FROM_ZOOM) placeTowns(lettering, taken, labels, most + labels.length);
  return labels;
}

function placeCountries({ view, size, places, roomOf, widthOf }: Lettering, taken: Taken, to: Label[]): void {
  const scale = scaleOf(view.zoom);
  for (const country of places.countries) {
    const room = roomOf(country);
    const width = widthOf(country.name, 'country');
    const fits = room !== undefined && width <= room.width * scale;
    if (!fits && view.zoom < SMALL_COUNTRIES_FROM_ZOOM) continue;
    const { left, top } = screenPoint(view, size, room ?? country);
    // A view wider than the world shows the same country in the east and west.
    for (const at of [left - scale, left, left + scale])
      if (taken.take({ left: at, top }, width, LINE_HEIGHT.country))
        to.push({ name: country.name, kind: 'country', left: at, top });
  }
}

function placeTowns(lettering: Lettering, taken: Taken, to: Label[], most: number): void {
  const { view, size, places, widthOf } = lettering;
  const lights = new Lights(lettering);
  for (const town of places.towns) {
    if (to.length >= most) return;
    const at = screenPoint(view, size, town);
    if (!taken.isWithin(at)) continue;
    const light = lights.nearest(at);
    if (!light) continue;
    const width = widthOf(town.name, 'town');
    const spot = spotsBeside(light, width).find((each) => taken.take(each, width, LINE_HEIGHT.town));
    if (!spot) continue;
    lights.remove(light);
    to.push({ name: town.name, kind: 'town', ...spot });
  }
}

interface Light extends ScreenPoint {
  radius: number;
}

/** Right of its light, left, under it, over it. */
function spotsBeside({ left, top, radius }: Light, width: number): ScreenPoint[] {
  const aside = radius + BESIDE_PIXELS + width / 2;
  const away = radius + LINE_HEIGHT.town / 2 + 1;
  return [
    { left: left + aside, top },
    { left: left - aside, top },
    { left, top: top + away },
    { left, top: top - away },
  ];
}

/** The lights that have no name yet, found by where they are. */
class Lights {
  readonly #fields = new Map<string, Light[]>();

  constructor({ view, size, marks }: Lettering) {
    for (const mark of marks) {
      const light = { ...screenPoint(view, size, mark), radius: coreRadius(mark.count, view.zoom) };
      const field = this.#fields.get(fieldOf(light));
      if (field) field.push(light);
      else this.#fields.set(fieldOf(light), [light]);
    }
  }

  nearest({ left, top }: ScreenPoint): Light | undefined {
    let [nearest, least] = [undefined as Light | undefined, NEAR_PIXELS];
    for (const right of [-NEAR_PIXELS, 0, NEAR_PIXELS])
      for (const down of [-NEAR_PIXELS, 0, NEAR_PIXELS])
        for (const light of this.#fields.get(fieldOf({ left: left + right, top: top + down })) ?? []) {
          const distance = Math.hypot(light.left - left, light.top - top);
          if (distance < least) [nearest, least] = [light, distance];
        }
    return nearest;
  }

  remove(light: Light): void {
    const field = this.#fields.get(fieldOf(light));
    field?.splice(field.indexOf(light), 1);
  }
}

const fieldOf = ({ left, top }: ScreenPoint): string =>
  `${Math.floor(left / NEAR_PIXELS)} ${Math.floor(top / NEAR_PIXELS)}`;
