import type { PaintLabels } from '../drawing/paint-ground.ts';
import { type Room, roomAround } from './country-room.ts';
import { type Place, type Places, loadPlaces } from './load-labels.ts';
import { type Label, placeLabels } from './place-labels.ts';

/** Loads the places, and returns how to letter a map with them. */
export async function openLabels(language: string, signal: AbortSignal): Promise<PaintLabels> {
  return letter(await loadPlaces(language, signal));
}

/** More names than this are forgotten and measured again. */
const MAX_WIDTHS = 4000;

function letter(places: Places): PaintLabels {
  const rooms = new Map<Place, Room | undefined>();
  const widths = new Map<string, number>();
  return (brush, { view, size, marks, land, colours }) => {
    const fontOf = (kind: Label['kind']): string =>
      `${kind === 'country' ? '600 13px' : '500 12px'} ${colours.font}`;
    const widthOf = (name: string, kind: Label['kind']): number => {
      const key = kind + name;
      const known = widths.get(key);
      if (known !== undefined) return known;
      if (widths.size >= MAX_WIDTHS) widths.clear();
      brush.font = fontOf(kind);
      const { width } = brush.measureText(name);
      widths.set(key, width);
      return width;
    };
    const roomOf = (country: Place): Room | undefined => {
      // Asked again until the coasts are there.
      if (!rooms.has(country) && land) rooms.set(country, roomAround(land.outlines, country));
      return rooms.get(country);
    };
    const labels = placeLabels({ view, size, marks, places, roomOf, widthOf });
    brush.textAlign = 'center';
    brush.textBaseline = 'middle';
    brush.lineJoin = 'round';
    brush.lineWidth = 3;
    for (const kind of ['country', 'town'] as const) {
      brush.font = fontOf(kind);
      brush.strokeStyle = colours.land;
      brush.fillStyle = kind === 'country' ? colours.quiet : colours.ink;
      for (const label of labels) if (label.kind === kind) paintLabel(brush, label);
    }
  };
}

/** With an edge in the colour of the land, so that it can be read across coasts and lights. */
function paintLabel(brush: CanvasRenderingContext2D, { name, left, top }: Label): void {
  brush.strokeText(name, left, top);
  brush.fillText(name, left, top);
}
