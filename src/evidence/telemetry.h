/* SPDX-License-Identifier: Apache-2.0
 *
 * What one source of telemetry said: readings under their final names, what could not be read and
 * why, and everything that was seen and not used. Plain data in the run arena; made by source,
 * turned into rows by analyze. A reading without a value holds the reason in its place, never 0.
 */
#ifndef KS_EVIDENCE_TELEMETRY_H
#define KS_EVIDENCE_TELEMETRY_H

#include "base/base.h"
#include "tables/tables.h"

enum ks_tel_probe { KS_TEL_NOT_RUN, KS_TEL_READ, KS_TEL_FAILED };

/* Why there is no value. The words of all are written as they stand in ks_tel_why_word. */
enum ks_tel_why {
	KS_TEL_FINE,
	/* of the source as a whole */
	KS_TEL_NO_SOURCE,
	KS_TEL_IO_ERROR,
	KS_TEL_NETWORK_ERROR,
	KS_TEL_TIMEOUT,
	KS_TEL_HTTP_ERROR,
	KS_TEL_UNSUPPORTED_SCHEME,
	KS_TEL_BAD_TIMEOUT,
	KS_TEL_NO_SERIES,
	KS_TEL_CUT, /* over the limit of bytes: the first ones were used */
	KS_TEL_NOT_BUILT_IN,
	/* of one series or field */
	KS_TEL_ABSENT,
	KS_TEL_SEMANTICS_UNKNOWN,
	KS_TEL_UNKNOWN_FIELD,
	KS_TEL_NAN,
	KS_TEL_INF,
	KS_TEL_BLANK,
	KS_TEL_BAD_VALUE,
	KS_TEL_BAD_TIMESTAMP,
	KS_TEL_EXTRA_TOKENS,
	KS_TEL_NO_UNIT,
	KS_TEL_COUNTER,	    /* a rate that is declared a counter: one scrape has no rate */
	KS_TEL_OTHER_FIELD, /* another field of the same metric was taken */
	KS_TEL_SAME_NAME,   /* another series has this name, and the hash of its key */
	KS_TEL_BAD_LINE,    /* no series, no row, no element */
	KS_TEL_UNENDED,	    /* a last line without its end may be cut in a number */
	KS_TEL_TOO_MANY,    /* there are as many readings as one text may have */
	KS_TEL_WHY_COUNT
};
const char *ks_tel_why_word(enum ks_tel_why why); /* "io_error", "nan", ... */

struct ks_tel_device {
	ks_str gpu;	 /* number, or a bus address where there is none; "" unknown */
	ks_str uuid;	 /* "" unknown or blank */
	ks_str model;	 /* "" unknown */
	ks_str instance; /* of a GPU that is split; "" the board */
	ks_str set;	 /* which part of a capture: "idle_q"; "" the whole text */
};

struct ks_tel_reading {
	enum ks_metric base;   /* the metric itself */
	enum ks_metric metric; /* the family where `name` is an instance of one */
	ks_str name;
	enum ks_tel_why why; /* FINE: `value` is one */
	double value;	     /* in the unit of the metric */
	bool is_mask;	     /* value is a mask of ks_throttle_names */
	ks_str key;	     /* the series, labels sorted by name; or the path of the field */
	ks_str text;	     /* as it stood there, where it is no value */
	uint64_t line;
	size_t device; /* index in `device` */
};

/* Which device of the trace a device of the telemetry is. */
struct ks_tel_join {
	size_t gpu;	   /* index in the report's; SIZE_MAX: none */
	struct ks_msg how; /* or why not */
};

struct ks_tel_item { /* a name, a series or a line, and why it is not used */
	ks_str name;
	enum ks_tel_why why;
	uint64_t n; /* how many; or the number of the line */
};

struct ks_tel_list { /* the first ones; `all` counts */
	const struct ks_tel_item *item;
	size_t n;
	uint64_t all;
};

struct ks_telemetry {
	ks_str where;  /* as given; what reports print */
	ks_str format; /* "prometheus", "nvidia-smi xml", ...; "" not read */
	bool from_url;
	enum ks_tel_probe probe;
	enum ks_tel_why why; /* of FAILED; CUT beside OK */
	ks_str detail;	     /* "ENOENT", "404"; "" none */
	uint64_t series;     /* that were read, known or not */
	bool profiling;	     /* a profiling field has a value */
	const struct ks_tel_reading *reading;
	size_t n_readings, n_values;
	const struct ks_tel_device *device;
	size_t n_devices;
	struct ks_tel_list unknown;    /* fields of no known meaning, with their numbers */
	struct ks_tel_list missing;    /* fields of ours that were looked for and have no reading */
	struct ks_tel_list skipped;    /* series that are not used */
	struct ks_tel_list duplicates; /* series that came again: the last one counts */
	struct ks_tel_list bad;	       /* lines that say nothing; n is the line's number */
	struct ks_tel_list unused;     /* parts of a capture that are not read */
};

#endif
