-- What joined a record to its station, in the words of import/pipeline/recognise.ts; `by hand; ` stands before it for each
-- operator's merge that moved it. NULL: the record came before this was written down.
ALTER TABLE station_records ADD COLUMN witness text
  CONSTRAINT station_records_witness_check CHECK (length(witness) BETWEEN 1 AND 200);
