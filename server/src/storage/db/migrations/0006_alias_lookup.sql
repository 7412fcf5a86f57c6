-- A radio's buttons hold ids of a directory it does not name, so an id is also looked up without its scheme. Only imports
-- write aliases, and they can wait while it is built.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX aliases_foreign_id ON aliases (foreign_id, scheme);
