// libcurl, loaded when it is first needed.
//
// The program doesn't link libcurl: loading it costs 8 ms at every start, and most commands fetch nothing. These
// functions call it through pointers that ccurl_load() finds with dlopen(3). They are not variadic, so Swift can call
// them. Constants and types come from libcurl's own header, which is needed to build (Debian: libcurl4-openssl-dev).
//
// Every function but ccurl_load() needs an earlier ccurl_load() that returned NULL.

#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>

#ifndef CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_TYPECHECK
#endif
#include <curl/curl.h>

/// Receives `size * count` bytes and returns how many it took; another number ends the transfer with
/// CURLE_WRITE_ERROR.
typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);

/// Opens a socket for an address that is about to be connected to, or returns CURL_SOCKET_BAD.
typedef curl_socket_t (*ccurl_socket_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// Hears of bytes that will arrive (0 for unknown) and that arrived; anything but 0 ends the transfer with
/// CURLE_ABORTED_BY_CALLBACK. The last two arguments are of uploads.
typedef int (*ccurl_progress_function)(void *context, curl_off_t total, curl_off_t now, curl_off_t, curl_off_t);

/// Loads and initialises libcurl, once; safe to call from any thread.
///
/// Returns NULL, or a text that says why it can't be loaded. The text stays valid.
const char *ccurl_load(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *handle);

/// Does the transfer. A SIGPIPE that it causes in this thread is taken away, as libcurl leaves that to its callers
/// where CURLOPT_NOSIGNAL is set.
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

/// Allows http and https alone, for the address and for redirects.
CURLcode ccurl_allow_http_only(CURL *handle);

CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO what, long *value);
CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO what, curl_off_t *value);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

// The parser of addresses that the transfers use too (since 7.62.0), so that nobody reads one differently.

CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *address);
/// The text is to be given to ccurl_free().
CURLUcode ccurl_url_get(const CURLU *address, CURLUPart part, char **value, unsigned int flags);
CURLUcode ccurl_url_set(CURLU *address, CURLUPart part, const char *value, unsigned int flags);
void ccurl_free(char *text);

#endif
