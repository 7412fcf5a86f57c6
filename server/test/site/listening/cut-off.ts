import type { House } from '../../house/house.ts';

/** Packets between browsers and servers are lost, both ways, and nobody is told: a cable that is unplugged. */
export interface CutOff extends AsyncDisposable {
  restore(): Promise<void>;
}

/** The ports of those who feed Icecast, at a time when nobody else is connected to anything. */
export async function feedingPorts(house: House): Promise<string[]> {
  const lines = await house.run('ss', ['-Htn', 'state', 'established', '( dport = :80 )']);
  return [...lines.matchAll(/:(\d+)\s+\S+:80\s*$/gm)].map(([, port = '']) => port);
}

/** Those who feed Icecast go on, as a station does whose listener has lost the network. */
export async function cutOff(house: House, feeding: readonly string[]): Promise<CutOff> {
  const rule = (one: string, other: string): Promise<string> => {
    const others = ['-m', 'multiport', '!', `--${other}`, feeding.join(',')];
    const ours = ['-m', 'multiport', `--${one}`, '80,443'];
    return house.run('iptables', ['-A', 'OUTPUT', '-p', 'tcp', ...ours, ...others, '-j', 'DROP']);
  };
  await rule('dports', 'sports');
  await rule('sports', 'dports');
  let isCut = true;
  const restore = async (): Promise<void> => {
    if (isCut) await house.run('iptables', ['-F', 'OUTPUT']);
    isCut = false;
  };
  return { restore, [Symbol.asyncDispose]: restore };
}
