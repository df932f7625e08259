/* SPDX-License-Identifier: Apache-2.0
 *
 * The evidence store: every number of a run, each with provenance, resolution, source and lineage,
 * and every refusal. Rows are made by the constructors below and by nothing else; they enforce
 * R1-R4 of the evidence model (contract 02 §2). The store holds evidence, never launches.
 *
 * Sticky: after an allocation failure every constructor returns 0 and the phase ends in one error
 * (ks_store_status), so analysis code has no clean-up ladders. A broken rule is our own mistake:
 * it aborts in debug builds and otherwise makes an internal_unknown refusal that names the rule.
 */
#ifndef KS_EVIDENCE_STORE_H
#define KS_EVIDENCE_STORE_H

#include "base/arena.h"
#include "base/err.h"
#include "tables/tables.h"

struct ks_store; /* opaque */

/* ARRAY and OBJECT occur in facts of verdicts only; a metric's value is never one. */
enum ks_vkind {
	KS_V_NONE,
	KS_V_INT,
	KS_V_REAL,
	KS_V_TEXT,
	KS_V_BOOL,
	KS_V_LIST,
	KS_V_ARRAY,
	KS_V_OBJECT,
};
struct ks_kv;

/* A value with no unit of its own (the unit is the metric's, or the key's in a refusal). `kind`
 * says which member may be read. */
struct ks_value {
	enum ks_vkind kind;
	union {
		ks_str s;  /* TEXT */
		int64_t i; /* INT, BOOL */
		double d;  /* REAL */
		struct {
			union {
				const ks_str *list;	     /* LIST of texts */
				const struct ks_value *item; /* ARRAY */
				const struct ks_kv *field;   /* OBJECT */
			};
			size_t n; /* of LIST, ARRAY, OBJECT */
		};
	};
};
#define KS_VAL_INT(v)  ((struct ks_value){ .kind = KS_V_INT, .i = (v) })
#define KS_VAL_REAL(v) ((struct ks_value){ .kind = KS_V_REAL, .d = (v) })
#define KS_VAL_TEXT(v) ((struct ks_value){ .kind = KS_V_TEXT, .s = (v) })
#define KS_VAL_BOOL(v) ((struct ks_value){ .kind = KS_V_BOOL, .i = (v) })
#define KS_VAL_NONE    ((struct ks_value){ .kind = KS_V_NONE })

struct ks_kv {
	ks_str key;
	struct ks_value value;
};

struct ks_remedy {
	struct ks_msg action;
	ks_str command; /* "" = none */
	double cost_s;
	enum ks_cost_kind cost_kind;
	const ks_str *answers; /* then_answers */
	size_t n_answers;
};

/* The texts below may have id NONE: the code's own title and action then apply. Print them with
 * ks_refused_message and ks_refused_action, which know that and join the messages of `causes`. */
struct ks_refused {
	enum ks_refusal code;
	enum ks_severity severity;
	struct ks_msg message;
	const struct ks_kv *observed, *threshold;
	size_t n_observed, n_threshold;
	struct ks_remedy remedy;
	const ks_id *causes; /* further refusals of the same row */
	size_t n_causes;
	ks_str rule;	  /* name of the sanity rule for inconsistent_evidence, else "" */
	ks_str read_code; /* re-read only: a code that this version does not know; else "" */
};

/* Where an exact or measured value was read: walked back to by `explain`. */
struct ks_origin {
	ks_str table;	/* "CUPTI_ACTIVITY_KIND_KERNEL"; "" for arithmetic on the command line */
	ks_str columns; /* "start,end" */
	uint64_t rows;	/* rows that went into it */
};

/* Traces of 20,000 kernels have 800,000 of these: 128 bytes each, and what many rows have alike is
 * kept once and pointed to. */
struct ks_ev {
	enum ks_metric metric : 16;
	enum ks_section section : 8;
	enum ks_unit unit : 8;
	enum ks_prov prov : 8;
	bool has_resolution;
	uint16_t n_inputs;
	const ks_id *inputs; /* lineage: what it was derived from */
	ks_str name;	     /* the metric's name, a pattern filled in */
	ks_str subject;	     /* kernel name, or "" for the device rows */
	struct ks_value value;
	double resolution; /* in the unit of the value; 0 = exact */
	struct ks_msg source, note;
	const struct ks_origin *origin;	  /* never NULL; its table is "" when nothing was read */
	const struct ks_refused *refused; /* set exactly when prov is UNAVAILABLE (R1) */
};
#define KS_EV_INPUTS UINT16_MAX /* of one row, at most */

/* What a constructor is told besides the value. Only `metric` is required. */
struct ks_ev_spec {
	enum ks_metric metric;
	ks_str name; /* filled-in pattern; empty: the metric's own name */
	ks_str subject;
	struct ks_msg source, note;
	struct ks_origin origin;
	bool has_resolution;
	double resolution;
	const ks_id *inputs;
	size_t n_inputs;
};

/* The arena must outlive the store; strings and inputs of a spec are copied into it. NULL: no
 * memory. */
struct ks_store *ks_store_open(struct ks_arena *arena);
/* What remedies name from now on; the strings must live as long as the store. */
void ks_store_words(struct ks_store *ev, const struct ks_command_words *words);
/* What -k takes for that function name, quoted: the name, or for a long one how it begins. "":
 * none. */
ks_str ks_kernel_word(struct ks_arena *a, ks_str name);
/* The command of the code's remedy for this run; `kernel` (a shell word) or "" for that of the run.
 * "" when it has none. */
ks_str ks_store_command(const struct ks_store *ev, enum ks_refusal code, ks_str kernel);
enum ks_status ks_store_status(const struct ks_store *ev, struct ks_err *err);
size_t ks_store_count(const struct ks_store *ev); /* ids run from 1 to count */
/* NULL for 0 and unknown ids. Valid until the store's arena is released. */
const struct ks_ev *ks_ev_get(const struct ks_store *ev, ks_id id);
/* First row of that name and subject; 0 if none. */
ks_id ks_ev_find(const struct ks_store *ev, ks_str name, ks_str subject);

/* Constructors. Each returns the id of the new row, 0 once the store is sticky. A row one of whose
 * inputs is a refusal becomes a refusal with that input's code. */
ks_id ks_ev_exact(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v);
ks_id ks_ev_measured(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v);
ks_id ks_ev_derived(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v);
ks_id ks_ev_estimated(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v);

struct ks_refuse_spec {
	enum ks_refusal code;
	struct ks_msg message; /* id NONE: the title of the code */
	const struct ks_kv *observed, *threshold;
	size_t n_observed, n_threshold;
	/* overrides of the code's defaults; leave zeroed to take them */
	struct ks_msg action;
	ks_str command;
	bool has_cost;
	double cost_s;
	enum ks_cost_kind cost_kind;
	bool degraded; /* severity degraded where the code's default is blocking */
	ks_str rule;
};
ks_id ks_ev_refuse(struct ks_store *ev, const struct ks_ev_spec *spec,
		   const struct ks_refuse_spec *why);

/* The one constructor for rows read back from a report: takes provenance as written, checks R1-R4,
 * and turns what breaks them into a refusal (internal_unknown, or legacy_report when an n/a row has
 * no refusal). `refused` may be NULL. Lineage of re-read rows is empty until ks_ev_relink. */
ks_id ks_ev_reread(struct ks_store *ev, const struct ks_ev_spec *spec, enum ks_prov prov,
		   ks_str unit, struct ks_value v, const struct ks_refused *refused);

/* Lineage of a row that was re-read, once all rows are there. It changes no value: what was refused
 * when the report was made is refused in it. Ids that are not in the store and the row itself are
 * left out. Such rows may lead in a circle, which ks_lineage_walk survives; ks_ev_condemn does not
 * follow them. */
void ks_ev_relink(struct ks_store *ev, ks_id id, const ks_id *inputs, size_t n);

/* The sanity pass's only power: replaces a row's value by an inconsistent_evidence refusal that
 * names `rule` and shows both values; rows derived from it follow. */
void ks_ev_condemn(struct ks_store *ev, ks_id id, ks_str rule, struct ks_kv a, struct ks_kv b);

/* A refusal that is no row of its own (a verdict's). NULL when out of memory. */
const struct ks_refused *ks_refused_make(struct ks_store *ev, const struct ks_refuse_spec *why);
/* The code as text: the table's slug, or what was read. */
ks_str ks_refused_slug(const struct ks_refused *r);
/* Whether a text can be the code of another version: 1 to 40 of a-z, 0-9 and _. Others are not
 * kept. */
bool ks_refused_is_slug(ks_str s);

/* R1: the reason of a row is this text, wherever it is printed. `ev` may be NULL (no causes then).
 */
void ks_refused_message(const struct ks_store *ev, const struct ks_refused *r, enum ks_lang lang,
			struct ks_buf *out);
void ks_refused_action(const struct ks_refused *r, enum ks_lang lang, struct ks_buf *out);

/* The name of the first rule that a row would break ("R1".."R4", "naming", "finite", "resolution"),
 * or NULL. `refused` tells whether it carries a refusal. One place for constructors and re-read
 * rows. */
const char *ks_ev_broken_rule(ks_str name, enum ks_prov prov, const struct ks_value *v,
			      bool refused);

/* Message helpers: arguments (const char *) are copied into the store's arena. NULL-terminated. */
struct ks_msg ks_store_msg(struct ks_store *ev, enum ks_text id, ...);

#endif
