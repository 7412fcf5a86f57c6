-- Feeds whose hub tells who subscribed when they change (WebSub): which hub, and when it is to be asked next.
CREATE TABLE feed_hubs (
  show_id bigint PRIMARY KEY REFERENCES feeds (show_id) ON DELETE CASCADE,
  hub text NOT NULL CHECK (length(hub) <= 2048),
  -- The name under which the hub knows the feed, letter by letter as the feed says it.
  topic text NOT NULL CHECK (length(topic) <= 2048),
  -- Of this one subscription: the path the hub calls us by and the secret it signs with are made of it.
  key bytea NOT NULL CHECK (length(key) = 32),
  asked_at timestamptz,
  -- Times it was asked in vain since it last agreed.
  failures smallint NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 10),
  next_due_at timestamptz NOT NULL DEFAULT now()
);
-- Claimed in this order, in batches, FOR UPDATE SKIP LOCKED.
CREATE INDEX feed_hubs_due ON feed_hubs (next_due_at);

-- Till when the hub has agreed to tell, and the latest reading that it caused. On the row that the crawl reads and
-- writes anyway, so that it need not ask elsewhere.
ALTER TABLE feeds ADD COLUMN pushed_until timestamptz;
ALTER TABLE feeds ADD COLUMN wanted_at timestamptz;
