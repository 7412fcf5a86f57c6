/** The directory refused: what was wrong is in `message`, and `code` names it for a program. */
export class DirectoryFault extends Error {
  override name = 'DirectoryFault';
  /** Of the protocol, such as 400, 401, 403, 404; 429 and 503 ask to come back later. */
  readonly status: number;
  /** Such as `validation.userNameExists`; '' where there is none. */
  readonly code: string;
  /** How long to wait before the call is made again, where the directory says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer came, or none that can be understood; the cause says more. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}
