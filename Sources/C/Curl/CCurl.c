#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

// Pointers to the functions of libcurl that this file calls.
static CURLcode (*global_init)(long);
static CURL *(*easy_init)(void);
static void (*easy_cleanup)(CURL *);
static CURLcode (*easy_perform)(CURL *);
static const char *(*easy_strerror)(CURLcode);
static CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
static CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
static struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
static void (*slist_free_all)(struct curl_slist *);
static CURLU *(*url)(void);
static void (*url_cleanup)(CURLU *);
static CURLUcode (*url_get)(const CURLU *, CURLUPart, char **, unsigned int);
static CURLUcode (*url_set)(CURLU *, CURLUPart, const char *, unsigned int);
static void (*curl_free_text)(void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

// Prefer the OpenSSL flavor; Debian's GnuTLS flavor has the same functions.
static const char *const library_names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

static void *open_library(void) {
    for (size_t index = 0; index < sizeof library_names / sizeof *library_names; index++) {
        void *library = dlopen(library_names[index], RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
        // Report the error of the preferred library.
        const char *message = dlerror();
        if (index == 0) snprintf(problem, sizeof problem, "%s", message ? message : "cannot open libcurl.so.4");
    }
    return NULL;
}

static int find(void *library, const char *name, void **function) {
    *function = dlsym(library, name);
    if (*function) return 1;
    snprintf(problem, sizeof problem, "libcurl has no function %s", name);
    return 0;
}

static void load(void) {
    void *library = open_library();
    if (!library) return;
    if (!find(library, "curl_global_init", (void **)&global_init)) return;
    if (!find(library, "curl_easy_init", (void **)&easy_init)) return;
    if (!find(library, "curl_easy_cleanup", (void **)&easy_cleanup)) return;
    if (!find(library, "curl_easy_perform", (void **)&easy_perform)) return;
    if (!find(library, "curl_easy_strerror", (void **)&easy_strerror)) return;
    if (!find(library, "curl_easy_setopt", (void **)&easy_setopt)) return;
    if (!find(library, "curl_easy_getinfo", (void **)&easy_getinfo)) return;
    if (!find(library, "curl_slist_append", (void **)&slist_append)) return;
    if (!find(library, "curl_slist_free_all", (void **)&slist_free_all)) return;
    if (!find(library, "curl_url", (void **)&url)) return;
    if (!find(library, "curl_url_cleanup", (void **)&url_cleanup)) return;
    if (!find(library, "curl_url_get", (void **)&url_get)) return;
    if (!find(library, "curl_url_set", (void **)&url_set)) return;
    if (!find(library, "curl_free", (void **)&curl_free_text)) return;
    CURLcode code = global_init(CURL_GLOBAL_ALL);
    if (code == CURLE_OK) {
        problem[0] = 0;
    } else {
        snprintf(problem, sizeof problem, "libcurl can't be initialized: %s", easy_strerror(code));
    }
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

CURL *ccurl_easy_init(void) { return easy_init(); }

void ccurl_easy_cleanup(CURL *handle) { easy_cleanup(handle); }

const char *ccurl_easy_strerror(CURLcode code) { return easy_strerror(code); }

CURLcode ccurl_easy_perform(CURL *handle) {
    sigset_t pipe_signal, pending, before;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigemptyset(&pending);
    sigpending(&pending);
    int was_pending = sigismember(&pending, SIGPIPE);

    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    CURLcode code = easy_perform(handle);
    if (!was_pending) {
        const struct timespec no_time = {0, 0};
        while (sigtimedwait(&pipe_signal, NULL, &no_time) == -1 && errno == EINTR) {}
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

CURLcode ccurl_setopt_long(CURL *handle, CURLoption option, long value) { return easy_setopt(handle, option, value); }

CURLcode ccurl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_function(CURL *handle, CURLoption option, ccurl_data_function value) {
    return easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_progress_function(CURL *handle, ccurl_progress_function value) {
    return easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

CURLcode ccurl_setopt_socket_function(CURL *handle, ccurl_socket_function value) {
    return easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

// The library at run time may be older or newer than the header, so these are the numbers of the options (curl.h):
// 7.85.0 added the text options and deprecated the masks.
enum { protocols_text = 10318, redirect_protocols_text = 10319, protocols_mask = 181, redirect_protocols_mask = 182 };

static CURLcode allow_http_only(CURL *handle, int text_option, int mask_option) {
    CURLcode code = easy_setopt(handle, (CURLoption)text_option, "http,https");
    if (code != CURLE_UNKNOWN_OPTION) return code;
    return easy_setopt(handle, (CURLoption)mask_option, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

CURLcode ccurl_allow_http_only(CURL *handle) {
    CURLcode code = allow_http_only(handle, protocols_text, protocols_mask);
    if (code != CURLE_OK) return code;
    return allow_http_only(handle, redirect_protocols_text, redirect_protocols_mask);
}

CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO what, long *value) { return easy_getinfo(handle, what, value); }

CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO what, curl_off_t *value) {
    return easy_getinfo(handle, what, value);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) { return slist_append(list, text); }

void ccurl_slist_free_all(struct curl_slist *list) { slist_free_all(list); }

CURLU *ccurl_url(void) { return url(); }

void ccurl_url_cleanup(CURLU *handle) { url_cleanup(handle); }

CURLUcode ccurl_url_get(const CURLU *handle, CURLUPart part, char **value, unsigned int flags) {
    return url_get(handle, part, value, flags);
}

CURLUcode ccurl_url_set(CURLU *handle, CURLUPart part, const char *value, unsigned int flags) {
    return url_set(handle, part, value, flags);
}

void ccurl_free(char *text) { curl_free_text(text); }
