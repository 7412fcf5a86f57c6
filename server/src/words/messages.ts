import type { en } from './en.ts';

export type MessageKey = keyof typeof en;
/** A language's own words: all of them, which the compiler sees to. */
export type Messages = Readonly<Record<MessageKey, string>>;

/** One language: our own words, and every genre's name by slug; English leaves genres to the taxonomy, which is in English. */
export interface Translation {
  readonly messages: Messages;
  readonly genres: Readonly<Record<string, string>>;
}
