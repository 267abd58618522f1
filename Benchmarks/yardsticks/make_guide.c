// Generates a large guide with SQLite, for the viewport benchmarks.
//
//   make_guide DATABASE SCHEMA.sql STATIONS
//
// Generates STATIONS (1 to 100,000) stations and 14 days from 2026-10-24T00:00:00Z without a gap, with airings of 5 to 55 minutes,
// half an hour on average: about 672 per station, 13 million for 20,000. They show 5,000 programmes at random, always the same
// ones. The database must not exist. Documents and hashes are filler: the guide is for reading schedules, not for imports. Exits
// with 64 for usage errors, 66 if the schema is unreadable, 73 if the database cannot be created.

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { first_start = 1792800000, days = 14, programmes = 5000, document_size = 100 };

// A JSON document of the bound size, in the store's format.
#define document(size) "'{\"keyword\":[\"' || substr(hex(zeroblob(" size ")), 1, " size " - 16) || '\"]}'"

static sqlite3 *database;

static void fail(int code) {
    fprintf(stderr, "make_guide: %s\n", database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
    sqlite3_close(database);
    exit(73);
}

static void execute(const char *sql) {
    int code = sqlite3_exec(database, sql, NULL, NULL, NULL);
    if (code != SQLITE_OK) fail(code);
}

static sqlite3_stmt *prepare(const char *sql) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (code != SQLITE_OK) fail(code);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    if (code != SQLITE_DONE) fail(code);
    sqlite3_reset(statement);
}

// Returns the text of a file up to 256 KiB, which the caller frees; NULL if it is unreadable or longer.
static char *read_text(const char *path) {
    enum { limit = 256 * 1024 };
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = malloc(limit + 1);
    size_t length = text ? fread(text, 1, limit + 1, file) : 0;
    int failed = !text || ferror(file) || length > limit;
    fclose(file);
    if (failed) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

static void make_programmes(uint64_t *state) {
    static const char *const firsts[] = {"The", "Late", "Morning", "World", "Great", "Inside", "Return to", "Secrets of"};
    static const char *const seconds[] = {"Harbour", "Kitchen", "Mountain", "Detective", "Garden", "News", "Railway",
                                          "Orchestra", "Football", "Antiques", "Ocean", "Hospital"};
    static const char *const thirds[] = {"Stories", "Tonight", "Live", "Academy", "Club", "Investigates", "Journeys"};
    static const char *const categories[] = {"News", "Drama", "Film", "Sport", "Children", "Music", "Documentary"};
    sqlite3_stmt *insert = prepare("INSERT INTO programme (id, title, subtitle, category, description, is_new, is_premiere,"
                                   " is_live, document) VALUES (?, ?, ?, ?, ?, 0, 0, 0, " document("?6") ")");
    for (int id = 1; id <= programmes; id++) {
        char title[100], subtitle[100], description[300];
        const char *subject = seconds[random_below(state, 12)];
        snprintf(title, sizeof title, "%s %s %s", firsts[random_below(state, 8)], subject, thirds[random_below(state, 7)]);
        snprintf(subtitle, sizeof subtitle, "Part %d: the %s by the river", id % 24 + 1, subject);
        snprintf(description, sizeof description,
                 "In number %d of the series, a night at the %s goes otherwise than planned, and an old friend returns.", id,
                 subject);
        sqlite3_bind_int(insert, 1, id);
        sqlite3_bind_text(insert, 2, title, -1, SQLITE_STATIC);
        if (random_below(state, 10) < 6) sqlite3_bind_text(insert, 3, subtitle, -1, SQLITE_STATIC);
        if (random_below(state, 10) < 8) sqlite3_bind_text(insert, 4, categories[random_below(state, 7)], -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 5, description, -1, SQLITE_STATIC);
        sqlite3_bind_int(insert, 6, document_size);
        run(insert);
        sqlite3_clear_bindings(insert);
    }
    sqlite3_finalize(insert);
}

static void make_stations(int stations) {
    sqlite3_stmt *station = prepare("INSERT INTO station (id, feed_id, name, document, source_id, ordinal, position)"
                                    " VALUES (?1, ?2, ?3, " document("?4") ", 1, ?1 - 1, ?1 - 1)");
    sqlite3_stmt *coverage = prepare("INSERT INTO coverage (source_id, station_id, start, stop) VALUES (1, ?, ?, ?)");
    for (int id = 1; id <= stations; id++) {
        char feed_id[40], name[40];
        snprintf(feed_id, sizeof feed_id, "station-%d.example", id);
        snprintf(name, sizeof name, "Station %d", id);
        sqlite3_bind_int(station, 1, id);
        sqlite3_bind_text(station, 2, feed_id, -1, SQLITE_STATIC);
        sqlite3_bind_text(station, 3, name, -1, SQLITE_STATIC);
        sqlite3_bind_int(station, 4, document_size);
        run(station);
        sqlite3_bind_int(coverage, 1, id);
        sqlite3_bind_int64(coverage, 2, first_start);
        sqlite3_bind_int64(coverage, 3, first_start + days * 86400LL);
        run(coverage);
    }
    sqlite3_finalize(station);
    sqlite3_finalize(coverage);
}

static long long make_airings(int stations, uint64_t *state) {
    sqlite3_stmt *airing = prepare("INSERT INTO airing (source_id, station_id, start, part, parts, stop, id, programme_id,"
                                   " inferred) VALUES (1, ?, ?, 0, 1, ?, ?, ?, 0)");
    const long long end = first_start + days * 86400LL;
    long long id = 0;
    for (int station = 1; station <= stations; station++) {
        for (long long start = first_start; start < end;) {
            long long stop = start + 300 * (1 + (long long)random_below(state, 11));
            if (stop > end) stop = end;
            sqlite3_bind_int(airing, 1, station);
            sqlite3_bind_int64(airing, 2, start);
            sqlite3_bind_int64(airing, 3, stop);
            sqlite3_bind_int64(airing, 4, ++id);
            sqlite3_bind_int64(airing, 5, 1 + (long long)random_below(state, programmes));
            run(airing);
            start = stop;
        }
    }
    sqlite3_finalize(airing);
    return id;
}

int main(int count, char **arguments) {
    int stations = count == 4 ? atoi(arguments[3]) : 0;
    if (stations < 1 || stations > 100000) {
        fprintf(stderr, "usage: make_guide DATABASE SCHEMA.sql STATIONS (1 to 100000)\n");
        return 64;
    }
    char *schema = read_text(arguments[2]);
    if (!schema) {
        fprintf(stderr, "%s: unreadable, or longer than 256 KiB\n", arguments[2]);
        return 66;
    }
    int code = sqlite3_open(arguments[1], &database);
    if (code != SQLITE_OK) fail(code);
    // No other process reads the database before it is complete, and a crash requires a new one.
    execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA secure_delete = OFF; BEGIN");
    execute(schema);
    // The schema contains its version.
    const char *mark = strstr(schema, "user_version ");
    int version = mark ? atoi(mark + strlen("user_version ")) : 0;
    char pragma[64];
    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", version);
    execute(pragma);
    free(schema);
    execute("PRAGMA application_id = 0x45504747;"
            "INSERT INTO source (id, name) VALUES (1, 'generated');"
            "INSERT INTO generation (generation, nonce, at, changes_stations) VALUES (1, 1, 0, 1)");
    uint64_t state = 20261024;
    make_programmes(&state);
    make_stations(stations);
    long long airings = make_airings(stations, &state);
    sqlite3_stmt *guide = prepare("INSERT INTO guide (id, generation, content_key, next_airing, next_programme,"
                                  " next_transmission) VALUES (1, 1, zeroblob(16), ?, ?, 1)");
    sqlite3_bind_int64(guide, 1, airings + 1);
    sqlite3_bind_int64(guide, 2, programmes + 1);
    run(guide);
    sqlite3_finalize(guide);
    execute("COMMIT; PRAGMA journal_mode = WAL");
    sqlite3_close(database);
    printf("%d stations, %lld airings\n", stations, airings);
    return 0;
}
