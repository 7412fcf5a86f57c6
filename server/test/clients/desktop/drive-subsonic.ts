/** A session of an app by npm's subsonic-api: `drive-subsonic.ts ORIGIN USER PASSWORD FEED`, with what it saw on one line. */
import { SubsonicAPI } from 'subsonic-api';

const [, , url = '', username = '', password = '', feed = ''] = process.argv;

const byToken = new SubsonicAPI({ url, auth: { username, password } });
const byKey = new SubsonicAPI({ url, auth: { apiKey: password }, post: true });
const wrong = new SubsonicAPI({ url, auth: { username, password: 'not this one' } });

/** What a refusal says beside what the types of the library know. */
const codeOf = (answer: object): unknown =>
  Object.entries(answer).find(([name]) => name === 'error')?.[1]?.code;

const pings = [(await byToken.ping()).status, (await byKey.ping()).status, codeOf(await wrong.ping())];
const stations = async () =>
  (await byKey.getInternetRadioStations()).internetRadioStations.internetRadioStation?.map(
    ({ id, name, streamUrl }) => ({
      id,
      name,
      streamUrl,
    }),
  );
const before = await stations();
await byToken.createInternetRadioStation({ streamUrl: 'http://unknown.example.net/x', name: 'Mine' });
const after = await stations();
await byToken.createPodcastChannel({ url: feed });
const podcasts = (await byKey.getPodcasts({ includeEpisodes: true })).podcasts.channel?.map(
  ({ id, title, episode = [] }) => ({ id, title, episodes: episode.length, first: episode[0]?.streamId }),
);
const { searchResult3 } = await byToken.search3({ query: 'jazz', songCount: 3 });
const cover = await byToken.getCoverArt({ id: 's1', size: 100 });
const { playlists } = await byToken.getPlaylists();
console.log(
  JSON.stringify({
    pings,
    before,
    added: after?.length,
    podcasts,
    found: searchResult3.song?.map(({ title }) => title),
    cover: [cover.status, cover.headers.get('content-type')],
    playlists: playlists.playlist?.map(({ name }) => name),
  }),
);
