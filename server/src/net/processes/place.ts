/** Which of how many processes of a command this is, counted from 0. */
export interface ProcessPlace {
  place: number;
  of: number;
}

/** A process is told which place it has, and of how many, by an argument that `ps` shows. */
export const writePlace = (place: number, of: number): string => `${place + 1}/${of}`;

/** Undefined for what is no place. */
export function parsePlace(text: string): ProcessPlace | undefined {
  const [, place, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  return place !== undefined && of !== undefined && place >= 1 && place <= of
    ? { place: place - 1, of }
    : undefined;
}
