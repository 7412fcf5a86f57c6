import { type Menu, type Outline, everyOutline } from './outline.ts';

/** What is looked for in a list that goes on, and the key of the line that leads on. */
export interface Paged {
  isWanted: (outline: Outline) => boolean;
  next: string;
}

export const STATIONS: Paged = {
  isWanted: ({ type, guideId }) => type === 'audio' && /^s\d+$/.test(guideId ?? ''),
  next: 'nextStations',
};

export const SHOWS: Paged = {
  isWanted: ({ guideId }) => /^p\d+$/.test(guideId ?? ''),
  next: 'nextShows',
};

/** Opens page after page as they are needed; a page that was seen already ends it, so that no circle is walked. */
export async function* walkPages(
  first: Menu,
  open: (next: Outline) => Promise<Menu>,
  { isWanted, next }: Paged,
): AsyncGenerator<Outline> {
  const seen = new Set<string>();
  for (let menu: Menu | undefined = first; menu;) {
    const outlines: Outline[] = [...everyOutline(menu.outlines)];
    yield* outlines.filter(isWanted);
    const more = outlines.find(({ key }) => key === next);
    if (more?.url === undefined || seen.has(more.url)) return;
    seen.add(more.url);
    menu = await open(more);
  }
}
