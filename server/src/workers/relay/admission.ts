import type { HandedListener } from './supervisor.ts';

/** A radio that changes stations has two connections for a moment; one more is somebody else with its address. */
const MAX_PER_WHO = 2;

export interface AdmissionLimits {
  listeners: number;
  perAddress: number;
  /** Of one partner. */
  perPartner: number;
}

type Refused = 'full' | 'who' | 'peer' | 'partner';

/** A listener's place; without one, why there is none. */
interface Place extends Disposable {
  readonly refusal: Refused | undefined;
  readonly text: string;
}

/** How many may listen: in all, from one address, with one signed address, and of one partner. */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #taken = new Map<string, number>();
  #listeners = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  take({ who, peer, partner }: Pick<HandedListener, 'who' | 'peer' | 'partner'>): Place {
    const { listeners, perAddress, perPartner } = this.#limits;
    if (this.#listeners >= listeners) return refused('full', 'the relay is full; try again in a minute');
    const keys = [`who ${who}`, `peer ${peer}`, ...(partner === undefined ? [] : [`partner ${partner}`])];
    if (this.#count(`who ${who}`) >= MAX_PER_WHO)
      return refused('who', 'this radio listens already; its address is for one radio');
    if (this.#count(`peer ${peer}`) >= perAddress)
      return refused('peer', 'too many radios listen at this address; see RELAY_PER_ADDRESS');
    if (partner !== undefined && this.#count(`partner ${partner}`) >= perPartner)
      return refused('partner', 'too many radios of this maker listen; see RELAY_PARTNER_LISTENERS');
    this.#listeners += 1;
    for (const key of keys) this.#taken.set(key, this.#count(key) + 1);
    return {
      refusal: undefined,
      text: '',
      [Symbol.dispose]: () => {
        this.#listeners -= 1;
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

const refused = (refusal: Refused, text: string): Place => ({
  refusal,
  text,
  [Symbol.dispose]: () => undefined,
});
