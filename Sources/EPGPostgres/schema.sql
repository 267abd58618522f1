-- The guide on PostgreSQL: the tables of schema.sql, which explains tables and columns. This file is the only definition of the
-- current schema (version 9). It is embedded in the programs, which apply it to an empty schema of a database.
--
-- Differences from SQLite:
--   * Documents have the type json. jsonb would change the order of their members, and thus the bytes of exports.
--   * Texts have the collation "C", so that both engines sort alike.
--   * Flags are booleans.
--   * Airings and diagnostics have no foreign keys, because the server checks them row by row. `epg check` checks their references.
--   * Names of any length are unique by their hashes, because a row of an index has at most 2,704 bytes.
--   * The search index is not in the database. Every computer that searches keeps one of its own.

-- One row: the version of this schema.
CREATE TABLE schema_version (
    id              bigint PRIMARY KEY CHECK (id = 1),
    version         bigint NOT NULL
);

INSERT INTO schema_version VALUES (1, 10);

CREATE TABLE guide (
    id              bigint PRIMARY KEY CHECK (id = 1),
    generation      bigint NOT NULL CHECK (generation >= 0),
    content_key     bytea NOT NULL CHECK (length(content_key) = 16),
    next_airing     bigint NOT NULL CHECK (next_airing > 0),
    next_programme  bigint NOT NULL CHECK (next_programme > 0),
    next_transmission bigint NOT NULL CHECK (next_transmission > 0),
    pruned_at       bigint
);

CREATE TABLE source (
    id              bigint PRIMARY KEY,
    name            text COLLATE "C" NOT NULL CHECK (name <> ''),
    location        text COLLATE "C",
    time_zone       text COLLATE "C",
    shift           bigint NOT NULL DEFAULT 0,
    priority        bigint NOT NULL DEFAULT 0,
    station_patterns text COLLATE "C" NOT NULL DEFAULT '',
    encoding        text COLLATE "C",
    refresh_interval bigint CHECK (refresh_interval > 0),
    is_configured   boolean NOT NULL DEFAULT false
);

CREATE UNIQUE INDEX source_by_name ON source (md5(name));

CREATE TABLE source_state (
    source_id       bigint PRIMARY KEY REFERENCES source ON DELETE CASCADE,
    last_attempt    bigint,
    last_success    bigint,
    entity_tag      text COLLATE "C",
    last_modified   text COLLATE "C",
    body_hash       text COLLATE "C",
    last_error      text COLLATE "C",
    last_ending     text COLLATE "C" CHECK (last_ending IN ('imported', 'unchanged', 'not-modified', 'failed')),
    last_duration   bigint CHECK (last_duration >= 0),
    failures        bigint NOT NULL DEFAULT 0 CHECK (failures >= 0),
    not_before      bigint,
    header          json
);

CREATE TABLE station (
    id              bigint PRIMARY KEY,
    feed_id         text COLLATE "C" NOT NULL UNIQUE,
    name            text COLLATE "C" NOT NULL,
    number          text COLLATE "C",
    document        json NOT NULL,
    described_by    bigint REFERENCES source ON DELETE SET NULL,
    ordinal         bigint NOT NULL,
    source_id       bigint REFERENCES source ON DELETE SET NULL,
    is_shared       boolean NOT NULL DEFAULT false,
    position        bigint NOT NULL CHECK (position >= 0)
);

CREATE INDEX station_by_position ON station (position);

-- Rows of removed sources and stations are deleted together with their airings.
CREATE TABLE coverage (
    source_id       bigint NOT NULL REFERENCES source,
    station_id      bigint NOT NULL,
    start           bigint NOT NULL,
    stop            bigint NOT NULL CHECK (stop > start),
    listings        bytea,
    PRIMARY KEY (station_id, source_id)
);

CREATE INDEX coverage_by_source ON coverage (source_id);

CREATE TABLE programme (
    id              bigint PRIMARY KEY,
    title           text COLLATE "C" NOT NULL,
    subtitle        text COLLATE "C",
    category        text COLLATE "C",
    description     text COLLATE "C",
    is_new          boolean NOT NULL,
    is_premiere     boolean NOT NULL,
    is_live         boolean NOT NULL,
    document        json NOT NULL,
    is_derived      boolean NOT NULL DEFAULT false,
    genre           bigint NOT NULL DEFAULT 0 CHECK (genre BETWEEN 0 AND 1023)
);

CREATE TABLE programme_digest (
    first_id        bigint PRIMARY KEY,
    digests         bytea NOT NULL CHECK (length(digests) % 44 = 0)
);

-- Digests cannot be compressed.
ALTER TABLE programme_digest ALTER COLUMN digests SET STORAGE EXTERNAL;

CREATE TABLE transmission (
    id              bigint PRIMARY KEY,
    hash            bytea NOT NULL CHECK (length(hash) = 16),
    attributes      json NOT NULL
);

CREATE TABLE airing (
    source_id       bigint NOT NULL,
    station_id      bigint NOT NULL,
    start           bigint NOT NULL,
    part            bigint NOT NULL CHECK (part >= 0 AND part < parts),
    parts           bigint NOT NULL CHECK (parts >= 1),
    stop            bigint NOT NULL CHECK (stop > start),
    id              bigint NOT NULL,
    programme_id    bigint NOT NULL,
    transmission_id bigint,
    inferred        boolean NOT NULL,
    published_start bigint,
    published_stop  bigint,
    PRIMARY KEY (source_id, station_id, start, part)
);

CREATE UNIQUE INDEX airing_by_id ON airing (id);

CREATE INDEX airing_by_programme ON airing (programme_id);

CREATE INDEX airing_by_transmission ON airing (transmission_id) WHERE transmission_id IS NOT NULL;

CREATE TABLE import (
    id              bigint PRIMARY KEY,
    source_id       bigint NOT NULL REFERENCES source ON DELETE CASCADE,
    at              bigint NOT NULL,
    generation      bigint NOT NULL,
    read            bigint NOT NULL,
    stored          bigint NOT NULL,
    merged          bigint NOT NULL,
    dropped         bigint NOT NULL,
    skipped         bigint NOT NULL,
    filtered        bigint NOT NULL,
    inserted        bigint NOT NULL,
    changed         bigint NOT NULL,
    removed         bigint NOT NULL,
    diagnostics_of  bigint NOT NULL,
    diagnostics_digest bytea NOT NULL,
    CHECK (read = stored + merged + dropped + skipped + filtered)
);

CREATE INDEX import_by_source ON import (source_id, id);

CREATE TABLE diagnostic (
    import_id       bigint NOT NULL,
    ordinal         bigint NOT NULL,
    severity        text COLLATE "C" NOT NULL CHECK (severity IN ('note', 'warning', 'error')),
    keyword         text COLLATE "C" NOT NULL,
    action          text COLLATE "C" NOT NULL,
    line            bigint NOT NULL,
    station         text COLLATE "C",
    start           bigint,
    stop            bigint,
    programme_id    bigint,
    other_line      bigint,
    other_start     bigint,
    other_stop      bigint,
    other_programme_id bigint,
    window_start    bigint,
    window_stop     bigint,
    quote           text COLLATE "C",
    PRIMARY KEY (import_id, ordinal)
);

CREATE INDEX diagnostic_by_programme ON diagnostic (programme_id) WHERE programme_id IS NOT NULL;

CREATE INDEX diagnostic_by_other_programme ON diagnostic (other_programme_id) WHERE other_programme_id IS NOT NULL;

CREATE TABLE lineup (
    id              bigint PRIMARY KEY,
    name            text COLLATE "C" NOT NULL CHECK (name <> ''),
    attributes      json NOT NULL
);

CREATE UNIQUE INDEX lineup_by_name ON lineup (md5(name));

CREATE TABLE channel (
    lineup_id       bigint NOT NULL REFERENCES lineup ON DELETE CASCADE,
    ordinal         bigint NOT NULL CHECK (ordinal >= 0),
    name            text COLLATE "C" NOT NULL,
    number          text COLLATE "C",
    guide_id        text COLLATE "C",
    guide_name      text COLLATE "C",
    logo            text COLLATE "C",
    address         text COLLATE "C" NOT NULL,
    groups          json NOT NULL,
    attributes      json NOT NULL,
    directives      json NOT NULL,
    station_id      bigint REFERENCES station ON DELETE SET NULL,
    rule            text COLLATE "C" CHECK (
        rule IN (
            'mapping', 'exactID', 'foldedID', 'feedlessID', 'name', 'plainName', 'similarName', 'number', 'derived')),
    PRIMARY KEY (lineup_id, ordinal),
    CHECK (station_id IS NULL OR rule IS NOT NULL)
);

CREATE INDEX channel_by_station ON channel (station_id) WHERE station_id IS NOT NULL;

CREATE TABLE mapping (
    channel_key     text COLLATE "C" NOT NULL,
    feed_id         text COLLATE "C" NOT NULL,
    shift           bigint
);

CREATE UNIQUE INDEX mapping_by_key ON mapping (md5(channel_key));

CREATE TABLE favorite (
    feed_id         text COLLATE "C" PRIMARY KEY,
    position        bigint NOT NULL UNIQUE CHECK (position >= 0)
);

CREATE TABLE watch_rule (
    id              bigint PRIMARY KEY CHECK (id > 0),
    name            text COLLATE "C" NOT NULL UNIQUE CHECK (name <> ''),
    profile         text COLLATE "C" NOT NULL CHECK (profile <> ''),
    title           text COLLATE "C",
    words           text COLLATE "C",
    category        text COLLATE "C",
    feed_id         text COLLATE "C",
    airing_id       bigint,
    airing_start    bigint,
    airing_siblings json,
    from_minute     bigint CHECK (from_minute BETWEEN 0 AND 1439),
    to_minute       bigint CHECK (to_minute BETWEEN 1 AND 1440),
    is_new          boolean NOT NULL,
    is_once         boolean NOT NULL,
    minutes_before  bigint NOT NULL CHECK (minutes_before BETWEEN 0 AND 10080),
    created_at      bigint NOT NULL,
    CHECK ((airing_id IS NULL) = (airing_start IS NULL) AND (airing_id IS NULL) = (airing_siblings IS NULL)
        AND (from_minute IS NULL) = (to_minute IS NULL)),
    CHECK (coalesce(title, words, category, feed_id, airing_id::text) IS NOT NULL)
);

CREATE TABLE reminder (
    key             text COLLATE "C" NOT NULL CHECK (key <> ''),
    target          text COLLATE "C" NOT NULL,
    rule_id         bigint NOT NULL REFERENCES watch_rule ON DELETE CASCADE,
    airing_id       bigint NOT NULL,
    feed_id         text COLLATE "C" NOT NULL,
    start           bigint NOT NULL,
    stop            bigint NOT NULL CHECK (stop >= start),
    title           text COLLATE "C" NOT NULL,
    episode         text COLLATE "C",
    generation      bigint NOT NULL,
    siblings        json NOT NULL,
    state           text COLLATE "C" NOT NULL CHECK (state IN ('sending', 'sent', 'failed')),
    failures        bigint NOT NULL CHECK (failures >= 0),
    changed_at      bigint NOT NULL,
    not_before      bigint,
    error           text COLLATE "C",
    PRIMARY KEY (key, target)
);

CREATE INDEX reminder_by_rule ON reminder (rule_id);

CREATE TABLE profile (
    name            text COLLATE "C" NOT NULL PRIMARY KEY CHECK (name <> ''),
    document        json NOT NULL,
    version         bigint NOT NULL CHECK (version > 0),
    maximum_age     bigint CHECK (maximum_age BETWEEN 0 AND 21),
    hidden_categories json NOT NULL,
    pin_hash        text COLLATE "C"
);

CREATE TABLE generation (
    generation      bigint PRIMARY KEY CHECK (generation > 0),
    nonce           bigint NOT NULL,
    at              bigint NOT NULL,
    changes_stations boolean NOT NULL
);

CREATE TABLE change (
    generation      bigint NOT NULL REFERENCES generation ON DELETE CASCADE,
    station_id      bigint NOT NULL REFERENCES station ON DELETE CASCADE,
    is_whole        boolean NOT NULL,
    PRIMARY KEY (generation, station_id)
);

CREATE INDEX change_by_station ON change (station_id);

CREATE TABLE airing_change (
    generation      bigint NOT NULL,
    station_id      bigint NOT NULL,
    airing_id       bigint NOT NULL,
    old_start       bigint,
    old_stop        bigint CHECK (old_stop > old_start),
    new_start       bigint,
    new_stop        bigint CHECK (new_stop > new_start),
    PRIMARY KEY (generation, station_id, airing_id),
    FOREIGN KEY (generation, station_id) REFERENCES change ON DELETE CASCADE,
    CHECK (old_start IS NOT NULL OR new_start IS NOT NULL),
    CHECK ((old_start IS NULL) = (old_stop IS NULL) AND (new_start IS NULL) = (new_stop IS NULL))
);

-- Views for users and other programs, with times in UTC. epg and epgd do not use them.

CREATE VIEW listing AS
SELECT
    s.name AS station, to_timestamp(a.start) AT TIME ZONE 'UTC' AS start, to_timestamp(a.stop) AT TIME ZONE 'UTC' AS stop,
    p.title, p.subtitle, p.category, p.description, s.number, s.feed_id AS station_id, a.id AS airing_id,
    a.start AS start_seconds, a.stop AS stop_seconds, p.id AS programme_id, p.document
FROM station s
JOIN airing a ON a.source_id = s.source_id AND a.station_id = s.id
JOIN programme p ON p.id = a.programme_id
ORDER BY s.position, a.start, a.part;

CREATE VIEW now AS
SELECT * FROM listing
WHERE start_seconds <= floor(extract(epoch FROM clock_timestamp()))::bigint
    AND stop_seconds > floor(extract(epoch FROM clock_timestamp()))::bigint;

CREATE VIEW channel_list AS
SELECT
    l.name AS lineup, c.ordinal + 1 AS place, c.number, c.name AS channel, s.name AS station, s.feed_id AS station_id,
    CASE WHEN s.id IS NOT NULL THEN c.rule END AS rule
FROM lineup l
JOIN channel c ON c.lineup_id = l.id
LEFT JOIN station s ON s.id = c.station_id
ORDER BY l.name, c.ordinal;
