/**
 * A refusal the caller is told about: `status` and `code` go into the document's head (the codes are the wire's own,
 * listed in docs/protocol.md), the message says what was wrong and what to do. Anything else thrown is a 500.
 */
export class Fault extends Error {
  override name = 'Fault';
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
