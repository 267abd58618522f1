#include "CPage.h"

// `#embed` is part of C23. Clang supports it in all C versions, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char guide_css[] = {
#embed "Assets/guide.css" suffix(, )
    0};
static const unsigned char base_js[] = {
#embed "Assets/base.js" suffix(, )
    0};
static const unsigned char controls_js[] = {
#embed "Assets/controls.js" suffix(, )
    0};
static const unsigned char dialogs_js[] = {
#embed "Assets/dialogs.js" suffix(, )
    0};
static const unsigned char drawing_js[] = {
#embed "Assets/drawing.js" suffix(, )
    0};
static const unsigned char elements_js[] = {
#embed "Assets/elements.js" suffix(, )
    0};
static const unsigned char guide_js[] = {
#embed "Assets/guide.js" suffix(, )
    0};
static const unsigned char listings_js[] = {
#embed "Assets/listings.js" suffix(, )
    0};
static const unsigned char page_js[] = {
#embed "Assets/page.js" suffix(, )
    0};
static const unsigned char reminders_js[] = {
#embed "Assets/reminders.js" suffix(, )
    0};
static const unsigned char print_js[] = {
#embed "Assets/print.js" suffix(, )
    0};
static const unsigned char rules_js[] = {
#embed "Assets/rules.js" suffix(, )
    0};
static const unsigned char search_js[] = {
#embed "Assets/search.js" suffix(, )
    0};
static const unsigned char views_js[] = {
#embed "Assets/views.js" suffix(, )
    0};
static const unsigned char watch_js[] = {
#embed "Assets/watch.js" suffix(, )
    0};
static const unsigned char watched_js[] = {
#embed "Assets/watched.js" suffix(, )
    0};
static const unsigned char views_css[] = {
#embed "Assets/views.css" suffix(, )
    0};
static const unsigned char dialogs_css[] = {
#embed "Assets/dialogs.css" suffix(, )
    0};
static const unsigned char older_js[] = {
#embed "Assets/older.js" suffix(, )
    0};
static const unsigned char remote_js[] = {
#embed "Assets/remote.js" suffix(, )
    0};
static const unsigned char tv_js[] = {
#embed "Assets/tv.js" suffix(, )
    0};
static const unsigned char grid_remote_js[] = {
#embed "Assets/grid-remote.js" suffix(, )
    0};
static const unsigned char preview_js[] = {
#embed "Assets/preview.js" suffix(, )
    0};
static const unsigned char numbers_js[] = {
#embed "Assets/numbers.js" suffix(, )
    0};
static const unsigned char tv_css[] = {
#embed "Assets/tv.css" suffix(, )
    0};
static const unsigned char admin_css[] = {
#embed "Assets/admin.css" suffix(, )
    0};
static const unsigned char admin_js[] = {
#embed "Assets/admin.js" suffix(, )
    0};
// The service writes two constants before it; see PageFile.swift.
static const unsigned char service_worker_js[] = {
#embed "Assets/service-worker.js" suffix(, )
    0};
static const unsigned char icon_svg[] = {
#embed "Assets/icon.svg" suffix(, )
    0};
// Scripts/icons.sh draws these from the two SVG files.
static const unsigned char icon_180_png[] = {
#embed "Assets/icon-180.png" suffix(, )
    0};
static const unsigned char icon_192_png[] = {
#embed "Assets/icon-192.png" suffix(, )
    0};
static const unsigned char icon_512_png[] = {
#embed "Assets/icon-512.png" suffix(, )
    0};
static const unsigned char icon_maskable_512_png[] = {
#embed "Assets/icon-maskable-512.png" suffix(, )
    0};

static const unsigned char ar_json[] = {
#embed "Texts/ar.json" suffix(, )
    0};
static const unsigned char de_json[] = {
#embed "Texts/de.json" suffix(, )
    0};
static const unsigned char en_json[] = {
#embed "Texts/en.json" suffix(, )
    0};
static const unsigned char es_json[] = {
#embed "Texts/es.json" suffix(, )
    0};
static const unsigned char fr_json[] = {
#embed "Texts/fr.json" suffix(, )
    0};
static const unsigned char he_json[] = {
#embed "Texts/he.json" suffix(, )
    0};
static const unsigned char it_json[] = {
#embed "Texts/it.json" suffix(, )
    0};
static const unsigned char ja_json[] = {
#embed "Texts/ja.json" suffix(, )
    0};
static const unsigned char nl_json[] = {
#embed "Texts/nl.json" suffix(, )
    0};
static const unsigned char pl_json[] = {
#embed "Texts/pl.json" suffix(, )
    0};
static const unsigned char pt_json[] = {
#embed "Texts/pt.json" suffix(, )
    0};
static const unsigned char zh_json[] = {
#embed "Texts/zh.json" suffix(, )
    0};

// The lengths exclude the zero after each file, which keeps the array of an empty file valid.
static const struct cpage_file files[] = {
    {"guide.css", guide_css, sizeof guide_css - 1},
    {"base.js", base_js, sizeof base_js - 1},
    {"controls.js", controls_js, sizeof controls_js - 1},
    {"dialogs.js", dialogs_js, sizeof dialogs_js - 1},
    {"drawing.js", drawing_js, sizeof drawing_js - 1},
    {"elements.js", elements_js, sizeof elements_js - 1},
    {"guide.js", guide_js, sizeof guide_js - 1},
    {"listings.js", listings_js, sizeof listings_js - 1},
    {"page.js", page_js, sizeof page_js - 1},
    {"reminders.js", reminders_js, sizeof reminders_js - 1},
    {"print.js", print_js, sizeof print_js - 1},
    {"rules.js", rules_js, sizeof rules_js - 1},
    {"search.js", search_js, sizeof search_js - 1},
    {"views.js", views_js, sizeof views_js - 1},
    {"watch.js", watch_js, sizeof watch_js - 1},
    {"watched.js", watched_js, sizeof watched_js - 1},
    {"views.css", views_css, sizeof views_css - 1},
    {"dialogs.css", dialogs_css, sizeof dialogs_css - 1},
    {"service-worker.js", service_worker_js, sizeof service_worker_js - 1},
    {"older.js", older_js, sizeof older_js - 1},
    {"remote.js", remote_js, sizeof remote_js - 1},
    {"tv.js", tv_js, sizeof tv_js - 1},
    {"grid-remote.js", grid_remote_js, sizeof grid_remote_js - 1},
    {"preview.js", preview_js, sizeof preview_js - 1},
    {"numbers.js", numbers_js, sizeof numbers_js - 1},
    {"tv.css", tv_css, sizeof tv_css - 1},
    {"admin.css", admin_css, sizeof admin_css - 1},
    {"admin.js", admin_js, sizeof admin_js - 1},
    {"icon.svg", icon_svg, sizeof icon_svg - 1},
    {"icon-180.png", icon_180_png, sizeof icon_180_png - 1},
    {"icon-192.png", icon_192_png, sizeof icon_192_png - 1},
    {"icon-512.png", icon_512_png, sizeof icon_512_png - 1},
    {"icon-maskable-512.png", icon_maskable_512_png, sizeof icon_maskable_512_png - 1},
};

size_t cpage_file_count(void) { return sizeof files / sizeof files[0]; }

const struct cpage_file *cpage_file_at(size_t index) {
    return index < cpage_file_count() ? &files[index] : NULL;
}

// The texts of the pages, by language code.
static const struct cpage_file languages[] = {
    {"ar", ar_json, sizeof ar_json - 1},
    {"de", de_json, sizeof de_json - 1},
    {"en", en_json, sizeof en_json - 1},
    {"es", es_json, sizeof es_json - 1},
    {"fr", fr_json, sizeof fr_json - 1},
    {"he", he_json, sizeof he_json - 1},
    {"it", it_json, sizeof it_json - 1},
    {"ja", ja_json, sizeof ja_json - 1},
    {"nl", nl_json, sizeof nl_json - 1},
    {"pl", pl_json, sizeof pl_json - 1},
    {"pt", pt_json, sizeof pt_json - 1},
    {"zh", zh_json, sizeof zh_json - 1},
};

size_t cpage_language_count(void) { return sizeof languages / sizeof languages[0]; }

const struct cpage_file *cpage_language_at(size_t index) {
    return index < cpage_language_count() ? &languages[index] : NULL;
}
