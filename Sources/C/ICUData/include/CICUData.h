// Replaces the locale data of ICU in release programs; see CICUData.c.

#ifndef CICUDATA_H
#define CICUDATA_H
#endif
