/** A radio that changes stations has two connections for a moment; one more is somebody else with its address. */
const MAX_PER_WHO = 2;

export interface AdmissionLimits {
  listeners: number;
  perAddress: number;
  /** Of one partner. */
  perPartner: number;
  /** Stations that are converted to MP3 at a time. */
  conversions: number;
}

/** A listener, or a station that is to be converted; one that another process has begun with is not refused. */
export type PlaceClaim =
  | { who: string; peer: string; partner?: string | undefined }
  | { converts: true; isBegun: boolean };

export interface PlaceRefusal {
  refusal: 'full' | 'who' | 'peer' | 'partner' | 'conversions';
  text: string;
}

/** A place until it is disposed of; without one, why there is none. */
export interface Place extends Disposable {
  readonly refused?: PlaceRefusal;
  /** By which other processes know it. */
  readonly number?: number;
  /** It goes to another process with its listener, and is not free then. */
  passOn?(): void;
}

/** Gives places: for one process, or for all of a machine. */
export interface Places {
  take(claim: PlaceClaim): Promise<Place>;
  /** One that came with its listener from another process. */
  adopt(number: number | undefined, claim: PlaceClaim): Promise<Place>;
}

/** How many may listen: in all, from one address, with one signed address, and of one partner; how many are converted. */
export class Admission implements Places {
  readonly #limits: AdmissionLimits;
  readonly #taken = new Map<string, number>();

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  // oxlint-disable-next-line require-await -- as where another process is asked
  async take(claim: PlaceClaim): Promise<Place> {
    return this.admit(claim);
  }

  adopt(_number: number | undefined, claim: PlaceClaim): Promise<Place> {
    return this.take(claim);
  }

  admit(claim: PlaceClaim): Place {
    const { listeners, conversions } = this.#limits;
    if ('converts' in claim) {
      if (!claim.isBegun && this.#count(CONVERTED) >= conversions)
        return refused(
          'conversions',
          'the relay converts as many stations as it may already; see RELAY_CONVERSIONS',
        );
      return this.#hold([CONVERTED]);
    }
    if (this.#count(LISTENERS) >= listeners)
      return refused('full', 'the relay is full; try again in a minute');
    return this.#admitListener(claim);
  }

  #admitListener({ who, peer, partner }: Exclude<PlaceClaim, { converts: true }>): Place {
    const { perAddress, perPartner } = this.#limits;
    const keys = [`who ${who}`, `peer ${peer}`, ...(partner === undefined ? [] : [`partner ${partner}`])];
    if (this.#count(`who ${who}`) >= MAX_PER_WHO)
      return refused('who', 'this radio listens already; its address is for one radio');
    if (this.#count(`peer ${peer}`) >= perAddress)
      return refused('peer', 'too many radios listen at this address; see RELAY_PER_ADDRESS');
    if (partner !== undefined && this.#count(`partner ${partner}`) >= perPartner)
      return refused('partner', 'too many radios of this maker listen; see RELAY_PARTNER_LISTENERS');
    return this.#hold([LISTENERS, ...keys]);
  }

  #hold(keys: readonly string[]): Place {
    for (const key of keys) this.#taken.set(key, this.#count(key) + 1);
    return {
      [Symbol.dispose]: () => {
        for (const key of keys) this.#leave(key);
      },
    };
  }

  #count(key: string): number {
    return this.#taken.get(key) ?? 0;
  }

  #leave(key: string): void {
    const left = this.#count(key) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}

const LISTENERS = 'listeners';
const CONVERTED = 'converted';

const refused = (refusal: PlaceRefusal['refusal'], text: string): Place => ({
  refused: { refusal, text },
  [Symbol.dispose]: () => undefined,
});
