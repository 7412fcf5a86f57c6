-- A GIN index puts new rows on a list first, and every search reads through that list. Shows change all day, as their
-- feeds are read, so the list is never short: of 4 MB it made a search of a rare name 10 ms where the index takes 0.2.
-- Written at once, a change pays for itself and no search pays for it. Stations change by imports, which are written
-- faster with the list, and the vacuum after them empties it.
ALTER INDEX search_shows_1 SET (fastupdate = off);
ALTER INDEX search_shows_2 SET (fastupdate = off);
ALTER INDEX search_shows_3 SET (fastupdate = off);
ALTER INDEX search_shows_4 SET (fastupdate = off);
ALTER INDEX search_words_near SET (fastupdate = off);
ALTER INDEX newest_topics_words SET (fastupdate = off);

-- What is on the lists already; nothing empties them from now on but this.
SELECT gin_clean_pending_list('search_shows_1'), gin_clean_pending_list('search_shows_2'),
  gin_clean_pending_list('search_shows_3'), gin_clean_pending_list('search_shows_4'),
  gin_clean_pending_list('search_words_near'), gin_clean_pending_list('newest_topics_words');
