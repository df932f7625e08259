/* SPDX-License-Identifier: Apache-2.0
 *
 * --redact: one object per run, asked wherever a text enters the tool or a name leaves the
 * analysis. Without one (NULL) every text comes back as it is, so that callers ask without looking.
 * It fails closed: without memory the answer is "<redacted>", never the text.
 *
 *     texts   diagnostics, processes, messages: what identifies goes (base/scrub.h), and so do
 *             the words that were registered: arguments, user and host names
 *     paths   a path that is known to be one: "<path>" and its ending
 *     names   kernels, ranges and the like: as texts, or with KS_REDACT_NAMES as a stable hash
 *             "kernel_3f9a1c02b4d7": SHA-256 of the name, HMAC-SHA-256 where there is a key
 *
 * Two names of a class never become one: the second gets more digits.
 */
#ifndef KS_BASE_REDACT_H
#define KS_BASE_REDACT_H

#include "base/arena.h"

enum ks_redact_mode { KS_REDACT_NO, KS_REDACT_YES, KS_REDACT_NAMES };

enum ks_name_class {
	KS_NAME_KERNEL,
	KS_NAME_RANGE,
	KS_NAME_DOMAIN,
	KS_NAME_THREAD,
	KS_NAME_PROCESS,
	KS_NAME_FUNCTION, /* of a call stack */
	KS_NAME_RULE,	  /* of the user's own, by --ks-rule */
	KS_NAME_CLASSES
};

struct ks_redact; /* opaque */

/* The arena must outlive it. `key` may be NULL or empty: plain SHA-256. NULL: no memory. */
struct ks_redact *ks_redact_open(struct ks_arena *a, enum ks_redact_mode mode, const char *key);
void ks_redact_close(struct ks_redact *r);
/* There was no memory for something, which then became "<redacted>": two names may be one. */
bool ks_redact_failed(const struct ks_redact *r);
enum ks_redact_mode ks_redact_mode_of(const struct ks_redact *r);

/* All results live as long as the object, and are NUL-terminated unless they are the argument. */
ks_str ks_redact_text(struct ks_redact *r, ks_str s);
ks_str ks_redact_path(struct ks_redact *r, ks_str s); /* "" and "-" stay */
/* Names we made up stay: "(device)", "<unknown>", and what was hashed before. */
ks_str ks_redact_name(struct ks_redact *r, enum ks_name_class c, ks_str s);
/* A choice of kernels as -k takes it: a name, or "regex:" and a pattern, which goes with names. */
ks_str ks_redact_choice(struct ks_redact *r, ks_str s);
/* A choice of a time as --within takes it: the name behind "nvtx:" is a range's. */
ks_str ks_redact_within(struct ks_redact *r, ks_str s);
/* A rule as --ks-rule takes it: the name before a ":" is the user's. */
ks_str ks_redact_rule(struct ks_redact *r, ks_str s);

/* From now on `word` becomes `to` in texts: anywhere when it has at least four bytes, else where it
 * is the whole text. Both are copied. */
void ks_redact_word(struct ks_redact *r, ks_str word, ks_str to);
/* The same for what stood on the command line: a plain word, "report", only as the whole text. */
void ks_redact_argument(struct ks_redact *r, ks_str word, ks_str to);
/* The name that became `s`; `s` itself when none did. For choices by name after the fact. */
ks_str ks_redact_original(struct ks_redact *r, enum ks_name_class c, ks_str s);

#endif
