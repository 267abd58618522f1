// libcurl, loaded on first use.
//
// The program does not link libcurl: loading it takes 8 ms at every start, and most commands fetch nothing. These
// functions call it. They are not variadic, so Swift can call them. Constants and types come from libcurl's own header,
// which the build needs (Debian: libcurl4-openssl-dev).
//
// Before any other function, ccurl_load() must have returned NULL.

#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

#ifndef CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_TYPECHECK
#endif
#include <curl/curl.h>

/// Receives `size * count` bytes and returns the number consumed. Any other number aborts the transfer with
/// CURLE_WRITE_ERROR.
typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);

/// Opens a socket for an address right before the connection, or returns CURL_SOCKET_BAD.
typedef curl_socket_t (*ccurl_socket_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// Receives the number of bytes to download (0 if unknown) and downloaded. A result other than 0 aborts the transfer
/// with CURLE_ABORTED_BY_CALLBACK. The last two arguments are for uploads.
typedef int (*ccurl_progress_function)(void *context, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t);

/// Loads and initializes libcurl once. Safe to call from any thread.
///
/// Returns NULL on success, or an error message. The string is static.
const char *ccurl_load(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *handle);

/// Performs the transfer. Removes a SIGPIPE that it causes in this thread, which libcurl leaves to its callers if
/// CURLOPT_NOSIGNAL is set.
CURLcode ccurl_easy_perform(CURL *handle);

const char *ccurl_easy_strerror(CURLcode code);

CURLcode ccurl_setopt_long(CURL *handle, CURLoption option, long value);
CURLcode ccurl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode ccurl_setopt_string(CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_setopt_pointer(CURL *handle, CURLoption option, void *value);
CURLcode ccurl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode ccurl_setopt_function(CURL *handle, CURLoption option, ccurl_data_function value);
CURLcode ccurl_setopt_progress_function(CURL *handle, ccurl_progress_function value);
CURLcode ccurl_setopt_socket_function(CURL *handle, ccurl_socket_function value);

/// Allows only http and https, for the URL and for redirects.
CURLcode ccurl_allow_http_only(CURL *handle);

/// Ends a canceled transfer without waiting for the thread that looks up the host, which ends by itself. Older libraries wait.
CURLcode ccurl_leave_resolver(CURL *handle);

CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO what, long *value);
CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO what, curl_off_t *value);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

// libcurl's URL parser (since 7.62.0), which transfers use too, so that both interpret a URL in the same way.

CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *handle);
/// The caller frees the text with ccurl_free().
CURLUcode ccurl_url_get(CURLU *handle, CURLUPart part, char **value, unsigned int flags);
CURLUcode ccurl_url_set(CURLU *handle, CURLUPart part, const char *value, unsigned int flags);
void ccurl_free(char *text);

#endif
