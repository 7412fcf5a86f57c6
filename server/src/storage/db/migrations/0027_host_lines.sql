-- What is put off because its host has too much to do stands in a line: whoever has room for the host again takes the next
-- ones from there, and does not wait for their time. Few rows stand in one; to find them the table is read once, a second
-- for a million, in which only workers wait, whose rows these are.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX stream_checks_line ON stream_checks (host, next_due_at) WHERE put_off > 0;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX feeds_line ON feeds (host, next_due_at) WHERE put_off > 0;
