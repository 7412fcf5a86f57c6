import { udnOf } from '../../app/upnp/upnp-server.ts';
import { findHouseAccount } from '../../app/upnp/house-presets.ts';
import { isDeviceFound } from '../../net/ssdp/find-device.ts';
import { type LanInterface, listLanInterfaces } from '../../net/ssdp/lan-interfaces.ts';
import { DESCRIPTION_PATH } from '../../protocols/upnp/descriptions.ts';
import { broken, type Check, type CheckContext, type Finding, note, warning, well } from './check.ts';

const DEADLINE_MS = 2000;

export const upnpCheck: Check = {
  title: 'Media server',
  deadlineMs: 8000,
  async look(context) {
    const { upnp, upnpInterfaces, upnpAccount } = context.config;
    if (upnp === 'off')
      return [
        note(
          'server',
          'off: receivers, televisions and players do not find the directory by themselves',
          'for those in your home network see docs/upnp.md',
        ),
      ];
    const interfaces = listLanInterfaces(upnpInterfaces);
    const server = await answering(context);
    const found =
      server.state === 'well' ? await Promise.all(interfaces.map((each) => search(context, each))) : [];
    const account = upnpAccount === undefined ? [] : [await presetsOf(context, upnpAccount)];
    return [server, ...(interfaces.length === 0 ? [nowhere(upnpInterfaces)] : found), ...account];
  },
};

async function answering({ config, ownFetcher }: CheckContext): Promise<Finding> {
  const { upnpPort, upnpName } = config;
  const origin = `http://127.0.0.1:${upnpPort}`;
  try {
    const { status } = await ownFetcher.fetch(`${origin}${DESCRIPTION_PATH}`, { deadlineMs: DEADLINE_MS });
    if (status === 200) return well('server', `${JSON.stringify(upnpName)} answers at port ${upnpPort}`);
    return broken(
      'server',
      `${origin} answers ${status}: another program has this port`,
      'set UPNP_PORT to another',
    );
  } catch {
    return broken('server', `${origin} does not answer`, 'start it: longwave upnp');
  }
}

/** As a receiver searches, from here. */
async function search({ config }: CheckContext, { name, address }: LanInterface): Promise<Finding> {
  const line = `found on ${name}`;
  if (await isDeviceFound(udnOf(config), address))
    return well(
      line,
      `searches there are answered, with http://${address}:${config.upnpPort}${DESCRIPTION_PATH}`,
    );
  return warning(
    line,
    `a search from ${address} is not answered`,
    'let UDP port 1900 through the firewall, or name the interfaces of your home network in UPNP_INTERFACES',
  );
}

const nowhere = (wanted: readonly string[]): Finding =>
  broken(
    'network',
    wanted.length === 0
      ? 'no interface of this machine has a private IPv4 address, so nobody finds it'
      : `none of ${wanted.join(', ')} is an interface with a private IPv4 address`,
    'run longwave upnp in the network of the devices (containers: in that of the host), and name its interface in UPNP_INTERFACES',
  );

async function presetsOf({ pool }: CheckContext, name: string): Promise<Finding> {
  const found = await findHouseAccount(pool, name);
  if (typeof found === 'number') return well('presets', `those of ${name}, for everybody in the house`);
  if (found === undefined)
    return broken('presets', `there is no account ${JSON.stringify(name)}`, 'correct or unset UPNP_ACCOUNT');
  return warning(
    'presets',
    `${name} is closed, or shows its presets to nobody who only knows its name`,
    'allow that on its page of the site, or name another in UPNP_ACCOUNT',
  );
}
