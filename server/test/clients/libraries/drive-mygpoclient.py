"""Two phones and a computer of one account, by the library that gPodder itself uses: drive-mygpoclient.py ORIGIN USER PASSWORD FEED"""
import json
import sys

from mygpoclient import api, http, public, simple

origin, user, password, feed = sys.argv[1:]
elsewhere = 'https://elsewhere.example.org/feed?a=1&b=2'
seen = {}

phone = api.MygPodderClient(user, password, origin)
seen['described'] = phone.update_device_settings('phone', 'My phone', 'mobile')
first = phone.pull_subscriptions('phone')
seen['first'] = first.add
pushed = phone.update_subscriptions('phone', [elsewhere, ' ' + feed], [])
seen['spelled'] = pushed.update_urls

tablet = api.MygPodderClient(user, password, origin)
pulled = tablet.pull_subscriptions('tablet', first.since)
seen['pulled'] = [pulled.add, pulled.remove]
tablet.update_subscriptions('tablet', [], [elsewhere])
later = phone.pull_subscriptions('phone', pushed.since)
seen['later'] = [later.add, later.remove]

play = api.EpisodeAction(feed, 'https://feeds.example.net/1.mp3', 'play', 'phone', '2026-04-02T10:00:00', 0, 61, 600)
since = phone.upload_episode_actions([play, api.EpisodeAction(feed, 'https://feeds.example.net/2.mp3', 'download', 'phone')])
changes = tablet.download_episode_actions(0)
seen['actions'] = [action.to_dictionary() for action in changes.actions]
seen['since'] = [since, changes.since]
seen['nothing'] = len(tablet.download_episode_actions(changes.since).actions)
seen['devices'] = [[device.device_id, device.caption, device.type, device.subscriptions] for device in phone.get_devices()]
seen['favorites'] = phone.get_favorite_episodes()

computer = simple.SimpleClient(user, password, origin)
seen['list'] = computer.get_subscriptions('pc')
seen['put'] = computer.put_subscriptions('pc', [elsewhere])
seen['after'] = computer.get_subscriptions('pc')
seen['suggested'] = [podcast.url for podcast in computer.get_suggestions(3)]

anybody = public.PublicClient(origin)
seen['top'] = [podcast.title for podcast in anybody.get_toplist(3)]
seen['found'] = len(anybody.search_podcasts('evening'))
seen['tags'] = [tag.tag for tag in anybody.get_toptags(5)]
seen['tagged'] = len(anybody.get_podcasts_of_a_tag('folk', 4))
seen['data'] = anybody.get_podcast_data(feed).title

try:
    api.MygPodderClient(user, 'not this one', origin).get_devices()
except http.Unauthorized:
    seen['wrong'] = 'unauthorized'
# One client asks often, and is asked for its password no more than it bears.
for _ in range(8):
    phone.get_devices()
print(json.dumps(seen))
