/**
 * Plays stations in a page of Chromium's, as a web radio does: asks Tune where they are and tries one address after the
 * other. Prints how many seconds of each were played.
 */
import { openPage } from '../clients/browsers/open-page.ts';

const [, , playwrightFolder = '', certFiles = '', ids = ''] = process.argv;

const PLAY = `async (id) => {
  const answer = await fetch('http://opml.radiotime.com/Tune.ashx?render=json&id=' + id);
  const { body } = await answer.json();
  for (const { url } of body) {
    const seconds = await played(url);
    if (seconds > 0) return seconds;
  }
  return 0;

  function played(address) {
    const sound = new Audio(address);
    let first;
    return new Promise((done) => {
      sound.onerror = () => done(0);
      setTimeout(done, 12000, 0);
      sound.ontimeupdate = () => {
        if (sound.currentTime > 0) first ??= sound.currentTime;
        if (sound.currentTime - first >= 1) done(sound.currentTime - first);
      };
      sound.play().catch(() => done(0));
    }).finally(() => { sound.src = ''; });
  }
}`;

const played: Record<string, unknown> = {};
{
  await using page = await openPage(
    (_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>A radio</title>'),
    {
      playwrightFolder,
      certFile: certFiles.split(','),
      args: ['--autoplay-policy=no-user-gesture-required'],
    },
  );
  for (const id of ids.split(',')) played[id] = await page.evaluate(`(${PLAY})(${JSON.stringify(id)})`);
}
process.stdout.write(JSON.stringify(played));
