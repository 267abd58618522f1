#ifndef CPAGE_H
#define CPAGE_H
#endif
