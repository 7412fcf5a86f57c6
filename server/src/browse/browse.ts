import type { Action, Call, Endpoint } from '../http/endpoint.ts';
import { unknownMethod } from '../http/failure.ts';
import { type BrowseNeeds, browseActions, indexAnswer } from './actions.ts';
import { unknownClassifier } from './faults.ts';
import { joinMenus } from './several.ts';

export type { BrowseNeeds };

/** Everything that is navigated, at its address and at the old ones. */
export function browseEndpoints(needs: BrowseNeeds): Endpoint[] {
  const actions = browseActions(needs);
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

/** Of the lists that page once had, this is the one radios ask for. */
const onlyFavorites =
  (presets: Action = refuse): Action =>
  (call) => {
    if (call.params.text('type')?.toLowerCase() !== 'favorite') throw unknownMethod();
    return presets(call);
  };
