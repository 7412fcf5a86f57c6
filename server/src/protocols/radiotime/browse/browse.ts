import type { OpmlDocument } from '../../../formats/opml/document.ts';
import type { Action, Answer, Call, Endpoint } from '../call/endpoint.ts';
import { unknownMethod } from '../call/render.ts';
import { browseActions, type BrowseDeps, indexAnswer } from './actions.ts';
import { unknownClassifier } from './request.ts';

export type { BrowseDeps };

/** All menus, at the current and the legacy addresses. */
export function browseEndpoints(deps: BrowseDeps): Endpoint[] {
  const actions = browseActions(deps);
  const fallback = ({ params }: Call): Action =>
    params.text('c')?.includes(',') === true ? (call) => joinMenus(call, actions) : refuse;
  return [
    { paths: ['/Browse.ashx', '/'], actions, fallback },
    { paths: ['/Index.aspx'], actions: new Map([...actions, ['', index]]), fallback },
    { paths: ['/GroupList.aspx'], actions: new Map([['', onlyFavorites(actions.get('presets'))]]) },
  ];
}

const index: Action = (call) => indexAnswer(call, true);

const refuse: Action = () => {
  throw unknownClassifier();
};

/** The only list of that legacy page that radios still request. */
const onlyFavorites =
  (presets: Action = refuse): Action =>
  (call) => {
    if (call.params.text('type')?.toLowerCase() !== 'favorite') throw unknownMethod();
    return presets(call);
  };

/** More than any client requests in one call. */
const MAX_JOINED = 6;

/** `c=index,best`: concatenates the menus under the title of the first. */
async function joinMenus(call: Call, actions: ReadonlyMap<string, Action>): Promise<Answer> {
  const names = (call.params.text('c') ?? '').toLowerCase().split(',');
  const chosen = names.map((name) => actions.get(name.trim()));
  if (chosen.length > MAX_JOINED || chosen.length < 2) throw unknownClassifier();
  const documents: OpmlDocument[] = [];
  for (const action of chosen) {
    const answer = await action?.(call);
    if (answer && 'menu' in answer) documents.push(answer.document());
    else if (answer && 'outlines' in answer) documents.push(answer);
    else throw unknownClassifier();
  }
  // The whole is private if any part is.
  const noStore = documents.some((document) => 'noStore' in document && document.noStore === true);
  return { title: documents[0]?.title, outlines: documents.flatMap(({ outlines }) => outlines), noStore };
}
