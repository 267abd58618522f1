// Empty locale data for the ICU that Foundation contains.
//
// GRDB and Yams import Foundation, and a static link adds ICU's data, 34 MB of locales, time zone names and
// converters. The programs use none of it: EPGCalendar reads the time zones of the system, EPGImport decodes text itself, and the
// remaining uses of Foundation (Data, URL, FileManager, and the regular expressions of Yams) need only the tables in ICU's code.
// This object file defines the symbol of the data first, so that the linker takes no data from the archive:
//
//     stripped     with ICU's data    without
//     epg          72.3 MB            40.9 MB
//     epgd         84.1 MB            50.1 MB
//
// Hidden symbols do not reach shared libraries: debug builds, which load Foundation, keep the data. The smoke test of the release
// programs fails if the programs contain the data, for instance because a newer Swift has a newer ICU. In that case, add its
// number below.

#include "CICUData.h"
#include <stdint.h>

/// The header of ICU's common data (icu4c, common/ucmndata.h), and a table of contents without entries.
struct common_data {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved_word;
    uint8_t is_big_endian;
    uint8_t charset;
    uint8_t size_of_char;
    uint8_t reserved_byte;
    uint8_t format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t padding[8];
    uint32_t entry_count;
    uint32_t end[3];
};

#define EMPTY_DATA(version)                                                                                                            \
    __attribute__((visibility("hidden"), aligned(16))) const struct common_data icudt##version##_dat = {                               \
        .header_size = 32,                                                                                                             \
        .magic = {0xda, 0x27},                                                                                                         \
        .info_size = 20,                                                                                                               \
        .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,                                                                       \
        .size_of_char = 2,                                                                                                             \
        .format = {'T', 'o', 'C', 'P'},                                                                                                \
        .format_version = {1},                                                                                                         \
        .data_version = {version},                                                                                                     \
    }

EMPTY_DATA(74);
EMPTY_DATA(76);
