import { parseJson } from '../../lib/parse-json.ts';
import { parseInstant } from './parse-instant.ts';

/** JSON of somebody else's: nothing in it has the type one hopes for until it was looked at. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => isObject(one)) : [];

export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isObject(value) ? value : {};
};

export function textAt(object: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function parseScheduleJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`the schedule is not valid JSON: ${why}`, { cause: error });
  }
}

export const instantAt = (object: JsonObject, key: string): Temporal.Instant | undefined =>
  parseInstant(textAt(object, key));
