/** The one stream of the small directory, as JSON tells it. */
export const STREAM = {
  element: 'audio',
  url: 'http://stream.test/1.mp3',
  reliability: 90,
  bitrate: 128,
  media_type: 'mp3',
  position: 0,
  player_width: 0,
  player_height: 0,
  is_hls_advanced: 'false',
  live_seek_stream: 'false',
  is_ad_clipped_content_enabled: 'false',
  is_direct: true,
  guide_id: 'e1',
};
