import type { en } from './en.ts';

export type MessageKey = keyof typeof en;
/** A language's words: all of them, which the compiler sees to. */
export type Messages = Readonly<Record<MessageKey, string>>;
export type Values = Readonly<Record<string, string | number>>;

/** `{name}` stands for a value; what no value is given for stays as it is written. */
export const fill = (message: string, values: Values): string =>
  message.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
