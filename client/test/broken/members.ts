import { type Broken, inBody, lenient, refusing, without } from './break.ts';

/** Sections 4.3, 4.10, 4.11: presets and accounts. */
export const MEMBERS: readonly Broken[] = [
  [
    'Preset takes anything',
    '4.10-c 4.10-partner 4.10-identity 4.10-password 4.10-item-required 4.10-folder-required 4.10-folder-own 4.10-name-required 5-partner-invalid 5-insecure',
    lenient(/Preset/),
  ],
  [
    'presets are lost',
    '4.3-one-folder 4.10-username 4.10-serial 4.10-show 4.10-number 4.10-url 4.10-url-id 4.10-folder 4.11-create-serial 4.11-join',
    inBody(/c=presets/, /<outline.*\n/g, ''),
  ],
  [
    'presets stay for ever',
    '4.10-remove 4.10-url 4.11-drop',
    inBody(/c=presets/, '<body>', '<body>\n<outline type="audio" text="S" guide_id="s1"/>'),
  ],
  ['an address is not removed by itself', '4.10-url', refusing(/c=remove.*url=/)],
  ['addresses of Windows Media are refused', '4.10-url', refusing(/c=add.*url=mms/)],
  ['addresses of Real are refused', '4.10-url', refusing(/c=add.*url=rtsp/)],
  ['addresses of Flash are refused', '4.10-url', refusing(/c=add.*url=rtmp/)],
  ['nobody has saved anything', '4.10-is-preset', inBody(/Describe/, 'preset>true', 'preset>false')],
  ['everybody has saved everything', '4.10-is-preset', inBody(/Describe/, 'preset>false', 'preset>true')],
  ['lists do not say what is saved', '4.10-is-preset', inBody(/id=g1/, ' is_preset="true"', '')],
  [
    'lists say that all is saved',
    '4.10-is-preset',
    inBody(/id=g1/, /(?: is_preset="true")?\/>/g, ' is_preset="true"/>'),
  ],
  ['every call needs a partner', '5-partner-optional', refusing(/^(?!.*partnerid=)/i)],
  ['an unknown partner is let in', '5-partner-refused', lenient(/partnerId=no-such/)],
  ['buttons are counted anew', '4.10-number', inBody(/c=presets/, 'preset_number="7"', 'preset_number="1"')],
  ['folders lead nowhere', '4.3-several-folders', inBody(/guide_id=f/, /<outline.*\n/g, '')],
  ['folders are no links', '4.3-several-folders', inBody(/c=presets/, 'type="link"', 'type="text"')],
  [
    'Preset says more than a status',
    '4.10-status-only',
    inBody(/Preset/, '</body>', '<outline type="text" text="Done"/>\n</body>'),
  ],
  ['folders have no ids', '4.10-add-folder 4.10-list-folders', inBody(/Preset/, ...without('guide_id'))],
  ['folders are listed as links', '4.10-list-folders', inBody(/listFolders/, 'type="text"', 'type="link"')],
  ['folders keep their names', '4.10-rename-folder', inBody(/listFolders/, 'Bath', 'Kitchen')],
  ['folders cannot be removed', '4.10-remove-folder', refusing(/removeFolder/)],
  [
    'Account takes anything',
    '4.11-https 4.11-partner 4.11-create-username 4.11-create-password 4.11-auth-401 4.11-join-exists 4.11-drop-other',
    lenient(/Account/),
  ],
  [
    'Account takes whoever registers',
    '7-email 7-password 7-location 7-username-exists 7-email-exists 7-error',
    lenient(/Account/),
  ],
  [
    'faults of Account have no codes',
    '7-email 7-password 7-location 7-username-exists 7-email-exists 7-error 4.11-join-exists 4.11-drop-other',
    inBody(/Account/, /<fault_code>.*<\/fault_code>/g, ''),
  ],
  ['nobody can register', '4.11-create', refusing(/c=create/)],
  ['nobody can sign in', '4.11-auth', refusing(/c=auth/)],
  ['a wrong password is a malformed call', '4.11-auth-401', inBody(/c=auth/, '401', '400')],
  [
    'Account is redirected to HTTPS',
    '4.11-https 5-insecure',
    (sent, _path, { headers }) =>
      sent.body.includes('request.insecure')
        ? { ...sent, status: 302, headers: { Location: `https://${headers.host}/` } }
        : sent,
  ],
];
