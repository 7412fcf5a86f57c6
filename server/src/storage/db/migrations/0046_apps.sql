-- What apps on phones and computers sign in with, and what they keep here (docs/apps.md). Every table begins with the account, except
-- passwords, which some apps send without a name: they are found by their hash (docs/adr/0005).

-- One for each app. Subsonic's login proves a password without sending it, so the password itself is kept, sealed with a key that
-- is not in the database (docs/adr/0023).
CREATE TABLE app_passwords (
  secret_hash bytea PRIMARY KEY CHECK (length(secret_hash) = 32),
  account_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  app text NOT NULL CHECK (length(app) BETWEEN 1 AND 60),
  sealed bytea NOT NULL CHECK (length(sealed) < 200),
  key_version smallint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz
);
CREATE INDEX app_passwords_account ON app_passwords (account_id);

-- Phones and computers as gPodder's protocol knows them.
CREATE TABLE app_devices (
  account_id bigint NOT NULL,
  device text NOT NULL CHECK (length(device) BETWEEN 1 AND 100),
  caption text NOT NULL CHECK (length(caption) <= 100),
  kind text NOT NULL CHECK (kind IN ('desktop', 'laptop', 'mobile', 'server', 'other')),
  PRIMARY KEY (account_id, device)
);

-- Podcasts that an account subscribed to, by the addresses of their feeds. One that the directory has as a show is a preset as well,
-- and follows it. Rows of ended subscriptions stay, since other phones have yet to be told. `serial` rises with each change of an account.
CREATE TABLE feed_subscriptions (
  account_id bigint NOT NULL,
  feed_key uuid NOT NULL,
  address text NOT NULL CHECK (length(address) <= 2048),
  show_id bigint,
  is_removed boolean NOT NULL,
  serial bigint NOT NULL,
  PRIMARY KEY (account_id, feed_key)
);
CREATE UNIQUE INDEX feed_subscriptions_serial ON feed_subscriptions (account_id, serial);

-- What was done with an episode, the last of its kind on each device.
CREATE TABLE episode_actions (
  account_id bigint NOT NULL,
  episode_key uuid NOT NULL,
  device text NOT NULL CHECK (length(device) <= 100),
  action text NOT NULL CHECK (action IN ('download', 'delete', 'play', 'new', 'flattr')),
  podcast text NOT NULL CHECK (length(podcast) <= 2048),
  episode text NOT NULL CHECK (length(episode) <= 2048),
  happened_at timestamptz,
  started integer,
  position integer,
  total integer,
  serial bigint NOT NULL,
  PRIMARY KEY (account_id, episode_key, device, action)
);
CREATE UNIQUE INDEX episode_actions_serial ON episode_actions (account_id, serial);
