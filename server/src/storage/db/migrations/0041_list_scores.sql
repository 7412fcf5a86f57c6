-- How often the names of a list were right where another list names the same address (import/pipeline/list-trust.ts).
CREATE TABLE list_scores (
  list text PRIMARY KEY CHECK (length(list) BETWEEN 1 AND 100),
  compared integer NOT NULL CHECK (compared >= 0),
  right_names integer NOT NULL CHECK (right_names BETWEEN 0 AND compared)
);

-- Its list was not trusted when it came, and nothing else spoke for its name: only its address counts.
ALTER TABLE station_records ADD COLUMN doubtful boolean NOT NULL DEFAULT false;
