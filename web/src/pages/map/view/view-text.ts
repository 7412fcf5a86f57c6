import type { View } from './view.ts';
import { latitudeOf, longitudeOf, worldPoint } from './world.ts';

/** `52.52,13.4,6`: a view in an address, latitude first as people write it. */
export const writeView = ({ x, y, zoom }: View): string =>
  [latitudeOf(y).toFixed(3), longitudeOf(x).toFixed(3), zoom.toFixed(2)].map(Number).join(',');

const THREE_NUMBERS = /^(-?\d{1,2}(?:\.\d{1,6})?),(-?\d{1,3}(?:\.\d{1,6})?),(-?\d{1,2}(?:\.\d{1,3})?)$/;

export function parseView(text: string | null): View | undefined {
  const found = THREE_NUMBERS.exec(text ?? '');
  if (!found) return undefined;
  const [latitude = 0, longitude = 0, zoom = 0] = found.slice(1).map(Number);
  return { ...worldPoint(longitude, latitude), zoom };
}
