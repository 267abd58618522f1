// libpq, loaded on first use.
//
// The program does not link libpq: most guides are SQLite databases, and loading it takes several milliseconds at every start.
// These functions call it. They have the names, arguments and results of libpq's functions (postgresql.org/docs/15/libpq.html).
// Constants and types come from libpq's own header, which the build needs (Debian: libpq-dev).
//
// Before any other function, cpostgres_load() must have returned NULL.

#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/// Loads libpq once. Safe to call from any thread.
///
/// Returns NULL on success, or an error message. The string is static.
const char *cpostgres_load(void);

// Each entry has the result, the name without PQ, the parameters, and the arguments.
#define CPOSTGRES_FUNCTIONS(F)                                                                                            \
    F(PGconn *, connectdbParams, (const char *const *names, const char *const *values, int expands), (names, values, expands)) \
    F(PQconninfoOption *, conninfoParse, (const char *text, char **message), (text, message))                             \
    F(void, conninfoFree, (PQconninfoOption *options), (options))                                                         \
    F(void, finish, (PGconn *connection), (connection))                                                                   \
    F(ConnStatusType, status, (const PGconn *connection), (connection))                                                   \
    F(PGTransactionStatusType, transactionStatus, (const PGconn *connection), (connection))                               \
    F(char *, errorMessage, (const PGconn *connection), (connection))                                                     \
    F(char *, host, (const PGconn *connection), (connection))                                                             \
    F(char *, port, (const PGconn *connection), (connection))                                                             \
    F(int, socket, (const PGconn *connection), (connection))                                                              \
    F(int, sendQuery, (PGconn *connection, const char *query), (connection, query))                                       \
    F(int, sendPrepare,                                                                                                   \
      (PGconn *connection, const char *name, const char *query, int count, const Oid *types),                             \
      (connection, name, query, count, types))                                                                            \
    F(int, sendQueryPrepared,                                                                                             \
      (PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats, \
       int result_format),                                                                                                \
      (connection, name, count, values, lengths, formats, result_format))                                                 \
    F(int, setSingleRowMode, (PGconn *connection), (connection))                                                          \
    F(int, consumeInput, (PGconn *connection), (connection))                                                              \
    F(int, isBusy, (PGconn *connection), (connection))                                                                    \
    F(PGresult *, getResult, (PGconn *connection), (connection))                                                          \
    F(int, putCopyData, (PGconn *connection, const char *bytes, int count), (connection, bytes, count))                   \
    F(int, putCopyEnd, (PGconn *connection, const char *message), (connection, message))                                  \
    F(PGcancel *, getCancel, (PGconn *connection), (connection))                                                          \
    F(int, cancel, (PGcancel *cancellation, char *message, int count), (cancellation, message, count))                    \
    F(void, freeCancel, (PGcancel *cancellation), (cancellation))                                                         \
    F(ExecStatusType, resultStatus, (const PGresult *result), (result))                                                   \
    F(char *, resultErrorField, (const PGresult *result, int field), (result, field))                                     \
    F(char *, resultErrorMessage, (const PGresult *result), (result))                                                     \
    F(char *, cmdTuples, (PGresult *result), (result))                                                                    \
    F(int, nfields, (const PGresult *result), (result))                                                                   \
    F(int, ntuples, (const PGresult *result), (result))                                                                   \
    F(int, getisnull, (const PGresult *result, int row, int column), (result, row, column))                               \
    F(int, getlength, (const PGresult *result, int row, int column), (result, row, column))                               \
    F(char *, getvalue, (const PGresult *result, int row, int column), (result, row, column))                             \
    F(void, clear, (PGresult *result), (result))

#define CPOSTGRES_DECLARATION(result, name, parameters, arguments) result cpostgres_##name parameters;
CPOSTGRES_FUNCTIONS(CPOSTGRES_DECLARATION)

#endif
