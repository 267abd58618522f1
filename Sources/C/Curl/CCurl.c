#define _GNU_SOURCE
#include "CCurl.h"
#include "CLibrary.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#define FUNCTIONS(F)                                                                                    \
    F(curl_global_init) F(curl_easy_init) F(curl_easy_cleanup) F(curl_easy_perform)                     \
    F(curl_easy_strerror) F(curl_easy_setopt) F(curl_easy_getinfo) F(curl_slist_append)                 \
    F(curl_slist_free_all) F(curl_url) F(curl_url_cleanup) F(curl_url_get) F(curl_url_set) F(curl_free)
CLIBRARY_FUNCTIONS(curl, FUNCTIONS)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

static void load(void) {
    problem = load_curl();
    if (!problem && library_curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK) problem = "cannot initialize libcurl";
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return problem;
}

CURL *ccurl_easy_init(void) { return library_curl_easy_init(); }

void ccurl_easy_cleanup(CURL *handle) { library_curl_easy_cleanup(handle); }

const char *ccurl_easy_strerror(CURLcode code) { return library_curl_easy_strerror(code); }

CURLcode ccurl_easy_perform(CURL *handle) {
    sigset_t pipe_signal, pending, before;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);

    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    CURLcode code = library_curl_easy_perform(handle);
    if (!was_pending) {
        const struct timespec no_time = {0, 0};
        while (sigtimedwait(&pipe_signal, NULL, &no_time) == -1 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

CURLcode ccurl_setopt_long(CURL *handle, CURLoption option, long value) { return library_curl_easy_setopt(handle, option, value); }

CURLcode ccurl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return library_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return library_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return library_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return library_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_function(CURL *handle, CURLoption option, ccurl_data_function value) {
    return library_curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_progress_function(CURL *handle, ccurl_progress_function value) {
    return library_curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

CURLcode ccurl_setopt_socket_function(CURL *handle, ccurl_socket_function value) {
    return library_curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

// The library at run time may be older or newer than the header, so these are the numbers of the options (curl.h):
// 7.85.0 added the text options and deprecated the masks.
enum { protocols_text = 10318, redirect_protocols_text = 10319, protocols_mask = 181, redirect_protocols_mask = 182 };

// 7.87.0 added CURLOPT_QUICK_EXIT.
enum { quick_exit = 322 };

static CURLcode allow_http_only(CURL *handle, int text_option, int mask_option) {
    CURLcode code = library_curl_easy_setopt(handle, (CURLoption)text_option, "http,https");
    if (code != CURLE_UNKNOWN_OPTION) return code;
    return library_curl_easy_setopt(handle, (CURLoption)mask_option, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

CURLcode ccurl_allow_http_only(CURL *handle) {
    CURLcode code = allow_http_only(handle, protocols_text, protocols_mask);
    if (code != CURLE_OK) return code;
    return allow_http_only(handle, redirect_protocols_text, redirect_protocols_mask);
}

CURLcode ccurl_leave_resolver(CURL *handle) {
    CURLcode code = library_curl_easy_setopt(handle, (CURLoption)quick_exit, 1L);
    return code == CURLE_UNKNOWN_OPTION ? CURLE_OK : code;
}

CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO what, long *value) { return library_curl_easy_getinfo(handle, what, value); }

CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO what, curl_off_t *value) {
    return library_curl_easy_getinfo(handle, what, value);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) { return library_curl_slist_append(list, text); }

void ccurl_slist_free_all(struct curl_slist *list) { library_curl_slist_free_all(list); }

CURLU *ccurl_url(void) { return library_curl_url(); }

void ccurl_url_cleanup(CURLU *handle) { library_curl_url_cleanup(handle); }

CURLUcode ccurl_url_get(CURLU *handle, CURLUPart part, char **value, unsigned int flags) {
    return library_curl_url_get(handle, part, value, flags);
}

CURLUcode ccurl_url_set(CURLU *handle, CURLUPart part, const char *value, unsigned int flags) {
    return library_curl_url_set(handle, part, value, flags);
}

void ccurl_free(char *text) { library_curl_free(text); }
