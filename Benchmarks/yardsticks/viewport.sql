-- The store's statements (Sources/EPGStore/Queries: GuideStore.rowsSQL and AiringQuery.brief.before): the stations of
-- several rows, and the airings of a station that start before the end of a window, latest first.
SELECT id, feed_id, name, source_id, position FROM station
WHERE position >= ? AND position < ? ORDER BY position;

SELECT a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.published_stop,
p.title, p.subtitle, p.category, p.is_new, p.is_premiere, p.is_live
FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
WHERE a.source_id = ? AND a.station_id = ? AND a.start < ? ORDER BY a.start DESC, a.part DESC;
