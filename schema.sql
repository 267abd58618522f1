-- The guide: stations, what they air, and where that was read.
--
-- This file is the one definition of the current schema (user_version 7). It is embedded in the program and applied to
-- a new database. An older database is migrated to it; see the table grdb_migrations at the end.
--
-- Instants are seconds since 1970 UTC. Windows are half-open. Columns called document, attributes, header, groups or
-- directives hold JSON in the form of Documentation/epg-json.md, for json_extract() and json_each(). The views at the end
-- show readable times; Documentation/queries.md has examples.
--
-- Foreign keys are enforced on every connection but that of an import, which writes each row after those that it refers to.
-- `epg check` checks them all.

-- One row: what holds for the whole guide.
CREATE TABLE guide (
    id              INTEGER PRIMARY KEY CHECK (id = 1),
    -- Grows with every change of the guide, and only then.
    generation      INTEGER NOT NULL CHECK (generation >= 0),
    -- The key of content hashes; random.
    content_key     BLOB NOT NULL CHECK (length(content_key) = 16),
    -- Identifiers are never used again, so the next ones are kept.
    next_airing     INTEGER NOT NULL CHECK (next_airing > 0),
    next_programme  INTEGER NOT NULL CHECK (next_programme > 0),
    next_transmission INTEGER NOT NULL CHECK (next_transmission > 0),
    -- When airings were removed for their age last, by the clock of then; NULL is never.
    pruned_at       INTEGER
) STRICT;

-- Where listings come from, and how they are to be read.
CREATE TABLE source (
    id              INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE CHECK (name <> ''),
    -- A URL or a file; NULL for what is imported by hand.
    location        TEXT,
    -- The IANA zone of times that name none; NULL is UTC.
    time_zone       TEXT,
    -- Seconds added to every time.
    shift           INTEGER NOT NULL DEFAULT 0,
    -- Where several sources cover a station, the higher priority comes first; see coverage.
    priority        INTEGER NOT NULL DEFAULT 0,
    -- Patterns (`*`, `?`) of the stations that are taken, one a line; none for all.
    station_patterns TEXT NOT NULL DEFAULT '',
    -- The encoding that is taken for granted whatever the guide says; NULL leaves it to the guide's bytes.
    encoding        TEXT,
    -- Seconds between two refreshes; NULL is every run.
    refresh_interval INTEGER CHECK (refresh_interval > 0),
    -- Whether the settings (epg.yml) set it up: it is asked only as long as they name it.
    is_configured   INTEGER NOT NULL DEFAULT 0 CHECK (is_configured IN (0, 1))
) STRICT;

-- What is remembered of a source from one refresh to the next; no part of the guide.
CREATE TABLE source_state (
    source_id       INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
    last_attempt    INTEGER,
    last_success    INTEGER,
    entity_tag      TEXT,
    last_modified   TEXT,
    -- Of the last body that was imported, and of how it was read.
    body_hash       TEXT,
    last_error      TEXT,
    -- What became of the last refresh, how many milliseconds it took, and how many failed so far.
    last_ending     TEXT CHECK (last_ending IN ('imported', 'unchanged', 'not-modified', 'failed')),
    last_duration   INTEGER CHECK (last_duration >= 0),
    failures        INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    -- When it may be asked again after a failure; NULL is at its next regular time.
    not_before      INTEGER,
    -- The attributes of <tv> of the last guide: a JSON object.
    header          TEXT
) STRICT;

CREATE TABLE station (
    id              INTEGER PRIMARY KEY,
    -- The feed's identifier, compared byte for byte.
    feed_id         TEXT NOT NULL UNIQUE,
    -- The first display name, or the identifier.
    name            TEXT NOT NULL,
    -- The channel number of the feed, such as 7.1.
    number          TEXT,
    -- All elements of the feed's <channel>, names and icons among them: a JSON object. {} if no feed describes the station.
    document        TEXT NOT NULL,
    -- The source whose description it is: of those that describe it the one with the highest priority, of equal ones the
    -- first; and its place in that source's file.
    described_by    INTEGER REFERENCES source ON DELETE SET NULL,
    ordinal         INTEGER NOT NULL,
    -- The best source of those that cover it; see coverage.
    source_id       INTEGER REFERENCES source ON DELETE SET NULL,
    -- Whether more than one source covers it: then, and only then, their airings are laid over each other.
    is_shared       INTEGER NOT NULL DEFAULT 0 CHECK (is_shared IN (0, 1)),
    -- The row in the guide, dense from 0. First the stations that a lineup lists: by the lineup's name, in it by the
    -- channel's number, then those without one by their place. Then the others: by the feed's number, then by source
    -- and ordinal.
    position        INTEGER NOT NULL CHECK (position >= 0)
) STRICT;

CREATE INDEX station_by_position ON station (position);

-- The range for which a source covers a station.
--
-- Where several sources cover a station, they are ranked: the higher priority first, then the one whose row here stops
-- later, then the older one (lower id); only the eight best count. Each covers the station from the start of its first
-- airing to the stop of its last. All airings of the best source are shown. An airing of a lesser one is shown
--   * outside of what the better sources cover, cut at its edges; of two pieces the earlier one;
--   * where nothing of it is outside: only if the whole airing lies in a gap of what the better sources show.
-- Nothing else of it is shown. A clump is one airing here. So a schedule never overlaps, and what is shown at an instant
-- doesn't depend on the window that was asked for. The rows of airing stay as the sources have them.
CREATE TABLE coverage (
    source_id       INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    station_id      INTEGER NOT NULL REFERENCES station ON DELETE CASCADE,
    start           INTEGER NOT NULL,
    stop            INTEGER NOT NULL CHECK (stop > start),
    -- Hash of the listings of the source's last import, so that an import can skip equal ones. NULL after airings were
    -- pruned.
    listings        BLOB,
    PRIMARY KEY (station_id, source_id)
) STRICT, WITHOUT ROWID;

-- What is aired, stored once however often it is shown. A row is never changed: other content is another row.
CREATE TABLE programme (
    id              INTEGER PRIMARY KEY,
    -- The first of each; where the feed has none, NULL, and an empty title.
    title           TEXT NOT NULL,
    subtitle        TEXT,
    category        TEXT,
    description     TEXT,
    -- Whether the feed has <new>, <premiere> and <live>.
    is_new          INTEGER NOT NULL CHECK (is_new IN (0, 1)),
    is_premiere     INTEGER NOT NULL CHECK (is_premiere IN (0, 1)),
    is_live         INTEGER NOT NULL CHECK (is_live IN (0, 1)),
    -- All elements of the feed's <programme> besides the texts of title, subtitle and description: a JSON object. Where such
    -- a text was, there is null; where it was the only element of its name and had no attributes, there is no member.
    document        TEXT NOT NULL
) STRICT;

-- By what programmes are found again, in pieces: 40 bytes for each number from first_id on.
--   16  a hash of the content
--   16  a hash of the bytes of the feed that it was first read from
--    4  a hash of the title
--    2  how much the feed says of it
--    1  what is worth a diagnostic
--    1  1; 0 where the programme is gone
CREATE TABLE programme_digest (
    first_id        INTEGER PRIMARY KEY,
    digests         BLOB NOT NULL CHECK (length(digests) % 40 = 0)
) STRICT;

-- Attributes of a transmission beyond time and station (showview, catchup-id …), stored once.
CREATE TABLE transmission (
    id              INTEGER PRIMARY KEY,
    hash            BLOB NOT NULL CHECK (length(hash) = 16),
    -- A JSON object.
    attributes      TEXT NOT NULL
) STRICT;

-- One transmission of a programme. The airings of a station from one source never overlap, but those of a clump share
-- their window.
CREATE TABLE airing (
    source_id       INTEGER NOT NULL,
    station_id      INTEGER NOT NULL,
    start           INTEGER NOT NULL,
    -- The place in a clump, from 0, and how many share the window; 0 of 1 alone.
    part            INTEGER NOT NULL CHECK (part >= 0 AND part < parts),
    parts           INTEGER NOT NULL CHECK (parts >= 1),
    stop            INTEGER NOT NULL CHECK (stop > start),
    -- Kept while station and start stand; never used again.
    id              INTEGER NOT NULL,
    programme_id    INTEGER NOT NULL REFERENCES programme,
    transmission_id INTEGER REFERENCES transmission,
    -- The stop was inferred.
    inferred        INTEGER NOT NULL CHECK (inferred IN (0, 1)),
    -- What the feed said, where the times above differ from it. A published start without a stop: none was given.
    published_start INTEGER,
    published_stop  INTEGER,
    PRIMARY KEY (source_id, station_id, start, part),
    FOREIGN KEY (station_id, source_id) REFERENCES coverage ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX airing_by_id ON airing (id);

-- Searches find airings by their programmes. These indexes, and those of diagnostics, also tell what has become unused.
CREATE INDEX airing_by_programme ON airing (programme_id);

CREATE INDEX airing_by_transmission ON airing (transmission_id) WHERE transmission_id IS NOT NULL;

-- The log of imports, with numbers that add up: read = stored + merged + dropped + skipped + filtered.
CREATE TABLE import (
    id              INTEGER PRIMARY KEY,
    source_id       INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    at              INTEGER NOT NULL,
    -- The generation that stood after it.
    generation      INTEGER NOT NULL,
    read            INTEGER NOT NULL,
    stored          INTEGER NOT NULL,
    merged          INTEGER NOT NULL,
    dropped         INTEGER NOT NULL,
    skipped         INTEGER NOT NULL,
    filtered        INTEGER NOT NULL,
    inserted        INTEGER NOT NULL,
    changed         INTEGER NOT NULL,
    removed         INTEGER NOT NULL,
    -- The import whose diagnostics say what was found: this one, or an earlier one that found the same.
    diagnostics_of  INTEGER NOT NULL,
    -- A digest of them.
    diagnostics_digest BLOB NOT NULL,
    CHECK (read = stored + merged + dropped + skipped + filtered)
) STRICT;

CREATE INDEX import_by_source ON import (source_id, id);

-- What an import found and did; a listing that was dropped is still here, with its programme.
CREATE TABLE diagnostic (
    import_id       INTEGER NOT NULL REFERENCES import ON DELETE CASCADE,
    ordinal         INTEGER NOT NULL,
    severity        TEXT NOT NULL CHECK (severity IN ('note', 'warning', 'error')),
    keyword         TEXT NOT NULL,
    action          TEXT NOT NULL,
    line            INTEGER NOT NULL,
    station         TEXT,
    start           INTEGER,
    stop            INTEGER,
    programme_id    INTEGER REFERENCES programme,
    other_line      INTEGER,
    other_start     INTEGER,
    other_stop      INTEGER,
    other_programme_id INTEGER REFERENCES programme,
    -- The window that the listing has now.
    window_start    INTEGER,
    window_stop     INTEGER,
    -- The bytes of the feed that it is about.
    quote           TEXT,
    PRIMARY KEY (import_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX diagnostic_by_programme ON diagnostic (programme_id) WHERE programme_id IS NOT NULL;

CREATE INDEX diagnostic_by_other_programme ON diagnostic (other_programme_id) WHERE other_programme_id IS NOT NULL;

-- An operator's list of channels, as a playlist gives it.
CREATE TABLE lineup (
    id              INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE CHECK (name <> ''),
    -- The attributes of the whole list: a JSON object.
    attributes      TEXT NOT NULL
) STRICT;

-- An entry of a lineup.
CREATE TABLE channel (
    lineup_id       INTEGER NOT NULL REFERENCES lineup ON DELETE CASCADE,
    -- Its place, from 0.
    ordinal         INTEGER NOT NULL CHECK (ordinal >= 0),
    name            TEXT NOT NULL,
    -- Such as 7.1.
    number          TEXT,
    -- What the list says of the station: tvg-id, tvg-name, tvg-logo.
    guide_id        TEXT,
    guide_name      TEXT,
    logo            TEXT,
    -- Where it streams.
    address         TEXT NOT NULL,
    -- JSON: an array of group names, an object of the other attributes, an array of directives.
    groups          TEXT NOT NULL,
    attributes      TEXT NOT NULL,
    directives      TEXT NOT NULL,
    -- The station that it shows, NULL for none, and the rule that found it, which says nothing without a station.
    station_id      INTEGER REFERENCES station ON DELETE SET NULL,
    rule            TEXT CHECK (rule IN ('mapping', 'exactID', 'foldedID', 'feedlessID', 'name', 'number')),
    PRIMARY KEY (lineup_id, ordinal),
    CHECK (station_id IS NULL OR rule IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX channel_by_station ON channel (station_id) WHERE station_id IS NOT NULL;

-- Which station a channel shows because the user said so; the station may be one that isn't there yet.
CREATE TABLE mapping (
    -- The channel's tvg-id, else its name.
    channel_key     TEXT PRIMARY KEY,
    feed_id         TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The user's favorite stations. A favorite changes nothing else of the guide and does not count as a change of it: it neither
-- raises the generation nor appears in the log of changes.
CREATE TABLE favorite (
    -- The feed_id of the station, which the guide need not have: it may come later, or come back.
    feed_id         TEXT PRIMARY KEY,
    -- The place in the user's order, dense from 0.
    position        INTEGER NOT NULL UNIQUE CHECK (position >= 0)
) STRICT, WITHOUT ROWID;

-- The log of changes: what a reader who knows an older generation has to read again. It is written in the transaction of
-- the change itself and reaches back a week; the last generation is in it however old it is. No number is missing in it.
CREATE TABLE generation (
    generation      INTEGER PRIMARY KEY CHECK (generation > 0),
    -- A random number. Number and nonce together name one state of a guide: where a backup was restored or a commit was
    -- lost, the next generation has the number of another one, but not its nonce.
    nonce           INTEGER NOT NULL,
    -- When it came.
    at              INTEGER NOT NULL,
    -- Whether stations came, went, or are described, numbered or ordered otherwise than before.
    changes_stations INTEGER NOT NULL CHECK (changes_stations IN (0, 1))
) STRICT;

-- The stations whose schedules changed in a generation.
--
-- The removal of airings that stopped long ago (`epg prune`) isn't logged. But where several sources cover the station, its
-- whole schedule counts as changed, because airings of other sources may be shown instead.
CREATE TABLE change (
    generation      INTEGER NOT NULL REFERENCES generation ON DELETE CASCADE,
    station_id      INTEGER NOT NULL REFERENCES station ON DELETE CASCADE,
    -- 1: any of the schedule may be another. So it is where the station had no airings before, where several sources
    -- cover it, where a source or its rank changed, and where there are more than 2,000 changes. 0: see airing_change.
    is_whole        INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
    PRIMARY KEY (generation, station_id)
) STRICT, WITHOUT ROWID;

-- Finds the changes of a station that is deleted.
CREATE INDEX change_by_station ON change (station_id);

-- What became of an airing in a generation: its window before and after.
CREATE TABLE airing_change (
    generation      INTEGER NOT NULL,
    station_id      INTEGER NOT NULL,
    airing_id       INTEGER NOT NULL,
    -- NULL where it was inserted.
    old_start       INTEGER,
    old_stop        INTEGER CHECK (old_stop > old_start),
    -- NULL where it was removed.
    new_start       INTEGER,
    new_stop        INTEGER CHECK (new_stop > new_start),
    PRIMARY KEY (generation, station_id, airing_id),
    FOREIGN KEY (generation, station_id) REFERENCES change ON DELETE CASCADE,
    CHECK (old_start IS NOT NULL OR new_start IS NOT NULL),
    CHECK ((old_start IS NULL) = (old_stop IS NULL) AND (new_start IS NULL) = (new_stop IS NULL))
) STRICT, WITHOUT ROWID;

-- The migrations that were applied, as GRDB's DatabaseMigrator notes them; the last one stands for those before it. A new
-- database needs none of them.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

INSERT INTO grdb_migrations (identifier) VALUES ('7');

-- Views for people and for other programs, with times in UTC. The program itself doesn't use them.

-- The listings of each station, in the order of the rows. Of a station that several sources cover, they are those of its
-- best source; what the others add to it is left out.
CREATE VIEW listing AS
SELECT
    s.name AS station, datetime(a.start, 'unixepoch') AS start, datetime(a.stop, 'unixepoch') AS stop,
    p.title, p.subtitle, p.category, p.description, s.number, s.feed_id AS station_id, a.id AS airing_id,
    a.start AS start_seconds, a.stop AS stop_seconds, p.id AS programme_id, p.document
FROM station s
CROSS JOIN airing a ON a.source_id = s.source_id AND a.station_id = s.id
CROSS JOIN programme p ON p.id = a.programme_id
ORDER BY s.position, a.start, a.part;

-- What is on now, by the computer's clock.
CREATE VIEW now AS
SELECT * FROM listing
WHERE start_seconds <= CAST(strftime('%s', 'now') AS INTEGER) AND stop_seconds > CAST(strftime('%s', 'now') AS INTEGER);

-- The channels of each lineup, with the station that each of them shows.
CREATE VIEW channel_list AS
SELECT
    l.name AS lineup, c.ordinal + 1 AS place, c.number, c.name AS channel, s.name AS station, s.feed_id AS station_id,
    iif(s.id IS NULL, NULL, c.rule) AS rule
FROM lineup l
CROSS JOIN channel c ON c.lineup_id = l.id
LEFT JOIN station s ON s.id = c.station_id
ORDER BY l.name, c.ordinal;
