import { setTimeout as sleep } from 'node:timers/promises';

const MOST = 30;
const PAUSE_MS = 500;

/**
 * A save as a radio sends it on a machine too slow for the service's deadlines: again while the answer says to, which
 * saves nothing twice. The last answer is returned whatever it says.
 */
export async function sendAgain(save: () => Promise<string>, onAgain?: () => void): Promise<string> {
  for (let sent = 1; ; sent += 1) {
    const answer = await save();
    if (!/<status>50[34]</.test(answer) || sent === MOST) return answer;
    onAgain?.();
    await sleep(PAUSE_MS);
  }
}
