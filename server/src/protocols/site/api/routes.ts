import { exportList } from './export.ts';
import { deleteFolder, makeFolder, nameFolder } from './folders.ts';
import { sendLink, setForgotten } from './forgotten.ts';
import { importList } from './import.ts';
import { showMap, showMapNames } from './map.ts';
import { changeMe, closeMe, exportMe, newDevicePassword } from './me.ts';
import type { SiteRoute } from './deps.ts';
import { becomeOperator, showOperator, showSetup } from './operator.ts';
import { suggest } from './place.ts';
import { changePreset, answerPresets, putInOrder, answerRemovePreset, savePreset } from './presets.ts';
import { dropRadio, listRadios, listRequests, nameRadio, pairRadio, undoRadio } from './radios.ts';
import { answerRegister } from './register.ts';
import { showSession, signIn, signOut } from './session.ts';

/** The site's whole API, on one screen. */
export const ROUTES: readonly SiteRoute[] = [
  { method: 'GET', path: 'session', who: 'anyone', answer: showSession, does: 'who is signed in' },
  { method: 'POST', path: 'sign-in', who: 'visitor', answer: signIn, does: 'begin a session' },
  { method: 'POST', path: 'sign-out', who: 'anyone', answer: signOut, does: 'end the session' },
  {
    method: 'POST',
    path: 'register',
    who: 'visitor',
    answer: answerRegister,
    does: 'make an account, and sign in to it',
  },
  {
    method: 'POST',
    path: 'forgotten',
    who: 'visitor',
    answer: sendLink,
    does: 'mail a link to choose a new password',
  },
  {
    method: 'POST',
    path: 'new-password',
    who: 'visitor',
    answer: setForgotten,
    does: 'choose it by that link, and sign in',
  },
  { method: 'PATCH', path: 'me', who: 'member', answer: changeMe, does: 'change the account' },
  {
    method: 'DELETE',
    path: 'me',
    who: 'member',
    answer: closeMe,
    does: 'close the account; deleted after 30 days',
  },
  {
    method: 'GET',
    path: 'me/export',
    who: 'member',
    answer: exportMe,
    does: 'all that is kept about the account',
  },
  {
    method: 'POST',
    path: 'me/device-password',
    who: 'member',
    answer: newDevicePassword,
    does: 'a new password for radios, shown once',
  },
  {
    method: 'GET',
    path: 'presets',
    who: 'member',
    answer: answerPresets,
    does: 'folders with presets, in order',
  },
  {
    method: 'POST',
    path: 'presets',
    who: 'member',
    answer: savePreset,
    does: 'save a station, a show or an address',
  },
  {
    method: 'PUT',
    path: 'presets/order',
    who: 'member',
    answer: putInOrder,
    does: "a folder's presets in another order",
  },
  {
    method: 'POST',
    path: 'presets/import',
    who: 'member',
    answer: importList,
    does: 'bring a list: preview, then confirm',
  },
  {
    method: 'GET',
    path: 'presets/export',
    who: 'member',
    answer: exportList,
    does: 'all presets as OPML or M3U',
  },
  {
    method: 'PATCH',
    path: 'presets/:id',
    who: 'member',
    answer: changePreset,
    does: 'move a preset to another folder',
  },
  {
    method: 'DELETE',
    path: 'presets/:id',
    who: 'member',
    answer: answerRemovePreset,
    does: 'remove a preset',
  },
  { method: 'POST', path: 'folders', who: 'member', answer: makeFolder, does: 'make a folder' },
  { method: 'PATCH', path: 'folders/:id', who: 'member', answer: nameFolder, does: 'rename a folder' },
  {
    method: 'DELETE',
    path: 'folders/:id',
    who: 'member',
    answer: deleteFolder,
    does: 'remove a folder with what is in it',
  },
  {
    method: 'GET',
    path: 'radios',
    who: 'member',
    answer: listRadios,
    does: 'the devices of the account, and how they are',
  },
  {
    method: 'POST',
    path: 'radios/pair',
    who: 'member',
    answer: pairRadio,
    does: 'join the device that shows a code',
  },
  { method: 'PATCH', path: 'radios/:id', who: 'member', answer: nameRadio, does: 'rename a device' },
  { method: 'DELETE', path: 'radios/:id', who: 'member', answer: dropRadio, does: 'drop a device' },
  {
    method: 'POST',
    path: 'radios/:id/undo',
    who: 'member',
    answer: undoRadio,
    does: 'take its last join or drop back',
  },
  {
    method: 'GET',
    path: 'radios/:id/requests',
    who: 'member',
    answer: listRequests,
    does: 'its last 20 calls and their answers',
  },
  {
    method: 'GET',
    path: 'places',
    who: 'anyone',
    answer: suggest,
    does: 'places whose names begin with `text`',
  },
  {
    method: 'GET',
    path: 'map',
    who: 'anyone',
    answer: showMap,
    does: 'where all stations are, packed',
  },
  {
    method: 'GET',
    path: 'map/names',
    who: 'anyone',
    answer: showMapNames,
    does: 'what the stations of `map` are called, in its order',
  },
  {
    method: 'GET',
    path: 'setup',
    who: 'anyone',
    answer: showSetup,
    does: 'how far the first run is, while it runs',
  },
  {
    method: 'POST',
    path: 'operator',
    who: 'member',
    answer: becomeOperator,
    does: 'become an operator, by a link that the installation printed',
  },
  {
    method: 'GET',
    path: 'operator',
    who: 'operator',
    answer: showOperator,
    does: 'how the installation is doing',
  },
];
