import { AccountCalls } from './account.ts';
import { BrowseCalls } from './browse.ts';
import { ConfigCalls } from './config.ts';
import { type CallOptions, type ClientOptions, Connection } from './connection.ts';
import { DescribeCalls } from './describe.ts';
import type { Menu, Outline } from './outline.ts';
import { SHOWS, STATIONS, walkPages } from './pages.ts';
import { PresetCalls } from './preset.ts';
import { ReportCalls } from './report.ts';
import { SearchCalls } from './search.ts';
import { TuneCalls } from './tune.ts';

export type { CallerOptions, DirectoryOptions, Params } from './call-url.ts';
export type { Account, NewAccount } from './account.ts';
export type { CallOptions, ClientOptions } from './connection.ts';
export type { DayHealth, ExplainedDevice, ExplainedStream, Explanation } from './explanation.ts';
export type { Described, Menu, Outline } from './outline.ts';
export type { Folder, PresetItem } from './preset.ts';
export type { Feedback, StreamReport } from './report.ts';
export type { TunedStream } from './tune.ts';
export { callUrl } from './call-url.ts';
export { DirectoryFault, NoAnswer } from './faults.ts';
export { everyOutline } from './outline.ts';

/** A radio directory: a group of calls for each of its endpoints, a method for each action. */
export class DirectoryClient {
  readonly browse: BrowseCalls;
  readonly search: SearchCalls;
  readonly describe: DescribeCalls;
  readonly tune: TuneCalls;
  readonly preset: PresetCalls;
  readonly account: AccountCalls;
  readonly config: ConfigCalls;
  readonly report: ReportCalls;
  readonly #connection: Connection;

  constructor(options: ClientOptions) {
    const connection = new Connection(options);
    this.#connection = connection;
    this.browse = new BrowseCalls(connection);
    this.search = new SearchCalls(connection);
    this.describe = new DescribeCalls(connection);
    this.tune = new TuneCalls(connection);
    this.preset = new PresetCalls(connection);
    this.account = new AccountCalls(connection);
    this.config = new ConfigCalls(connection);
    this.report = new ReportCalls(connection);
  }

  /** The same directory for another caller, or with other options. */
  with(options: Partial<ClientOptions>): DirectoryClient {
    return new DirectoryClient({ ...this.#connection.options, ...options });
  }

  /** What can be done with a station or a show. */
  options(id: string, call?: CallOptions): Promise<Menu> {
    return this.#connection.ask('/Options.ashx', { id }, call);
  }

  /** The menu that an outline leads to. */
  follow({ url, text }: Pick<Outline, 'url' | 'text'>, call?: CallOptions): Promise<Menu> {
    if (url === undefined) throw new TypeError(`'${text}' leads nowhere: it has no URL`);
    return this.#connection.follow(url, call);
  }

  /** The stations of a menu and of its further pages; no page is asked for before it is needed. */
  stations(menu: Menu, call?: CallOptions): AsyncGenerator<Outline> {
    return walkPages(menu, (next) => this.follow(next, call), STATIONS);
  }

  /** The same for shows. */
  shows(menu: Menu, call?: CallOptions): AsyncGenerator<Outline> {
    return walkPages(menu, (next) => this.follow(next, call), SHOWS);
  }
}
