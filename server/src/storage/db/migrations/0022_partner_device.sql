-- What the devices of a partner are, as a profile of the service; null leaves it to each call to tell.
ALTER TABLE partners ADD COLUMN device text CHECK (length(device) BETWEEN 1 AND 60);
