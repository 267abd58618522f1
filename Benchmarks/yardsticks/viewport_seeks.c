// Reads viewports with SQLite's C interface alone: the yardstick of the store.
//
//   viewport_seeks DATABASE VIEWPORT.sql FROM TO
//
// The viewports equal the viewports of Sources/viewport-benchmark: 1,000 of 20 rows and 3 hours, at random rows and half hours of
// the guide from FROM to TO (seconds since 1970). All are read once to warm up and three times to measure, each in one read
// transaction. The statements (VIEWPORT.sql contains two: the stations of the rows, and the airings of one) are prepared once,
// and reading of a station stops at the first airing that ends before the window, as in the store. Prints one line: the median in
// microseconds, the number of airings in all viewports, and a checksum. The connection is configured like the store's, so that
// only the layers between differ. Exits with 64 for usage errors, 65 for SQLite errors, 66 for missing files.

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random.h"

enum { viewports = 1000, passes = 3, height = 20, width = 3 * 3600, half_hour = 1800 };

struct station {
    long long id, source_id;
    int has_source;
};

struct totals {
    unsigned long long airings, checksum;
};

static sqlite3 *database;
static sqlite3_stmt *rows_statement, *airings_statement;

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int parse_integer(const char *text, long long *value) {
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0';
}

// The airings of one station in [from, to).
static int read_airings(struct station station, long long from, long long to, struct totals *totals) {
    sqlite3_bind_int64(airings_statement, 1, station.source_id);
    sqlite3_bind_int64(airings_statement, 2, station.id);
    sqlite3_bind_int64(airings_statement, 3, to);
    int code;
    while ((code = sqlite3_step(airings_statement)) == SQLITE_ROW) {
        long long stop = sqlite3_column_int64(airings_statement, 2);
        if (stop <= from) break;
        unsigned long long sum = (unsigned long long)stop;
        for (int column = 0; column < 8; column++) {
            if (column == 2) continue;
            if (column >= 6 && sqlite3_column_type(airings_statement, column) == SQLITE_NULL) continue;
            long long value = sqlite3_column_int64(airings_statement, column);
            if (column < 2) sum += (unsigned long long)value;
        }
        for (int column = 8; column < 11; column++) {
            const unsigned char *text = sqlite3_column_text(airings_statement, column);
            int length = sqlite3_column_bytes(airings_statement, column);
            if (text && length > 0) sum += (unsigned long long)length;
        }
        for (int column = 11; column < 14; column++) (void)sqlite3_column_int64(airings_statement, column);
        totals->airings++;
        totals->checksum += sum;
    }
    sqlite3_reset(airings_statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int read_viewport(long long row, long long from, struct totals *totals) {
    int code = sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
    struct station stations[height];
    int count = 0;
    sqlite3_bind_int64(rows_statement, 1, row);
    sqlite3_bind_int64(rows_statement, 2, row + height);
    while ((code = sqlite3_step(rows_statement)) == SQLITE_ROW && count < height) {
        struct station *station = &stations[count++];
        station->id = sqlite3_column_int64(rows_statement, 0);
        (void)sqlite3_column_text(rows_statement, 1);
        (void)sqlite3_column_text(rows_statement, 2);
        station->has_source = sqlite3_column_type(rows_statement, 3) != SQLITE_NULL;
        station->source_id = sqlite3_column_int64(rows_statement, 3);
        (void)sqlite3_column_int64(rows_statement, 4);
    }
    sqlite3_reset(rows_statement);
    if (code != SQLITE_DONE && code != SQLITE_ROW) return code;
    for (int index = 0; index < count; index++) {
        if (!stations[index].has_source) continue;
        code = read_airings(stations[index], from, from + width, totals);
        if (code != SQLITE_OK) return code;
    }
    return sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
}

// Reads all viewports, the same ones each time; stores microseconds for each if times is not NULL.
static int pass(long long station_count, long long from, long long to, double *times, struct totals *totals) {
    uint64_t state = 1;
    for (int index = 0; index < viewports; index++) {
        long long row = (long long)random_below(&state, (uint64_t)(station_count - height + 1));
        long long start = from + half_hour * (long long)random_below(&state, (uint64_t)((to - from - width) / half_hour + 1));
        double begin = seconds_now();
        int code = read_viewport(row, start, totals);
        if (code != SQLITE_OK) return code;
        if (times) times[index] = (seconds_now() - begin) * 1e6;
    }
    return SQLITE_OK;
}

static int prepare(const char *path) {
    enum { limit = 64 * 1024 };
    static char sql[limit];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(sql, 1, limit - 1, file) : 0;
    if (file) fclose(file);
    sql[length] = '\0';
    const char *rest = sql;
    int code = sqlite3_prepare_v2(database, rest, -1, &rows_statement, &rest);
    if (code == SQLITE_OK) code = sqlite3_prepare_v2(database, rest, -1, &airings_statement, NULL);
    if (code == SQLITE_OK && !airings_statement) {
        fprintf(stderr, "%s: expected two statements\n", path);
        exit(66);
    }
    return code;
}

static int station_count(long long *count) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(database, "SELECT count(*) FROM station", -1, &statement, NULL);
    if (code == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) *count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code;
}

int main(int count, char **arguments) {
    long long from, to, stations = 0;
    if (count != 5 || !parse_integer(arguments[3], &from) || !parse_integer(arguments[4], &to) || to < from + width) {
        fprintf(stderr, "usage: viewport_seeks DATABASE VIEWPORT.sql FROM TO\n");
        return 64;
    }
    static double times[viewports * passes];
    struct totals totals = {0};
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int code = sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(database,
                            "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 268435456", NULL, NULL,
                            NULL);
    }
    if (code == SQLITE_OK) code = prepare(arguments[2]);
    if (code == SQLITE_OK) code = station_count(&stations);
    if (code == SQLITE_OK && stations < height) {
        fprintf(stderr, "%s: fewer than %d stations\n", arguments[1], height);
        return 65;
    }
    if (code == SQLITE_OK) code = pass(stations, from, to, NULL, &totals);
    for (int index = 0; index < passes && code == SQLITE_OK; index++) {
        totals = (struct totals){0};
        code = pass(stations, from, to, times + index * viewports, &totals);
    }
    if (code == SQLITE_OK) {
        qsort(times, viewports * passes, sizeof *times, compare_doubles);
        printf("%.2f %llu %llu\n", times[viewports * passes / 2], totals.airings, totals.checksum);
    } else {
        fprintf(stderr, "%s: %s\n", arguments[1], database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
    }
    sqlite3_finalize(rows_statement);
    sqlite3_finalize(airings_statement);
    sqlite3_close(database);
    return code == SQLITE_OK ? 0 : 65;
}
