-- How often in a row a feed's host had too much to do when its time came; the wait doubles with it.
ALTER TABLE feeds ADD COLUMN put_off smallint NOT NULL DEFAULT 0 CHECK (put_off >= 0);
