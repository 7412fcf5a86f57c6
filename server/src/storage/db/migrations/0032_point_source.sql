-- How the point of a station was learned. A point out of a transmitter register or one that the station claims says where it
-- is; that of a city which its name or a list mentions says in which city. NULL: nobody said how. Which points are only
-- guesses is worked out from all of them together: see core/directory/nearby.
ALTER TABLE stations ADD COLUMN point_source text
  CONSTRAINT stations_point_source_check CHECK (point_source IN ('register', 'claim', 'city'));
