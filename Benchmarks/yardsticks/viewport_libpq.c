// Reads viewports of a guide on PostgreSQL with libpq alone: the yardstick of EPGPostgres.
//
//   viewport_libpq LOCATION VIEWPORT.sql FROM TO [--transactions]
//
// The viewports equal the viewports of Sources/viewport-benchmark: 1,000 of 20 rows and 3 hours, at random rows and half hours of
// the guide from FROM to TO (seconds since 1970). All are read once to warm up and three times to measure, in one transaction, or
// with --transactions each in its own. The statement (VIEWPORT.sql) is prepared once, parameters and results are binary, and all
// values are read. Prints one line: the median in microseconds, the number of airings in all viewports, and a checksum. Exits with
// 64 for usage errors, 65 for errors of PostgreSQL, 66 for missing files.

#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random.h"

enum { viewports = 1000, passes = 3, height = 20, width = 3 * 3600, half_hour = 1800 };
// The columns of a station, and after them the columns of an airing: its bounds, its texts.
enum { station_columns = 6, airing_columns = 15, first_text = 8, last_text = 10 };
enum { type_int8 = 20 };

struct totals {
    unsigned long long airings, checksum;
};

static PGconn *connection;
static int uses_transactions;

static void fail(void) {
    fprintf(stderr, "viewport_libpq: %s\n", PQerrorMessage(connection));
    PQfinish(connection);
    exit(65);
}

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

static void execute(const char *sql) {
    PGresult *result = PQexec(connection, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail();
    PQclear(result);
}

static long long integer(const PGresult *result, int row, int column) {
    uint64_t bytes = 0;
    if (PQgetlength(result, row, column) == sizeof bytes) memcpy(&bytes, PQgetvalue(result, row, column), sizeof bytes);
    return (long long)be64toh(bytes);
}

static void add(const PGresult *result, struct totals *totals) {
    volatile unsigned long long unused = 0;
    for (int row = 0; row < PQntuples(result); row++) {
        for (int column = 0; column < station_columns; column++) {
            if (!PQgetisnull(result, row, column)) unused += (unsigned long long)PQgetvalue(result, row, column)[0];
        }
        if (PQgetisnull(result, row, station_columns)) continue;
        for (int index = 0; index < airing_columns; index++) {
            int column = station_columns + index;
            if (PQgetisnull(result, row, column)) continue;
            if (index < 3) {
                totals->checksum += (unsigned long long)integer(result, row, column);
            } else if (index >= first_text && index <= last_text) {
                totals->checksum += (unsigned long long)PQgetlength(result, row, column);
            } else {
                unused += (unsigned long long)integer(result, row, column);
            }
        }
        totals->airings++;
    }
}

static void read_viewport(long long row, long long from, struct totals *totals) {
    uint64_t bounds[] = {
        htobe64((uint64_t)from), htobe64((uint64_t)(from + width)), htobe64((uint64_t)row), htobe64((uint64_t)(row + height))};
    const char *values[] = {(char *)&bounds[0], (char *)&bounds[1], (char *)&bounds[2], (char *)&bounds[3]};
    const int lengths[] = {8, 8, 8, 8}, formats[] = {1, 1, 1, 1};
    if (uses_transactions) execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    PGresult *result = PQexecPrepared(connection, "viewport", 4, values, lengths, formats, 1);
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail();
    add(result, totals);
    PQclear(result);
    if (uses_transactions) execute("COMMIT");
}

// Reads all viewports, the same ones each time; stores microseconds for each if times is not NULL.
static void pass(long long station_count, long long from, long long to, double *times, struct totals *totals) {
    uint64_t state = 1;
    for (int index = 0; index < viewports; index++) {
        long long row = (long long)random_below(&state, (uint64_t)(station_count - height + 1));
        long long start = from + half_hour * (long long)random_below(&state, (uint64_t)((to - from - width) / half_hour + 1));
        double begin = seconds_now();
        read_viewport(row, start, totals);
        if (times) times[index] = (seconds_now() - begin) * 1e6;
    }
}

static void prepare(const char *path) {
    enum { limit = 64 * 1024 };
    static char sql[limit];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(sql, 1, limit - 1, file) : 0;
    if (!file) {
        fprintf(stderr, "viewport_libpq: cannot read %s\n", path);
        exit(66);
    }
    fclose(file);
    sql[length] = '\0';
    const Oid types[] = {type_int8, type_int8, type_int8, type_int8};
    PGresult *result = PQprepare(connection, "viewport", sql, 4, types);
    if (PQresultStatus(result) != PGRES_COMMAND_OK) fail();
    PQclear(result);
}

static long long station_count(void) {
    PGresult *result = PQexecParams(connection, "SELECT count(*) FROM station", 0, NULL, NULL, NULL, NULL, 1);
    if (PQresultStatus(result) != PGRES_TUPLES_OK) fail();
    long long count = integer(result, 0, 0);
    PQclear(result);
    return count;
}

int main(int count, char **arguments) {
    long long from, to;
    uses_transactions = count == 6 && strcmp(arguments[5], "--transactions") == 0;
    if (count != 5 + uses_transactions || !parse_integer(arguments[3], &from) || !parse_integer(arguments[4], &to)
        || to < from + width) {
        fprintf(stderr, "usage: viewport_libpq LOCATION VIEWPORT.sql FROM TO [--transactions]\n");
        return 64;
    }
    static double times[viewports * passes];
    struct totals totals = {0};
    connection = PQconnectdb(arguments[1]);
    if (PQstatus(connection) != CONNECTION_OK) fail();
    // As the store does.
    execute("SET jit = off");
    prepare(arguments[2]);
    long long stations = station_count();
    if (stations < height) {
        fprintf(stderr, "viewport_libpq: fewer than %d stations\n", height);
        return 65;
    }
    if (!uses_transactions) execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    pass(stations, from, to, NULL, &totals);
    for (int index = 0; index < passes; index++) {
        totals = (struct totals){0};
        pass(stations, from, to, times + index * viewports, &totals);
    }
    qsort(times, viewports * passes, sizeof *times, compare_doubles);
    printf("%.2f %llu %llu\n", times[viewports * passes / 2], totals.airings, totals.checksum);
    PQfinish(connection);
    return 0;
}
