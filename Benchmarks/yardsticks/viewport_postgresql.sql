-- The store's statement (Sources/EPGPostgres/PostgresReader.swift: gridSQL): the stations of several rows, each with its airings in
-- the window from $1 to $2.
SELECT s.id, s.feed_id, s.name, s.source_id, s.position, s.is_shared, a.*
FROM station s LEFT JOIN LATERAL (
    SELECT a.id, a.start, a.stop, a.part, a.parts, a.inferred, a.published_start, a.published_stop,
        p.title, p.subtitle, p.category, p.is_new, p.is_premiere, p.is_live, p.is_derived
    FROM airing a JOIN programme p ON p.id = a.programme_id
    WHERE a.source_id = s.source_id AND a.station_id = s.id AND a.start < $2 AND a.stop > $1
        AND a.start >= coalesce((
            SELECT b.start FROM airing b WHERE b.source_id = s.source_id AND b.station_id = s.id AND b.start <= $1
            ORDER BY b.start DESC LIMIT 1), $1)
    ORDER BY a.start, a.part
) a ON NOT s.is_shared
WHERE s.position >= $3 AND s.position < $4 ORDER BY s.position, a.start, a.part
