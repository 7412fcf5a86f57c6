-- Who put a partner here: the operator, the service itself for the devices below, or a device that called (PARTNERS=any).
ALTER TABLE partners ADD COLUMN registered_by text NOT NULL DEFAULT 'operator'
  CHECK (registered_by IN ('operator', 'longwave', 'itself'));

-- Ids that devices and programs have built in, so that nobody has to look them up. One that the operator has
-- registered stays the operator's.
INSERT INTO partners (id, name, serial_scope, may_forward_addresses, registered_by)
SELECT id, name, id, true, 'longwave' FROM (VALUES
  ('15', 'Lyrion Music Server and Squeezebox'),
  ('16', 'Lyrion Music Server and Squeezebox, for the index'),
  ('1', 'Music Assistant'),
  ('HyzqumNX', 'Kodi, TuneIn Radio add-on'),
  ('k2YHnXyS', 'VLC and Enigma2 scripts'),
  ('yvcOjvJP', 'VLC and Enigma2 scripts'),
  ('ah2rjr68', 'Linn and other OpenHome players'),
  ('7aJ9pvV5', 'Raumfeld and Teufel Streaming'),
  ('7vGvIDO5', 'Control4'),
  ('xh92xtW8', 'LG Music Flow'),
  ('!EALLOjB', 'Alexa skill'),
  ('Sonos', 'Scripts for Sonos'),
  ('IAeIhU42', 'openHAB and scripts for Sonos'),
  ('Bose', 'Bose SoundTouch'),
  ('RadioTime', 'Web players and programs after their example')
) AS known (id, name)
ON CONFLICT (id) DO NOTHING;
