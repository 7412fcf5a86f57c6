import type { ShowRecord } from '../../intake/feeds/show-record.ts';

/** One show of a list, by the address of its feed. */
export interface ListedShow extends ShowRecord {
  feedAddress: string;
}

/** What a list hands over: a show, or the reason why something in it is none. */
export type ListItem = { show: ListedShow } | { refused: string; at: string };
