const NO_IDS: readonly number[] = Object.freeze([]);

/**
 * The few texts that many rows repeat ('FM', 'mp3', '97.9'), each kept once; every row brings a string of its own. One
 * for each reading of the catalogue, so that it goes with it.
 */
export class SharedTexts {
  readonly #known = new Map<string, string>();

  of(text: string | null): string | undefined {
    if (text === null) return undefined;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, text);
    return text;
  }
}

/**
 * `12,5` -> [12, 5]; the same text gives the same array. Stations have few combinations of genres and languages, so what
 * is worked out for an array is worked out for all its stations.
 */
export class SharedIdLists {
  readonly #known = new Map<string, readonly number[]>();

  of(text: string | null | undefined): readonly number[] {
    if (!text) return NO_IDS;
    const known = this.#known.get(text);
    if (known) return known;
    const ids = text.split(',').map(Number);
    this.#known.set(text, ids);
    return ids;
  }
}
