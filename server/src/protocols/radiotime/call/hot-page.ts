import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import type { ByteText } from '../../../formats/opml/byte-text.ts';
import type { Outcome } from '../../../net/http/metrics.ts';
import type { Reply } from '../../../net/http/respond.ts';
import type { MenuWatch } from './endpoint.ts';
import type { KeptMenu } from './menu-cache.ts';
import type { ParsedQuery } from './parse-query.ts';

/** What everybody gets who asks with these words, and what has to be the same for that. */
export interface HotPage {
  reply: Omit<Reply, 'body'>;
  outcome: Outcome;
  watch: MenuWatch;
  /** What was asked, for the notes; it names nobody. */
  path: string;
  what: string;
  reading: ParsedQuery;
  partner: PartnerRow | undefined;
  /** The start of its links. */
  origin: string;
  /** Of the header that told the language; null where the parameters did. */
  acceptLanguage: string | undefined | null;
}

export interface HotAnswer extends HotPage {
  body: Buffer;
}

/** The same page for the devices of a partner, whose serial is in its links. */
export interface HotMenu extends HotPage {
  partner: PartnerRow;
  /** Weakly: how many menus are in memory is the menu cache's to say. */
  menu: WeakRef<KeptMenu>;
  /** The suffix of its links, around the serial, as it is written in the notation of the menu. */
  suffix: readonly [before: ByteText, after: ByteText];
  /** Whether a device is known to have no saved items, which would be marked. */
  savesNothing: (serialKey: string) => boolean;
}
