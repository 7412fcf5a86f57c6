import { endAppPassword, listApps, makeAppPassword } from './apps.ts';
import { listEpisodes } from './episodes.ts';
import { exportList } from './export.ts';
import { deleteFolder, makeFolder, nameFolder } from './folders.ts';
import { sendLink, setForgotten } from './forgotten.ts';
import { importList } from './import.ts';
import { showMap, showMapLabels, showMapNames } from './map/map.ts';
import { changeMe, closeMe, exportMe, newDevicePassword } from './me.ts';
import { mergePresets } from './merge.ts';
import type { SiteAnswers, SiteRoute } from './deps.ts';
import { becomeOperator, showOperator, showSetup } from './operator.ts';
import { suggest } from './place.ts';
import { changePreset, answerPresets, putInOrder, answerRemovePreset, savePreset } from './presets.ts';
import { dropRadio, listRadios, listRequests, nameRadio, pairRadio, undoRadio } from './radios/radios.ts';
import { answerRegister } from './register.ts';
import type { SiteMethod } from '../session/site-endpoint.ts';
import { showSession, signIn, signOut } from './session.ts';
import { answerStations } from '../listing/stations.ts';
import { answerSuggestion, listSuggestions } from '../suggestions/decide-suggestions.ts';
import { showSuggestion, suggestStation } from '../suggestions/suggest-station.ts';

const forWhom =
  <Who extends keyof SiteAnswers>(who: Who) =>
  (method: SiteMethod, path: string, answer: SiteAnswers[Who], does: string) => ({
    who,
    method,
    path,
    answer,
    does,
  });

const [anyone, visitor, member] = [forWhom('anyone'), forWhom('visitor'), forWhom('member')];
const operator = forWhom('operator');

/** The site's whole API, on one screen: for whom, what they call, who answers, and what it does. */
export const ROUTES: readonly SiteRoute[] = [
  anyone('GET', 'session', showSession, 'who is signed in'),
  visitor('POST', 'sign-in', signIn, 'begin a session'),
  anyone('POST', 'sign-out', signOut, 'end the session'),
  visitor('POST', 'register', answerRegister, 'make an account, and sign in to it'),
  visitor('POST', 'forgotten', sendLink, 'mail a link to choose a new password'),
  visitor('POST', 'new-password', setForgotten, 'choose it by that link, and sign in'),
  member('PATCH', 'me', changeMe, 'change the account'),
  member('DELETE', 'me', closeMe, 'close the account; deleted after 30 days'),
  member('GET', 'me/export', exportMe, 'all that is kept about the account'),
  member('POST', 'me/device-password', newDevicePassword, 'a new password for radios, shown once'),
  member('GET', 'apps', listApps, 'the apps that have a password of their own'),
  member('POST', 'apps', makeAppPassword, 'a password for an app, shown once'),
  member('DELETE', 'apps/:id', endAppPassword, "end an app's password"),
  member('GET', 'presets', answerPresets, 'folders with presets, in order'),
  member('POST', 'presets', savePreset, 'save a station, a show or an address'),
  member('PUT', 'presets/order', putInOrder, "a folder's presets in another order"),
  member('POST', 'presets/merge', mergePresets, 'add what was saved in a browser without an account'),
  member('POST', 'presets/import', importList, 'bring a list: preview, then confirm'),
  member('GET', 'presets/export', exportList, 'all presets as OPML or M3U'),
  member('PATCH', 'presets/:id', changePreset, 'move a preset to another folder'),
  member('DELETE', 'presets/:id', answerRemovePreset, 'remove a preset'),
  member('POST', 'folders', makeFolder, 'make a folder'),
  member('PATCH', 'folders/:id', nameFolder, 'rename a folder'),
  member('DELETE', 'folders/:id', deleteFolder, 'remove a folder with what is in it'),
  member('GET', 'radios', listRadios, 'the devices of the account, and how they are'),
  member('POST', 'radios/pair', pairRadio, 'join the device that shows a code'),
  member('PATCH', 'radios/:id', nameRadio, 'rename a device'),
  member('DELETE', 'radios/:id', dropRadio, 'drop a device'),
  member('POST', 'radios/:id/undo', undoRadio, 'take its last join or drop back'),
  member(
    'GET',
    'radios/:id/requests',
    listRequests,
    'what it did lately, in sentences, and its last 20 calls',
  ),
  anyone('GET', 'places', suggest, 'places whose names begin with `text`'),
  anyone('GET', 'episodes', listEpisodes, 'the latest episodes of `shows`'),
  anyone('GET', 'stations', answerStations, 'stations of a list or a search, filtered and counted'),
  anyone('POST', 'suggestions', suggestStation, 'suggest a station that is missing'),
  anyone('GET', 'suggestions/:id', showSuggestion, 'what became of a suggestion'),
  anyone('GET', 'map', showMap, 'where all stations are, packed'),
  anyone('GET', 'map/names', showMapNames, 'what the stations of `map` are called, in its order'),
  anyone('GET', 'map/labels', showMapLabels, 'countries and towns that have stations on the map, packed'),
  anyone('GET', 'setup', showSetup, 'how far the first run is, while it runs'),
  member('POST', 'operator', becomeOperator, 'become an operator, by a link that the installation printed'),
  operator('GET', 'operator', showOperator, 'how the installation is doing'),
  operator('GET', 'operator/suggestions', listSuggestions, 'suggested stations that were heard'),
  operator('POST', 'operator/suggestions/:id', answerSuggestion, 'list a suggested station, or decline it'),
];
