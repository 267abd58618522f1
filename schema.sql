-- The guide: stations, their airings, and the sources of both.
--
-- This file is the only definition of the current schema (user_version 14; see GuideSchema). It is embedded in the programs, which apply
-- it to new databases, and derive the schema of PostgreSQL from it (PostgresSchema). Older databases are migrated to it; see the table
-- grdb_migrations at the end.
--
-- The programs read the columns from this file, whose form is therefore fixed: a line for each column, indented by four spaces,
-- with more indentation where it continues, and the condition of a column at its end.
--
-- Instants are seconds since 1970 in UTC. Windows are half-open. Columns named document, attributes, header, groups, directives,
-- siblings, airing_siblings, any_words, excluded_words or hidden_categories contain JSON as described in Documentation/epg-json.md, for json_extract() and
-- json_each(). The views at the end show readable times. Documentation/queries.md has examples.
--
-- Foreign keys are enforced on every connection except the connection of an import, which writes each row after the rows that it
-- refers to. `epg check` checks all foreign keys.

-- One row: the state of the guide.
CREATE TABLE guide (
    id              INTEGER PRIMARY KEY CHECK (id = 1),
    -- Increases with every change of the guide, and only then.
    generation      INTEGER NOT NULL CHECK (generation >= 0),
    -- The random key of content hashes.
    content_key     BLOB NOT NULL CHECK (length(content_key) = 16),
    -- The next identifiers. Identifiers are never reused.
    next_airing     INTEGER NOT NULL CHECK (next_airing > 0),
    next_programme  INTEGER NOT NULL CHECK (next_programme > 0),
    next_transmission INTEGER NOT NULL CHECK (next_transmission > 0),
    -- The time of the last pruning of old airings, by the clock at that time; NULL if airings were never pruned.
    pruned_at       INTEGER
) STRICT;

-- The sources of listings, with their settings.
CREATE TABLE source (
    id              INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE CHECK (name <> ''),
    -- A URL or a file; NULL if listings are imported by hand.
    location        TEXT,
    -- The IANA time zone of times without a zone; NULL means UTC.
    time_zone       TEXT,
    -- The number of seconds that are added to every time.
    shift           INTEGER NOT NULL DEFAULT 0,
    -- If several sources cover a station, the source with the higher priority ranks first; see coverage.
    priority        INTEGER NOT NULL DEFAULT 0,
    -- Patterns (`*`, `?`) of the stations to import, one per line; empty for all stations.
    station_patterns TEXT NOT NULL DEFAULT '',
    -- The encoding of the guide, which overrides the declared encoding; NULL detects it from the bytes.
    encoding        TEXT,
    -- The number of seconds between two refreshes; NULL refreshes in every run.
    refresh_interval INTEGER CHECK (refresh_interval > 0),
    -- Whether the configuration file (epg.yml) defines the source. It is refreshed only while the file defines it.
    is_configured   INTEGER NOT NULL DEFAULT 0 CHECK (is_configured IN (0, 1)),
    -- The user name of an account, and its lineups at Schedules Direct, one per line, empty for all; NULL without an account. The
    -- location is then the URL of the server. The password is in the file of passwords beside the database.
    username        TEXT,
    lineups         TEXT NOT NULL DEFAULT '',
    -- What an account gives access to; NULL for the guide of Schedules Direct.
    service         TEXT CHECK (service IN ('schedules-direct', 'xtream', 'xtream-guide')),
    -- Whether refreshes add the guides that a playlist names as sources, and the source whose playlist names this guide.
    follows_guides  INTEGER NOT NULL DEFAULT 0 CHECK (follows_guides IN (0, 1)),
    playlist_id     INTEGER REFERENCES source ON DELETE SET NULL,
    -- Patterns (`*`, `?`) of the groups whose channels may show stations of the source, one per line; empty for all channels.
    group_patterns  TEXT NOT NULL DEFAULT '',
    -- Whether the source completes listings of other sources, and they complete its listings.
    completes       INTEGER NOT NULL DEFAULT 1 CHECK (completes IN (0, 1))
) STRICT;

-- The state of a source between refreshes. It is not part of the guide.
CREATE TABLE source_state (
    source_id       INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
    last_attempt    INTEGER,
    last_success    INTEGER,
    entity_tag      TEXT,
    last_modified   TEXT,
    -- A hash of the last imported body and of the settings that it was imported with.
    body_hash       TEXT,
    last_error      TEXT,
    -- The result of the last refresh, its duration in milliseconds, and the number of all failed refreshes.
    last_ending     TEXT CHECK (last_ending IN ('imported', 'unchanged', 'not-modified', 'failed')),
    last_duration   INTEGER CHECK (last_duration >= 0),
    failures        INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    -- The earliest time of the next request after a failure; NULL follows the regular schedule.
    not_before      INTEGER,
    -- The attributes of <tv> in the last guide: a JSON object.
    header          TEXT
) STRICT;

CREATE TABLE station (
    id              INTEGER PRIMARY KEY,
    -- The identifier in the feed, compared byte for byte.
    feed_id         TEXT NOT NULL UNIQUE,
    -- The first display name, or the identifier.
    name            TEXT NOT NULL,
    -- The channel number in the feed, such as 7.1.
    number          TEXT,
    -- All elements of <channel> in the feed, including names and icons: a JSON object. {} if no feed describes the station.
    document        TEXT NOT NULL,
    -- The source of the description: of the sources that describe the station, the one with the highest priority, and among
    -- equal priorities the first one. The ordinal is the place in the file of that source.
    described_by    INTEGER REFERENCES source ON DELETE SET NULL,
    ordinal         INTEGER NOT NULL,
    -- The best source that covers the station; see coverage.
    source_id       INTEGER REFERENCES source ON DELETE SET NULL,
    -- Whether several sources cover the station, so that their airings are combined.
    is_shared       INTEGER NOT NULL DEFAULT 0 CHECK (is_shared IN (0, 1)),
    -- The row in the guide, from 0 without gaps. Stations of lineups come first: by the name of the lineup, then by the number
    -- of the channel, then channels without a number by their place. Other stations follow: by the number in the feed, then by
    -- source and ordinal.
    position        INTEGER NOT NULL CHECK (position >= 0)
) STRICT;

CREATE INDEX station_by_position ON station (position);

-- The range for which a source covers a station.
--
-- If several sources cover a station, they are ranked by higher priority, then by later stop in this table, then by lower id.
-- Only the best eight sources count. Each source covers the station from the start of its first airing to the stop of its last
-- airing. All airings of the best source are shown. An airing of another source is shown as follows:
--   * If it is partly outside the coverage of the better sources, only the part outside is shown; of two parts the earlier one.
--   * If it is completely inside, it is shown only if it fits completely into a gap between the shown airings of the better
--     sources.
-- For this rule, a clump is one airing. A schedule therefore never overlaps, and the shown airings at an instant do not depend
-- on the requested window. The rows of airing keep the times of their sources.
CREATE TABLE coverage (
    source_id       INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    station_id      INTEGER NOT NULL REFERENCES station ON DELETE CASCADE,
    start           INTEGER NOT NULL,
    stop            INTEGER NOT NULL CHECK (stop > start),
    -- A hash of the listings in the last import of the source, so that an import can skip unchanged stations. NULL after
    -- airings were pruned.
    listings        BLOB,
    PRIMARY KEY (station_id, source_id)
) STRICT, WITHOUT ROWID;

-- The content of airings, stored once for all airings with the same content. Rows never change; changed content is a new row.
CREATE TABLE programme (
    id              INTEGER PRIMARY KEY,
    -- The first title, subtitle, category and description in the feed; NULL if missing, but an empty title.
    title           TEXT NOT NULL,
    subtitle        TEXT,
    category        TEXT,
    description     TEXT,
    -- Whether the feed has <new>, <premiere> and <live>.
    is_new          INTEGER NOT NULL CHECK (is_new IN (0, 1)),
    is_premiere     INTEGER NOT NULL CHECK (is_premiere IN (0, 1)),
    is_live         INTEGER NOT NULL CHECK (is_live IN (0, 1)),
    -- All elements of <programme> in the feed except the texts in title, subtitle and description: a JSON object. Such a text
    -- is null. If its element was the only one with the name and had no attributes, the member of the element is missing.
    document        TEXT NOT NULL,
    -- Whether no feed lists the programme: it was derived from a playlist or from another station (element <derived>).
    is_derived      INTEGER NOT NULL DEFAULT 0 CHECK (is_derived IN (0, 1)),
    -- The genre by all categories: the content nibbles of ETSI EN 300 468, table 28 (genre & 255; 0 for none), plus 256 if a category
    -- names a film, 512 if one names a series or there is the number of an episode, and 768 if there is only the year of production.
    genre           INTEGER NOT NULL DEFAULT 0 CHECK (genre BETWEEN 0 AND 1023),
    -- Whether the feed has <previously-shown>.
    is_repeat       INTEGER NOT NULL DEFAULT 0 CHECK (is_repeat IN (0, 1))
) STRICT;

-- Digests by which an import recognizes stored programmes, in blobs with 44 bytes for each programme from first_id on:
--   16  a hash of the content
--   16  a hash of the bytes in the feed that the programme was first read from, or first by the newest version of the rules
--    4  a hash of the title
--    4  the episode: its number and a hash of the subtitle
--    2  the amount of information in the feed
--    1  findings that cause diagnostics
--    1  the version of the rules by which it was read, from 1; 0 if the programme was removed, and 255 if it was completed from
--       several sources, so that no feed has it
CREATE TABLE programme_digest (
    first_id        INTEGER PRIMARY KEY,
    digests         BLOB NOT NULL CHECK (length(digests) % 44 = 0)
) STRICT;

-- Attributes of a transmission other than time and station (showview, catchup-id …), stored once.
CREATE TABLE transmission (
    id              INTEGER PRIMARY KEY,
    hash            BLOB NOT NULL CHECK (length(hash) = 16),
    -- A JSON object.
    attributes      TEXT NOT NULL
) STRICT;

-- One transmission of a programme. The airings of a station from one source never overlap, except airings of a clump, which
-- share their window.
CREATE TABLE airing (
    source_id       INTEGER NOT NULL,
    station_id      INTEGER NOT NULL,
    start           INTEGER NOT NULL,
    -- The place in a clump, from 0, and the size of the clump; 0 and 1 without a clump.
    part            INTEGER NOT NULL CHECK (part >= 0 AND part < parts),
    parts           INTEGER NOT NULL CHECK (parts >= 1),
    stop            INTEGER NOT NULL CHECK (stop > start),
    -- The same while station and start are the same; never reused.
    id              INTEGER NOT NULL,
    programme_id    INTEGER NOT NULL REFERENCES programme,
    transmission_id INTEGER REFERENCES transmission,
    -- Whether the stop was inferred.
    inferred        INTEGER NOT NULL CHECK (inferred IN (0, 1)),
    -- The times in the feed if they differ from the times above. A published start without a stop: the feed has no stop.
    published_start INTEGER,
    published_stop  INTEGER,
    -- The programme in the feed, if programme_id is a copy of it with fields of other sources (element <completed>).
    listed_programme_id INTEGER REFERENCES programme,
    PRIMARY KEY (source_id, station_id, start, part),
    FOREIGN KEY (station_id, source_id) REFERENCES coverage ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX airing_by_id ON airing (id);

-- Searches find airings by their programmes. These indexes and the indexes of diagnostics also find unused rows.
CREATE INDEX airing_by_programme ON airing (programme_id);

CREATE INDEX airing_by_listed_programme ON airing (listed_programme_id) WHERE listed_programme_id IS NOT NULL;

CREATE INDEX airing_by_transmission ON airing (transmission_id) WHERE transmission_id IS NOT NULL;

-- The import log. The counts add up: read = stored + merged + dropped + skipped + filtered.
CREATE TABLE import (
    id              INTEGER PRIMARY KEY,
    source_id       INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    at              INTEGER NOT NULL,
    -- The generation after the import.
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
    -- The import that has the diagnostics: this import, or an earlier one with the same diagnostics.
    diagnostics_of  INTEGER NOT NULL,
    -- A digest of the diagnostics.
    diagnostics_digest BLOB NOT NULL,
    -- The number of airings, of any source, that the import completed with fields of other sources.
    completed       INTEGER NOT NULL DEFAULT 0,
    CHECK (read = stored + merged + dropped + skipped + filtered)
) STRICT;

CREATE INDEX import_by_source ON import (source_id, id);

-- The findings and repairs of an import. Dropped listings remain here with their programmes.
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
    -- The window of the listing after the repair.
    window_start    INTEGER,
    window_stop     INTEGER,
    -- The affected bytes of the feed.
    quote           TEXT,
    PRIMARY KEY (import_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX diagnostic_by_programme ON diagnostic (programme_id) WHERE programme_id IS NOT NULL;

CREATE INDEX diagnostic_by_other_programme ON diagnostic (other_programme_id) WHERE other_programme_id IS NOT NULL;

-- A list of channels from a playlist.
CREATE TABLE lineup (
    id              INTEGER PRIMARY KEY,
    name            TEXT NOT NULL UNIQUE CHECK (name <> ''),
    -- The attributes of the list: a JSON object.
    attributes      TEXT NOT NULL,
    -- The source whose playlist it is, which has the same name; NULL for a playlist that was imported by hand.
    source_id       INTEGER REFERENCES source ON DELETE CASCADE
) STRICT;

-- An entry of a lineup.
CREATE TABLE channel (
    lineup_id       INTEGER NOT NULL REFERENCES lineup ON DELETE CASCADE,
    -- The place in the lineup, from 0.
    ordinal         INTEGER NOT NULL CHECK (ordinal >= 0),
    name            TEXT NOT NULL,
    -- The channel number, such as 7.1.
    number          TEXT,
    -- The station in the playlist: tvg-id, tvg-name, tvg-logo.
    guide_id        TEXT,
    guide_name      TEXT,
    logo            TEXT,
    -- The URL of the stream.
    address         TEXT NOT NULL,
    -- JSON: an array of group names, an object of the other attributes, an array of directives.
    groups          TEXT NOT NULL,
    attributes      TEXT NOT NULL,
    directives      TEXT NOT NULL,
    -- The matched station, or NULL, and the rule that matched it. The rule has no meaning without a station.
    station_id      INTEGER REFERENCES station ON DELETE SET NULL,
    rule            TEXT CHECK (
        rule IN (
            'mapping', 'exactID', 'foldedID', 'feedlessID', 'name', 'plainName', 'similarName', 'number', 'derived')),
    -- The days for which past airings can be watched (catchup-days and similar attributes); NULL without catch-up or limit.
    catchup_days    INTEGER CHECK (catchup_days > 0),
    PRIMARY KEY (lineup_id, ordinal),
    CHECK (station_id IS NULL OR rule IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX channel_by_station ON channel (station_id) WHERE station_id IS NOT NULL;

-- Channels with changes of the user that the playlist of their lineup no longer contains, for a year. A channel that returns gets its
-- changes back.
CREATE TABLE former_channel (
    lineup_id       INTEGER NOT NULL REFERENCES lineup ON DELETE CASCADE,
    -- From 0, the channel that was removed last first.
    ordinal         INTEGER NOT NULL CHECK (ordinal >= 0),
    -- As in the table channel.
    name            TEXT NOT NULL,
    number          TEXT,
    guide_id        TEXT,
    address         TEXT NOT NULL,
    groups          TEXT NOT NULL,
    attributes      TEXT NOT NULL,
    -- The place in the user's order, from 0; NULL in the order of the playlist.
    place           INTEGER CHECK (place >= 0),
    removed_at      INTEGER NOT NULL,
    PRIMARY KEY (lineup_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Matches of channels to stations that the user chose. The station may be missing in the guide.
CREATE TABLE mapping (
    -- The tvg-id of the channel, or its name without one.
    channel_key     TEXT PRIMARY KEY,
    feed_id         TEXT NOT NULL,
    -- The seconds by which the channel transmits later than the station, instead of its tvg-shift; NULL for tvg-shift.
    shift           INTEGER
) STRICT, WITHOUT ROWID;

-- Settings that were changed in the browser or by `epg config set`. Options, variables and epg.yml take precedence. Changing
-- them does not change the guide.
CREATE TABLE setting (
    -- The key in epg.yml, such as retention.
    key             TEXT NOT NULL PRIMARY KEY CHECK (key <> ''),
    -- The values, one per line.
    value           TEXT NOT NULL
) STRICT;

-- The user's favorite stations. Changing favorites does not change the guide: the generation and the change log stay the same.
CREATE TABLE favorite (
    -- The feed_id of the station, which may be missing in the guide.
    feed_id         TEXT PRIMARY KEY,
    -- The place in the user's order, from 0 without gaps.
    position        INTEGER NOT NULL UNIQUE CHECK (position >= 0)
) STRICT, WITHOUT ROWID;

-- Saved searches for airings. Changing them does not change the guide.
CREATE TABLE watch_rule (
    -- A random number, which is the same in copies of the guide.
    id              INTEGER PRIMARY KEY CHECK (id > 0),
    name            TEXT NOT NULL UNIQUE CHECK (name <> ''),
    profile         TEXT NOT NULL CHECK (profile <> ''),
    -- The conditions, which must all be met; NULL for none. Title and category ignore case, and words are a search.
    title           TEXT,
    words           TEXT,
    -- JSON arrays of searches: at least one of any_words must match, and none of excluded_words may match.
    any_words       TEXT,
    excluded_words  TEXT,
    -- A regular expression that must be found in title, subtitle or description.
    pattern         TEXT,
    category        TEXT,
    -- The feed_id of the station, which may be missing in the guide.
    feed_id         TEXT,
    -- One airing, and from when the rule was made: its start, and a JSON array with the identifiers, as texts, of the other
    -- airings on the station with the same title, within six hours.
    airing_id       INTEGER,
    airing_start    INTEGER,
    airing_siblings TEXT,
    -- The local time of the start in minutes since midnight, half-open. The range may extend over midnight.
    from_minute     INTEGER CHECK (from_minute BETWEEN 0 AND 1439),
    to_minute       INTEGER CHECK (to_minute BETWEEN 1 AND 1440),
    -- Whether only new episodes match, and whether only the first airing of an episode does.
    is_new          INTEGER NOT NULL CHECK (is_new IN (0, 1)),
    is_once         INTEGER NOT NULL CHECK (is_once IN (0, 1)),
    -- The minutes before the start at which reminders are due.
    minutes_before  INTEGER NOT NULL CHECK (minutes_before BETWEEN 0 AND 10080),
    -- Airings that ended before do not make later ones repeats.
    created_at      INTEGER NOT NULL,
    CHECK ((airing_id IS NULL) = (airing_start IS NULL) AND (airing_id IS NULL) = (airing_siblings IS NULL)
        AND (from_minute IS NULL) = (to_minute IS NULL)),
    CHECK (title IS NOT NULL OR words IS NOT NULL OR any_words IS NOT NULL OR pattern IS NOT NULL OR category IS NOT NULL
        OR feed_id IS NOT NULL OR airing_id IS NOT NULL)
) STRICT;

-- The reminders that were sent to targets, or are being sent.
CREATE TABLE reminder (
    -- The idempotency key, and the name of the target.
    key             TEXT NOT NULL CHECK (key <> ''),
    target          TEXT NOT NULL,
    rule_id         INTEGER NOT NULL REFERENCES watch_rule ON DELETE CASCADE,
    -- The airing, its station, its time, and its title when the reminder was first due.
    airing_id       INTEGER NOT NULL,
    feed_id         TEXT NOT NULL,
    start           INTEGER NOT NULL,
    stop            INTEGER NOT NULL CHECK (stop >= start),
    title           TEXT NOT NULL,
    -- A hash that identifies the episode; NULL if it is unknown.
    episode         TEXT,
    -- The generation of the guide at that time, and a JSON array with the identifiers, as texts, of the other airings
    -- on the station with the same title and episode, within a day.
    generation      INTEGER NOT NULL,
    siblings        TEXT NOT NULL,
    -- sending is recorded before a request, so that a reminder is sent again with the same key after a crash.
    state           TEXT NOT NULL CHECK (state IN ('sending', 'sent', 'failed')),
    -- The number of failed requests, the time of the last change, the time of the next request, and the reason of the failure.
    failures        INTEGER NOT NULL CHECK (failures >= 0),
    changed_at      INTEGER NOT NULL,
    not_before      INTEGER,
    error           TEXT,
    PRIMARY KEY (key, target)
) STRICT, WITHOUT ROWID;

-- Finds the reminders of a rule that is deleted.
CREATE INDEX reminder_by_rule ON reminder (rule_id);

-- The settings of pages for a person or a device. Changing them does not change the guide. Watch rules name a profile, which may
-- be missing here.
CREATE TABLE profile (
    name            TEXT NOT NULL PRIMARY KEY CHECK (name <> ''),
    -- A JSON object, at most 64 KiB.
    document        TEXT NOT NULL,
    -- Grows with each change.
    version         INTEGER NOT NULL CHECK (version > 0),
    -- The parental limit: the maximum age rating, NULL for none, and a JSON array of categories.
    maximum_age     INTEGER CHECK (maximum_age BETWEEN 0 AND 21),
    hidden_categories TEXT NOT NULL,
    -- A salt and the SHA-256 of salt and PIN, separated by colons; NULL for no PIN.
    pin_hash        TEXT,
    -- Whether viewers may add, change and remove the watch rules of the profile.
    accepts_rules   INTEGER NOT NULL DEFAULT 0 CHECK (accepts_rules IN (0, 1))
) STRICT;

-- The change log, from which a client with an older generation learns what to read again. Each entry is written in the
-- transaction of the change. The log covers one week and always contains the last generation. It has no gaps.
CREATE TABLE generation (
    generation      INTEGER PRIMARY KEY CHECK (generation > 0),
    -- A random number. Generation and nonce together identify one state of a guide: after a restored backup or a lost commit,
    -- a generation can be reused, but with another nonce.
    nonce           INTEGER NOT NULL,
    -- The time of the change.
    at              INTEGER NOT NULL,
    -- Whether stations were added or removed, or their descriptions, numbers or order changed.
    changes_stations INTEGER NOT NULL CHECK (changes_stations IN (0, 1))
) STRICT;

-- The stations whose schedules changed in a generation.
--
-- The removal of old airings (`epg prune`) is not logged. But if several sources cover the station, its complete schedule
-- counts as changed, because airings of other sources may be shown instead.
CREATE TABLE change (
    generation      INTEGER NOT NULL REFERENCES generation ON DELETE CASCADE,
    station_id      INTEGER NOT NULL REFERENCES station ON DELETE CASCADE,
    -- 1: the complete schedule may have changed, because the station had no airings before, several sources cover it, a source
    -- or its rank changed, or there are more than 2,000 changes. 0: airing_change has the changes.
    is_whole        INTEGER NOT NULL CHECK (is_whole IN (0, 1)),
    PRIMARY KEY (generation, station_id)
) STRICT, WITHOUT ROWID;

-- Finds the changes of a station that is deleted.
CREATE INDEX change_by_station ON change (station_id);

-- The window of a changed airing before and after a generation.
CREATE TABLE airing_change (
    generation      INTEGER NOT NULL,
    station_id      INTEGER NOT NULL,
    airing_id       INTEGER NOT NULL,
    -- NULL if the airing was inserted.
    old_start       INTEGER,
    old_stop        INTEGER CHECK (old_stop > old_start),
    -- NULL if the airing was removed.
    new_start       INTEGER,
    new_stop        INTEGER CHECK (new_stop > new_start),
    PRIMARY KEY (generation, station_id, airing_id),
    FOREIGN KEY (generation, station_id) REFERENCES change ON DELETE CASCADE,
    CHECK (old_start IS NOT NULL OR new_start IS NOT NULL),
    CHECK ((old_start IS NULL) = (old_stop IS NULL) AND (new_start IS NULL) = (new_stop IS NULL))
) STRICT, WITHOUT ROWID;

-- The channels that a new version of a playlist added, removed or renamed in a generation.
CREATE TABLE channel_change (
    generation      INTEGER NOT NULL REFERENCES generation ON DELETE CASCADE,
    lineup_id       INTEGER NOT NULL REFERENCES lineup ON DELETE CASCADE,
    ordinal         INTEGER NOT NULL CHECK (ordinal >= 0),
    -- NULL if the channel was added.
    old_name        TEXT,
    -- NULL if the channel was removed.
    new_name        TEXT,
    PRIMARY KEY (generation, lineup_id, ordinal),
    CHECK (old_name IS NOT NULL OR new_name IS NOT NULL)
) STRICT, WITHOUT ROWID;

-- Finds the changes of a lineup that is deleted.
CREATE INDEX channel_change_by_lineup ON channel_change (lineup_id);

-- The applied migrations in the format of GRDB's DatabaseMigrator. The last migration includes all earlier ones. A new database
-- needs no migration.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);

-- Views for users and other programs, with times in UTC. epg and epgd do not use them.

-- The listings of each station, in row order. If several sources cover a station, only the listings of its best source are
-- included.
CREATE VIEW listing AS
SELECT
    s.name AS station, datetime(a.start, 'unixepoch') AS start, datetime(a.stop, 'unixepoch') AS stop,
    p.title, p.subtitle, p.category, p.description, s.number, s.feed_id AS station_id, a.id AS airing_id,
    a.start AS start_seconds, a.stop AS stop_seconds, p.id AS programme_id, p.document
FROM station s
CROSS JOIN airing a ON a.source_id = s.source_id AND a.station_id = s.id
CROSS JOIN programme p ON p.id = a.programme_id
ORDER BY s.position, a.start, a.part;

-- The current listings, by the clock of the computer.
CREATE VIEW now AS
SELECT * FROM listing
WHERE start_seconds <= CAST(strftime('%s', 'now') AS INTEGER) AND stop_seconds > CAST(strftime('%s', 'now') AS INTEGER);

-- The channels of each lineup with their matched stations.
CREATE VIEW channel_list AS
SELECT
    l.name AS lineup, c.ordinal + 1 AS place, c.number, c.name AS channel, s.name AS station, s.feed_id AS station_id,
    iif(s.id IS NULL, NULL, c.rule) AS rule
FROM lineup l
CROSS JOIN channel c ON c.lineup_id = l.id
LEFT JOIN station s ON s.id = c.station_id
ORDER BY l.name, c.ordinal;
