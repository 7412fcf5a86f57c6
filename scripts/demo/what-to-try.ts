/** What the demo prints when it is ready. */
export function whatToTry(settings: NodeJS.ProcessEnv, settingsFile: string): string {
  const http = `http://127.0.0.1:${settings['HTTP_PORT']}`;
  const https = `https://127.0.0.1:${settings['HTTPS_PORT']}`;
  const inner = `http://127.0.0.1:${settings['PRIVATE_PORT']}`;
  return `
Longwave answers on ${http} and ${https}.

  ${http}/listen/     open it in a browser: the site

As a radio would:

  curl '${http}/Browse.ashx?partnerId=demo'                       the menu a radio shows first
  curl '${http}/Browse.ashx?c=music&partnerId=demo'               genres
  curl '${http}/Browse.ashx?id=r0&partnerId=demo'                 places: continents, countries, states, cities
  curl '${http}/Browse.ashx?c=lang&partnerId=demo'                languages
  curl '${http}/Browse.ashx?c=local&latlon=51.9,-8.5&partnerId=demo'   what is near
  curl '${http}/Browse.ashx?id=g1005&formats=mp3&partnerId=demo&render=json'   a genre, as JSON
  curl '${http}/Search.ashx?query=radio&partnerId=demo'           search
  curl '${http}/Describe.ashx?id=s20480001&partnerId=demo'        all about a station
  curl '${http}/Tune.ashx?id=s20480001&partnerId=demo'            what to play
  curl '${http}/Browse.ashx?c=schedule&id=s20480001&partnerId=demo'  what is on today
  curl '${http}/Describe.ashx?c=nowplaying&id=s20480001&partnerId=demo'  the song, or the show
  curl '${http}/Search.ashx?query=morning+boat&partnerId=demo'    a show with its topics
  curl '${http}/Preset.ashx?c=add&id=s20480001&partnerId=demo&serial=4711'  save a preset on a radio
  curl '${http}/Browse.ashx?c=presets&partnerId=demo&serial=4711' and find it there
  curl -k '${https}/Browse.ashx?partnerId=demo'                   the same by HTTPS
  curl '${inner}/metrics'                                         what the operator sees

node --env-file=${settingsFile} server/src/main.ts work
                                  starts its workers: probe streams, read feeds, poll songs
npx longwave-conformance --base-url ${http} --partner-id demo   checks that it follows the protocol
npm run demo -- --stations FILE   adds real stations to the fictional ones (a radio-browser dump, or JSON lines)
npm run demo -- --podcasts FILE   and real podcasts (OPML, JSON lines, the Podcast Index); their topics come with longwave work
npm run demo -- --stop            ends it
`;
}
