-- The airings of the station in row :row that overlap [:from, :to), with what a cell shows (schema.sql, version 1).
-- The airings of a station don't overlap, so only the last that starts by :from can reach into the window from before.
SELECT station.id, station.name, airing.id, airing.start, airing.stop, airing.part, airing.parts, airing.inferred,
    airing.published_start, airing.published_stop,
    programme.id, programme.title, programme.subtitle, programme.category
FROM station
JOIN airing ON airing.source_id = station.source_id AND airing.station_id = station.id
JOIN programme ON programme.id = airing.programme_id
WHERE station.position = :row
    AND airing.start >= coalesce(
        (SELECT max(earlier.start) FROM airing AS earlier
         WHERE earlier.source_id = station.source_id AND earlier.station_id = station.id AND earlier.start <= :from),
        :from)
    AND airing.start < :to
    AND airing.stop > :from
ORDER BY airing.start, airing.part
