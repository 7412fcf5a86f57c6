import type { Socket } from 'node:net';
import type { SupervisorLink, WorkerDuties } from '../../../net/processes/supervisor-link.ts';
import type { PlaceClaim, Place, Places } from '../admission.ts';
import {
  ASK_PLACE,
  type HandedListener,
  type HandedCall,
  type PlaceAnswer,
  type RelayMessage,
} from './messages.ts';

/** What a process of a relay is asked beside what all are. */
export interface RelayDuties extends Omit<WorkerDuties, 'hear'> {
  /** A listener of another process, in the middle of the sound. */
  adopt(listener: HandedListener, socket: Socket): void;
  /** A call that another process has read. */
  answer(call: HandedCall, socket: Socket): void;
}

/** A process of a relay, as it speaks with the first one about places and connections. */
export class RelayLink implements Places {
  readonly #link: SupervisorLink;

  constructor(link: SupervisorLink) {
    this.#link = link;
  }

  begin(duties: RelayDuties): void {
    this.#link.begin({
      leave: () => duties.leave(),
      report: () => duties.report(),
      // oxlint-disable-next-line no-unsafe-type-assertion -- from our own process
      hear: (message, socket) => this.#hear(message as RelayMessage, socket, duties),
    });
  }

  async take(claim: PlaceClaim): Promise<Place> {
    // oxlint-disable-next-line no-unsafe-type-assertion -- the answer to this very question
    const answer = (await this.#link.ask(ASK_PLACE, claim)) as PlaceAnswer;
    return 'place' in answer
      ? this.#held(answer.place)
      : { refused: answer, [Symbol.dispose]: () => undefined };
  }

  /** It is in the first process's book already. */
  async adopt(number: number | undefined, claim: PlaceClaim): Promise<Place> {
    return number === undefined ? this.take(claim) : this.#held(number);
  }

  give(listener: HandedListener, socket: Socket): Promise<void> {
    return this.#send({ relay: 'listener', listener }, socket);
  }

  /** To the process in that place. */
  passOn(call: HandedCall, owner: number, socket: Socket): Promise<void> {
    return this.#send({ relay: 'call', call, owner }, socket);
  }

  #hear(
    message: RelayMessage,
    socket: Socket | undefined,
    duties: Pick<RelayDuties, 'adopt' | 'answer'>,
  ): void {
    if (message.relay !== 'listener' && message.relay !== 'call') return;
    void this.#send({ relay: 'taken', number: message.number ?? 0 });
    if (message.relay === 'call' && socket) duties.answer(message.call, socket);
    if (message.relay === 'listener') this.#adopted(message.listener, socket, duties);
  }

  /** Whoever hung up on the way leaves its place. */
  #adopted(listener: HandedListener, socket: Socket | undefined, duties: Pick<RelayDuties, 'adopt'>): void {
    if (socket) duties.adopt(listener, socket);
    else if (listener.place !== undefined) void this.#send({ relay: 'leave', place: listener.place });
  }

  #held(number: number): Place {
    let isHere = true;
    return {
      number,
      passOn: () => void (isHere = false),
      [Symbol.dispose]: () => {
        if (isHere) void this.#send({ relay: 'leave', place: number });
      },
    };
  }

  #send(message: RelayMessage, socket?: Socket): Promise<void> {
    return this.#link.send(message, socket);
  }
}
