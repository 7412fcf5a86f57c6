import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import type { StreamBoard } from '../../../core/directory/live/keep-streams.ts';
import { type Aliases, findByOwnOrAlias } from '../../../core/directory/lookup/by-any-id.ts';
import type { ListedSongs } from '../../../core/now-playing/listed-songs.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import { playlistKind } from '../../../formats/playlist/write-playlist.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Action, Answer, Call, Endpoint } from '../call/endpoint.ts';
import { streamObject } from '../outlines/stream-outlines.ts';
import { type StreamChoice, Chooser, firstChoice } from './choice.ts';
import { explainTune } from './explain-tune.ts';
import { TunedFinder, type FinderDeps, readId } from './find-tuned.ts';
import { optionLines } from './option-lines.ts';
import { showMenu, type ShowRequest, stationsMenu } from './show-menus.ts';
import { type KnownShow, Shows } from './shows.ts';
import type { Tuned } from './tuned.ts';

export interface TuneDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  /** For shows and topics, which may be seconds old; `db` unless told. */
  reads?: Queryable | undefined;
  aliases: Pick<Aliases, 'find'>;
  clock?: Clock | undefined;
  /** Undefined when streams are not probed; their state is then that of the directory snapshot. */
  streamBoard?: Pick<StreamBoard, 'latest'> | undefined;
  /** Undefined when songs are not tracked. */
  listedSongs?: Pick<ListedSongs, 'on'> | undefined;
  chooser?: Chooser | undefined;
  /** Undefined when the operator has not set up accounts. */
  members?: MemberAccess | undefined;
}

/** What to play: the streams of an item, best first, or a menu to choose from. */
export function tune(deps: TuneDeps): Endpoint {
  const { directory, listedSongs, db, reads = db, aliases, clock = systemClock, members, streamBoard } = deps;
  const { chooser = new Chooser(streamBoard) } = deps;
  const shows = new Shows(reads, clock);
  const first = firstChoice(chooser);
  const plays: FinderDeps['plays'] = (call, station) => first(call, station) !== undefined;
  const finder = new TunedFinder({ directory, db, aliases, shows, members, plays });
  // Stations are in memory, so most calls are answered synchronously.
  const withTuned =
    (answer: (choice: StreamChoice, call: Call) => Answer | Promise<Answer>): Action =>
    (call) => {
      const made = (tuned: Tuned): Answer | Promise<Answer> => answer(chooser.choose(call, tuned), call);
      const found = finder.find(call);
      return found instanceof Promise ? found.then(made) : made(found);
    };
  const playOrExplain = (choice: StreamChoice, call: Call): Answer | Promise<Answer> =>
    call.params.flag('explain') ? explainTune(choice, call, { db, clock }) : play(choice, call);
  const withShow =
    (menu: (request: ShowRequest) => OpmlDocument): Action =>
    async (call) => {
      const known = await getShow(shows, aliases, readId(call.params));
      const snapshot = directory.current();
      return menu({ call, snapshot, known, songs: listedSongs?.on(snapshot) });
    };
  return {
    paths: ['/Tune.ashx', '/StationPlaylist.axd'],
    actions: new Map<string, Action>([
      ['', orStatusLine(withTuned(playOrExplain))],
      ['ebrowse', withTuned(options)],
      ['pbrowse', withShow(showMenu)],
      ['sbrowse', withShow(stationsMenu)],
    ]),
  };
}

function play(choice: StreamChoice, call: Call): Answer {
  const { tuned, streams, order } = choice;
  // An address at the relay is for one radio.
  const noStore = tuned.isSaved || order.some(({ relayedFor }) => relayedFor !== undefined);
  const trouble = troubleOf(choice);
  if (call.render === 'json')
    return { outlines: streams.map((stream) => streamObject(stream)), noStore, trouble };
  const { contentType, write } = playlistKind(call.params.text('render'));
  const { durationSeconds } = tuned;
  const lines = streams.map(({ address, name }) => ({ address, name, durationSeconds }));
  return { playlist: write(streams[0]?.name ?? '', lines), contentType, noStore, trouble };
}

/** Why a player hears an announcement instead of the station. */
function troubleOf({ isAnnouncement, tuned, streams: [announcement] }: StreamChoice): Answer['trouble'] {
  if (!isAnnouncement) return undefined;
  const code = tuned.streams.length > 0 ? 'tune.notCompatible' : 'tune.nothing';
  return { status: 200, code, text: announcement?.reason ?? '' };
}

const options = (choice: StreamChoice, { caller: { words } }: Call): Answer => ({
  title: words.text('tune.options'),
  outlines: optionLines(choice, words),
  noStore: choice.tuned.isSaved,
});

async function getShow(shows: Shows, aliases: Pick<Aliases, 'find'>, text: string): Promise<KnownShow> {
  const known = await findByOwnOrAlias(text, aliases, ({ letter, number }) =>
    letter === 'p' ? shows.find(number) : undefined,
  );
  if (!known) throw new Fault(404, 'api.methodNotFound', 'No such show: give the id of a show (p…)');
  return known;
}

/** Players read lines, not documents: they get a fault as a comment, as the protocol always did. */
const orStatusLine =
  (action: Action): Action =>
  (call) => {
    const failed = (error: unknown): Answer => {
      const readsDocuments = call.render === 'json' || call.params.has('explain');
      if (readsDocuments || !(error instanceof Fault)) throw error;
      const status = error.status === 503 ? 503 : 400;
      return {
        playlist: [`#STATUS: ${status}`],
        contentType: playlistKind(undefined).contentType,
        noStore: true,
        trouble: { status: error.status, code: error.code, text: error.message },
      };
    };
    try {
      const answer = action(call);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
