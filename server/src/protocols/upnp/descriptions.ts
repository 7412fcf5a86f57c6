import { escapeXml } from '../../formats/opml/characters.ts';
import { VERSION } from '../../lib/version.ts';

/** What a service is called, where it is, and what it can do. */
export interface UpnpService {
  /** In our paths. */
  name: 'content' | 'connections';
  type: string;
  id: string;
  actions: readonly Action[];
  variables: readonly Variable[];
}

type Action = readonly [name: string, ...args: readonly Argument[]];
type Argument = readonly [direction: 'in' | 'out', name: string, variable: string];
type Variable = readonly [name: string, type: string, ...allowed: readonly string[]];

const [ID, TEXT, NUMBER] = ['A_ARG_TYPE_ObjectID', 'A_ARG_TYPE_Result', 'A_ARG_TYPE_Count'];
const RESULT: readonly Argument[] = [
  ['out', 'Result', TEXT],
  ['out', 'NumberReturned', NUMBER],
  ['out', 'TotalMatches', NUMBER],
  ['out', 'UpdateID', 'A_ARG_TYPE_UpdateID'],
];
const WINDOW: readonly Argument[] = [
  ['in', 'Filter', 'A_ARG_TYPE_Filter'],
  ['in', 'StartingIndex', 'A_ARG_TYPE_Index'],
  ['in', 'RequestedCount', NUMBER],
  ['in', 'SortCriteria', 'A_ARG_TYPE_SortCriteria'],
];

export const CONTENT_DIRECTORY: UpnpService = {
  name: 'content',
  type: 'urn:schemas-upnp-org:service:ContentDirectory:1',
  id: 'urn:upnp-org:serviceId:ContentDirectory',
  actions: [
    ['GetSearchCapabilities', ['out', 'SearchCaps', 'SearchCapabilities']],
    ['GetSortCapabilities', ['out', 'SortCaps', 'SortCapabilities']],
    ['GetSystemUpdateID', ['out', 'Id', 'SystemUpdateID']],
    ['Browse', ['in', 'ObjectID', ID], ['in', 'BrowseFlag', 'A_ARG_TYPE_BrowseFlag'], ...WINDOW, ...RESULT],
    [
      'Search',
      ['in', 'ContainerID', ID],
      ['in', 'SearchCriteria', 'A_ARG_TYPE_SearchCriteria'],
      ...WINDOW,
      ...RESULT,
    ],
  ],
  variables: [
    [ID, 'string'],
    [TEXT, 'string'],
    ['A_ARG_TYPE_SearchCriteria', 'string'],
    ['A_ARG_TYPE_BrowseFlag', 'string', 'BrowseMetadata', 'BrowseDirectChildren'],
    ['A_ARG_TYPE_Filter', 'string'],
    ['A_ARG_TYPE_SortCriteria', 'string'],
    ['A_ARG_TYPE_Index', 'ui4'],
    [NUMBER, 'ui4'],
    ['A_ARG_TYPE_UpdateID', 'ui4'],
    ['SearchCapabilities', 'string'],
    ['SortCapabilities', 'string'],
    ['SystemUpdateID', 'ui4'],
  ],
};

const CONNECTION_MANAGER: UpnpService = {
  name: 'connections',
  type: 'urn:schemas-upnp-org:service:ConnectionManager:1',
  id: 'urn:upnp-org:serviceId:ConnectionManager',
  actions: [
    ['GetProtocolInfo', ['out', 'Source', 'SourceProtocolInfo'], ['out', 'Sink', 'SinkProtocolInfo']],
    ['GetCurrentConnectionIDs', ['out', 'ConnectionIDs', 'CurrentConnectionIDs']],
    [
      'GetCurrentConnectionInfo',
      ['in', 'ConnectionID', 'A_ARG_TYPE_ConnectionID'],
      ['out', 'RcsID', 'A_ARG_TYPE_RcsID'],
      ['out', 'AVTransportID', 'A_ARG_TYPE_AVTransportID'],
      ['out', 'ProtocolInfo', 'A_ARG_TYPE_ProtocolInfo'],
      ['out', 'PeerConnectionManager', 'A_ARG_TYPE_ConnectionManager'],
      ['out', 'PeerConnectionID', 'A_ARG_TYPE_ConnectionID'],
      ['out', 'Direction', 'A_ARG_TYPE_Direction'],
      ['out', 'Status', 'A_ARG_TYPE_ConnectionStatus'],
    ],
  ],
  variables: [
    ['SourceProtocolInfo', 'string'],
    ['SinkProtocolInfo', 'string'],
    ['CurrentConnectionIDs', 'string'],
    [
      'A_ARG_TYPE_ConnectionStatus',
      'string',
      'OK',
      'ContentFormatMismatch',
      'InsufficientBandwidth',
      'Unknown',
    ],
    ['A_ARG_TYPE_ConnectionManager', 'string'],
    ['A_ARG_TYPE_Direction', 'string', 'Input', 'Output'],
    ['A_ARG_TYPE_ProtocolInfo', 'string'],
    ['A_ARG_TYPE_ConnectionID', 'i4'],
    ['A_ARG_TYPE_AVTransportID', 'i4'],
    ['A_ARG_TYPE_RcsID', 'i4'],
  ],
};

export const UPNP_SERVICES = [CONTENT_DIRECTORY, CONNECTION_MANAGER] as const;
export const MEDIA_SERVER = 'urn:schemas-upnp-org:device:MediaServer:1';
export const DESCRIPTION_PATH = '/description.xml';

/** What the directory is in the house. */
export interface MediaServer {
  /** `uuid:…`, the same for ever: a new one is a second server in the menus of televisions. */
  udn: string;
  name: string;
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';
const SPEC = '<specVersion><major>1</major><minor>0</minor></specVersion>';
const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;
const all = (elements: readonly (readonly [string, string])[]): string =>
  elements.map(([name, text]) => element(name, text)).join('');

/** The mark of the service is the logo of what nobody has. */
const icon = (type: string, side: number, letter: string): string =>
  `<icon>${all([
    ['mimetype', `image/${type}`],
    ['width', String(side)],
    ['height', String(side)],
    ['depth', '24'],
    ['url', `/logos/s0${letter}.${type === 'png' ? 'png' : 'jpg'}`],
  ])}</icon>`;
const ICONS = ['png', 'jpeg'].flatMap((type) => [icon(type, 75, 't'), icon(type, 145, 'q')]).join('');

const service = ({ name, type, id }: UpnpService): string =>
  `<service>${all([
    ['serviceType', type],
    ['serviceId', id],
    ['SCPDURL', `/${name}.xml`],
    ['controlURL', `/${name}/control`],
    ['eventSubURL', `/${name}/event`],
  ])}</service>`;

export function writeDeviceDescription({ udn, name }: MediaServer): string {
  const about = all([
    ['deviceType', MEDIA_SERVER],
    ['friendlyName', name],
    ['manufacturer', 'Longwave'],
    ['modelDescription', 'An open radio directory'],
    ['modelName', 'Longwave'],
    ['modelNumber', VERSION],
    ['serialNumber', udn.slice(-12)],
    ['UDN', udn],
  ]);
  return (
    `${HEAD}<root xmlns="urn:schemas-upnp-org:device-1-0">${SPEC}<device>${about}` +
    '<dlna:X_DLNADOC xmlns:dlna="urn:schemas-dlna-org:device-1-0">DMS-1.50</dlna:X_DLNADOC>' +
    `<iconList>${ICONS}</iconList>` +
    `<serviceList>${UPNP_SERVICES.map(service).join('')}</serviceList></device></root>\n`
  );
}

const argument = ([direction, name, variable]: Argument): string =>
  `<argument>${all([
    ['name', name],
    ['direction', direction],
    ['relatedStateVariable', variable],
  ])}</argument>`;

const action = ([name, ...args]: Action): string =>
  `<action>${element('name', name)}<argumentList>${args.map(argument).join('')}</argumentList></action>`;

/** None is evented: nobody is ever called back. */
function stateVariable([name, type, ...allowed]: Variable): string {
  const values = all(allowed.map((value) => ['allowedValue', value]));
  const list = values === '' ? '' : `<allowedValueList>${values}</allowedValueList>`;
  return `<stateVariable sendEvents="no">${element('name', name)}${element('dataType', type)}${list}</stateVariable>`;
}

export const writeServiceDescription = ({ actions, variables }: UpnpService): string =>
  `${HEAD}<scpd xmlns="urn:schemas-upnp-org:service-1-0">${SPEC}` +
  `<actionList>${actions.map(action).join('')}</actionList>` +
  `<serviceStateTable>${variables.map(stateVariable).join('')}</serviceStateTable></scpd>\n`;
