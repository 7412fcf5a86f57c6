/**
 * Of what feeds tell: shows, their topics, menus of them. No call is told when a feed was saved, at a thousand a second,
 * so a menu is read again after half a minute. Who asks for what nobody asked for in five minutes waits for the new
 * one, and gets the old one for as long as the database is away.
 */
export const FED = { freshMs: 30_000, lateMs: 5 * 60_000, staleMs: 24 * 3_600_000 } as const;
