/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions this code base does without. Using one is a compile error that names it.
 * Files in base/ that are the one door to such a call define KS_BASE_DOOR before including
 * anything. The bans are function-like macros, so no struct member may carry one of these names.
 */
#ifndef KS_BASE_BANNED_H
#define KS_BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KS_BANNED(f) ks_banned_##f##_see_STYLE_section_4

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef strtok
#undef gets
#undef atoi
#undef atol
#undef atof
#undef sscanf
#undef gmtime
#undef localtime
#undef ctime
#undef asctime
#undef mktemp
#undef tmpnam
#undef system
#undef popen
#define strcpy(...)    KS_BANNED(strcpy)
#define strcat(...)    KS_BANNED(strcat)
#define strncpy(...)   KS_BANNED(strncpy)
#define strncat(...)   KS_BANNED(strncat)
#define sprintf(...)   KS_BANNED(sprintf)
#define vsprintf(...)  KS_BANNED(vsprintf)
#define strtok(...)    KS_BANNED(strtok)
#define gets(...)      KS_BANNED(gets)
#define atoi(...)      KS_BANNED(atoi)
#define atol(...)      KS_BANNED(atol)
#define atof(...)      KS_BANNED(atof)
#define sscanf(...)    KS_BANNED(sscanf)
#define gmtime(...)    KS_BANNED(gmtime)
#define localtime(...) KS_BANNED(localtime)
#define ctime(...)     KS_BANNED(ctime)
#define asctime(...)   KS_BANNED(asctime)
#define mktemp(...)    KS_BANNED(mktemp)
#define tmpnam(...)    KS_BANNED(tmpnam)
#define system(...)    KS_BANNED(system)
#define popen(...)     KS_BANNED(popen)
#define setlocale(...) KS_BANNED(setlocale)

#ifndef KS_BASE_DOOR
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef strdup
#undef fopen
#undef printf
#define malloc(...)  KS_BANNED(malloc)
#define calloc(...)  KS_BANNED(calloc)
#define realloc(...) KS_BANNED(realloc)
#define free(...)    KS_BANNED(free)
#define strdup(...)  KS_BANNED(strdup)
#define fopen(...)   KS_BANNED(fopen)
#undef write
#undef rename
#define printf(...) KS_BANNED(printf)
#define write(...)  KS_BANNED(write)
#define rename(...) KS_BANNED(rename)
#endif

#endif
