// Parses a guide with libexpat alone: the yardstick of the XMLTV reader.
//
//   expat_parse GUIDE.xml
//
// Sets handlers for start tags, end tags and text, which any guide reader needs; they only count. Reads the file in pieces of
// 64 KiB. Prints the counts and the seconds of reading and parsing; exits with 65 if the file isn't well-formed.

#include <expat.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { piece = 64 * 1024 };

struct counts {
    unsigned long long elements, ends, attributes, programmes, text_bytes;
};

static void XMLCALL on_start(void *user, const XML_Char *name, const XML_Char **attributes) {
    struct counts *counts = user;
    counts->elements++;
    if (strcmp(name, "programme") == 0) counts->programmes++;
    for (; *attributes; attributes += 2) counts->attributes++;
}

static void XMLCALL on_end(void *user, const XML_Char *name) {
    struct counts *counts = user;
    (void)name;
    counts->ends++;
}

static void XMLCALL on_text(void *user, const XML_Char *text, int length) {
    struct counts *counts = user;
    (void)text;
    counts->text_bytes += (unsigned long long)length;
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: expat_parse GUIDE.xml\n");
        return 64;
    }
    FILE *file = fopen(arguments[1], "rb");
    if (!file) {
        perror(arguments[1]);
        return 66;
    }
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) {
        fprintf(stderr, "out of memory\n");
        fclose(file);
        return 71;
    }
    struct counts counts = {0};
    XML_SetUserData(parser, &counts);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);

    int status = 0;
    unsigned long long bytes = 0;
    double begin = seconds_now();
    for (int is_last = 0; !is_last && status == 0;) {
        // The parser's own buffer, which avoids a copy.
        void *buffer = XML_GetBuffer(parser, piece);
        size_t read = buffer ? fread(buffer, 1, piece, file) : 0;
        if (!buffer || ferror(file)) {
            perror(arguments[1]);
            status = 74;
            break;
        }
        bytes += read;
        is_last = read < piece;
        if (XML_ParseBuffer(parser, (int)read, is_last) != XML_STATUS_OK) {
            fprintf(stderr, "%s:%lu:%lu: %s\n", arguments[1], (unsigned long)XML_GetCurrentLineNumber(parser),
                    (unsigned long)XML_GetCurrentColumnNumber(parser) + 1, XML_ErrorString(XML_GetErrorCode(parser)));
            status = 65;
        }
    }
    double seconds = seconds_now() - begin;
    XML_ParserFree(parser);
    fclose(file);
    if (status == 0) {
        printf("libexpat: %.3f s, %.1f MB/s, %llu programmes, %llu elements, %llu attributes, %llu bytes of text\n",
               seconds, (double)bytes / 1e6 / seconds, counts.programmes, counts.elements, counts.attributes,
               counts.text_bytes);
    }
    return status;
}
