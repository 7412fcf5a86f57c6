-- Networks that imports find are kept apart from those that somebody entered by hand, which stay as they are: `longwave`
-- by the list that comes with the program, `data` by stations that share a homepage and a name, `operator` by a file.
ALTER TABLE affiliates ADD COLUMN told_by text CHECK (told_by IN ('longwave', 'data', 'operator'));
-- How an operator's network knows its stations; every import looks again.
ALTER TABLE affiliates ADD COLUMN rule jsonb;
