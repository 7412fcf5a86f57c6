import { successOf, type Answer } from './answer.ts';
import { expect } from './expect.ts';
import { attribute, type WireOutline } from './opml.ts';

type Params = Readonly<Record<string, string>>;

/** A device or an account, with what it saves and what is then read. */
export class Saver {
  readonly serial: string;
  readonly #ask: (c: string, params: Params) => Promise<Answer>;
  readonly #read: (params: Params) => Promise<Answer>;

  constructor(
    serial: string,
    ask: (c: string, params: Params) => Promise<Answer>,
    read: (params: Params) => Promise<Answer>,
  ) {
    this.serial = serial;
    this.#ask = ask;
    this.#read = read;
  }

  /** An action of Preset that succeeds. */
  async done(c: string, params: Params = {}): Promise<Answer> {
    return successOf(await this.#ask(c, params));
  }

  /** One that is refused, and says why. */
  async refused(c: string, params: Params = {}): Promise<void> {
    expectFault(await this.#ask(c, params));
  }

  /** The id that a new folder is given. */
  async addFolder(name: string): Promise<string> {
    const { reply, document } = await this.done('addFolder', { name });
    const id = document.outlines[0] ? attribute(document.outlines[0], 'guide_id') : '';
    expect(reply, /^f\d+$/.test(id), 'an outline with the guide_id f… of the folder', id);
    return id;
  }

  /** What is saved: in a folder, or in the only one. */
  async presets(folderId?: string): Promise<Answer> {
    return successOf(await this.#read(folderId === undefined ? {} : { guide_id: folderId }));
  }

  /** Exactly these ids are saved. */
  async expectSaved(ids: readonly string[], folderId?: string): Promise<readonly WireOutline[]> {
    const { reply, document } = await this.presets(folderId);
    const came = document.outlines.map((outline) => attribute(outline, 'guide_id'));
    expect(
      reply,
      came.join() === ids.join(),
      `the presets ${ids.join(', ') || 'of nobody'}`,
      came.join(', '),
    );
    return document.outlines;
  }
}

/** A status other than 200, with words. */
export function expectFault({ reply, document }: Answer, status = '', code = ''): void {
  const came = `${document.status} ${document.faultCode ?? ''}`;
  const isFault = document.status !== '200' && (status === '' || document.status === status);
  expect(reply, isFault && (code === '' || document.faultCode === code), `a fault ${status} ${code}`, came);
  expect(reply, (document.fault ?? '') !== '', 'a <fault> that says what was wrong', 'none');
}
