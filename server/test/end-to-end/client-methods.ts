import type { DirectoryClient } from '../../../client/src/client.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const methodsOf = (value: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter((name) => name !== 'constructor');

/** `follow`, `browse.index`, … */
export const listMethods = (client: DirectoryClient): string[] => [
  ...methodsOf(client),
  ...Object.entries(client).flatMap(([group, calls]) =>
    isObject(calls) ? methodsOf(calls).map((method) => `${group}.${method}`) : [],
  ),
];

/** Notes the methods that are called, also on the clients made from this one. */
export function countingMethods(client: DirectoryClient, called: Set<string>): DirectoryClient {
  const counting = <T extends object>(target: T, prefix: string): T =>
    new Proxy(target, {
      get(_, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value === 'function') {
          called.add(`${prefix}${String(property)}`);
          const result: unknown = value.bind(target);
          return property === 'with' ? counted(value.bind(target)) : result;
        }
        return isObject(value) ? counting(value, `${String(property)}.`) : value;
      },
    });
  const counted =
    (make: DirectoryClient['with']): DirectoryClient['with'] =>
    (options) =>
      countingMethods(make(options), called);
  return counting(client, '');
}
