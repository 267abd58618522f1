-- The result of `epg now` in one statement: for each row, the airings at :at (all of a clump) and the next one.
SELECT s.name, n.start, n.stop, p.title, p.subtitle, x.start AS next_start, q.title AS next_title
FROM station s
LEFT JOIN airing n ON n.source_id = s.source_id AND n.station_id = s.id AND n.stop > :at
    AND n.start = (SELECT max(start) FROM airing WHERE source_id = s.source_id AND station_id = s.id AND start <= :at)
LEFT JOIN programme p ON p.id = n.programme_id
LEFT JOIN airing x ON x.source_id = s.source_id AND x.station_id = s.id AND x.part = 0
    AND x.start = (SELECT min(start) FROM airing WHERE source_id = s.source_id AND station_id = s.id AND start > :at)
LEFT JOIN programme q ON q.id = x.programme_id
ORDER BY s.position, n.part;
