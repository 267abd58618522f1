// Answers the viewport's question with SQLite's C interface and nothing else: the yardstick of the store.
//
//   sqlite_seeks DATABASE QUERY.sql ROWS FROM TO REPETITIONS
//
//   ROWS         first...last, such as 0...19: the rows of the viewport, from 0, both ends in it
//   FROM, TO     the viewport's window [FROM, TO), in seconds since 1970
//   REPETITIONS  how often the question is asked; the first is not timed
//
// The file holds one statement. Of these parameters it uses those that it names: `:row` (then it is run once for each
// row), `:firstRow` and `:lastRow`, `:from`, `:to`. The statement is prepared once; each repetition is one read
// transaction in which every column of every result row is read, as whoever draws a guide must. Prints microseconds a
// repetition, result rows, and a checksum that keeps the work from being optimised away.

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct question {
    long long first_row, last_row, from, to;
};

struct answer {
    unsigned long long rows, checksum;
};

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

// The text of a file up to 64 KiB, to be freed; NULL where it can't be read or is longer.
static char *read_text(const char *path) {
    enum { limit = 64 * 1024 };
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

static void bind(sqlite3_stmt *statement, const char *name, long long value) {
    int index = sqlite3_bind_parameter_index(statement, name);
    if (index > 0) sqlite3_bind_int64(statement, index, value);
}

// Runs the statement as it is bound and reads all of it.
static int read_all(sqlite3_stmt *statement, struct answer *answer) {
    int columns = sqlite3_column_count(statement), code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        answer->rows++;
        for (int column = 0; column < columns; column++) {
            if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) {
                answer->checksum = answer->checksum * 31 + (unsigned long long)sqlite3_column_int64(statement, column);
            } else {
                const unsigned char *bytes = sqlite3_column_blob(statement, column);
                int length = sqlite3_column_bytes(statement, column);
                for (int index = 0; index < length; index++) answer->checksum = answer->checksum * 31 + bytes[index];
            }
        }
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int ask(sqlite3 *database, sqlite3_stmt *statement, struct question question, struct answer *answer) {
    int code = sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
    bind(statement, ":firstRow", question.first_row);
    bind(statement, ":lastRow", question.last_row);
    bind(statement, ":from", question.from);
    bind(statement, ":to", question.to);
    int is_per_row = sqlite3_bind_parameter_index(statement, ":row") > 0;
    long long last = is_per_row ? question.last_row : question.first_row;
    for (long long row = question.first_row; row <= last && code == SQLITE_OK; row++) {
        bind(statement, ":row", row);
        code = read_all(statement, answer);
    }
    if (code != SQLITE_OK) return code;
    return sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
}

int main(int count, char **arguments) {
    struct question question;
    long long repetitions;
    char *dots = count == 7 ? strstr(arguments[3], "...") : NULL;
    if (dots) *dots = '\0';
    if (!dots || !parse_integer(arguments[3], &question.first_row) || !parse_integer(dots + 3, &question.last_row)
        || !parse_integer(arguments[4], &question.from) || !parse_integer(arguments[5], &question.to)
        || !parse_integer(arguments[6], &repetitions) || repetitions < 1 || repetitions > 10000000) {
        fprintf(stderr, "usage: sqlite_seeks DATABASE QUERY.sql FIRST...LAST FROM TO REPETITIONS\n");
        return 64;
    }
    char *sql = read_text(arguments[2]);
    double *times = malloc((size_t)repetitions * sizeof *times);
    if (!sql || !times) {
        fprintf(stderr, "%s: can't be read, or is longer than 64 KiB\n", arguments[2]);
        free(sql);
        free(times);
        return 66;
    }

    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    struct answer answer = {0};
    int code = sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) code = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) code = ask(database, statement, question, &answer);  // fills the cache
    for (long long index = 0; index < repetitions && code == SQLITE_OK; index++) {
        answer = (struct answer){0};
        double begin = seconds_now();
        code = ask(database, statement, question, &answer);
        times[index] = seconds_now() - begin;
    }
    if (code == SQLITE_OK) {
        qsort(times, (size_t)repetitions, sizeof *times, compare_doubles);
        printf("SQLite %s: median %.1f us, 99th percentile %.1f us, %llu rows, checksum %016llx\n", sqlite3_libversion(),
               times[repetitions / 2] * 1e6, times[repetitions * 99 / 100] * 1e6, answer.rows, answer.checksum);
    } else {
        fprintf(stderr, "%s: %s\n", arguments[1], database ? sqlite3_errmsg(database) : sqlite3_errstr(code));
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(times);
    free(sql);
    return code == SQLITE_OK ? 0 : 65;
}
