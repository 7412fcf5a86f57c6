import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import type { Directory } from '../directory/directory.ts';
import type { StreamBoard } from '../directory/stream-board.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { Action, Answer, Call, Endpoint } from '../http/endpoint.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { streamObject } from '../opml/stream-outlines.ts';
import type { ListedSongs } from '../playing/listed-songs.ts';
import { type Choice, Chooser } from './choice.ts';
import { explainTune } from './explain-tune.ts';
import { Finder, type FinderNeeds, readId } from './find-tuned.ts';
import { firstChoice } from './first-choice.ts';
import { optionLines } from './option-lines.ts';
import { showMenu, stationsMenu, type ShowRequest } from './show-menus.ts';
import { Shows, type KnownShow } from './shows.ts';
import type { Tuned } from './tuned.ts';
import { playlistKind } from './write-playlist.ts';

export interface TuneNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  clock?: Clock | undefined;
  /** Undefined where nobody listens to streams; what the directory was read with holds then. */
  streamBoard?: Pick<StreamBoard, 'told'> | undefined;
  /** Undefined where nobody knows what stations play. */
  listedSongs?: Pick<ListedSongs, 'on'> | undefined;
  chooser?: Chooser | undefined;
  /** Undefined where the operator has set up no accounts of devices. */
  doors?: MemberDoors | undefined;
}

/** What to play: the streams of what was asked for, best first, or a menu to choose from. */
export function tune(needs: TuneNeeds): Endpoint {
  const { directory, listedSongs, db, aliases, clock = systemClock, doors, streamBoard } = needs;
  const { chooser = new Chooser(streamBoard) } = needs;
  const shows = new Shows(db, clock);
  const first = firstChoice(chooser);
  const plays: FinderNeeds['plays'] = (call, station) => first(call, station) !== undefined;
  const finder = new Finder({ directory, db, aliases, shows, doors, plays });
  // A station is in memory, so most calls are answered without waiting for anything.
  const withTuned =
    (answer: (choice: Choice, call: Call) => Answer | Promise<Answer>): Action =>
    (call) => {
      const made = (tuned: Tuned): Answer | Promise<Answer> => answer(chooser.choose(call, tuned), call);
      const found = finder.find(call);
      return found instanceof Promise ? found.then(made) : made(found);
    };
  const playOrExplain = (choice: Choice, call: Call): Answer | Promise<Answer> =>
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

function play({ tuned, streams }: Choice, call: Call): Answer {
  const noStore = tuned.isSaved;
  if (call.render === 'json') return { outlines: streams.map((stream) => streamObject(stream)), noStore };
  const { contentType, write } = playlistKind(call.params.text('render'));
  const { durationSeconds } = tuned;
  const lines = streams.map(({ address, name }) => ({ address, name, durationSeconds }));
  return { playlist: write(streams[0]?.name ?? '', lines), contentType, noStore };
}

const options = (choice: Choice, { caller: { words } }: Call): Answer => ({
  title: words.text('tune.options'),
  outlines: optionLines(choice, words),
  noStore: choice.tuned.isSaved,
});

async function getShow(shows: Shows, aliases: Pick<Aliases, 'find'>, text: string): Promise<KnownShow> {
  const id = numberOf('p', text);
  const own = id === undefined ? undefined : await shows.find(id);
  if (own) return own;
  const alias = await aliases.find(text);
  const known = alias?.letter === 'p' ? await shows.find(alias.number) : undefined;
  if (!known) throw new Fault(404, 'api.methodNotFound', 'No such show: give the id of a show (p…)');
  return known;
}

/** A player reads lines, not documents: to it a fault is a comment, the way the protocol has always said it. */
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
      };
    };
    try {
      const answer = action(call);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
