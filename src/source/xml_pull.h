/* SPDX-License-Identifier: Apache-2.0
 *
 * XML, piece by piece, as far as machines write it: elements, attributes, text, comments, one
 * DOCTYPE that only names a file (which is never opened). No entities but the five and numbers, no
 * CDATA, no processing instructions inside. Borrows from the text; its depth has a limit.
 */
#ifndef KS_SOURCE_XML_PULL_H
#define KS_SOURCE_XML_PULL_H

#include "base/arena.h"
#include "base/base.h"

#define KS_XML_LEVELS 64 /* room; how many are used is KS_LIMIT_XML_DEPTH */

enum ks_xml_event {
	KS_XML_OPEN,  /* name, attributes */
	KS_XML_CLOSE, /* name; of an empty element too */
	KS_XML_TEXT,  /* text between tags, entities as they stand; never empty */
	KS_XML_END,   /* every element is closed */
	KS_XML_BAD    /* no XML of this kind, or it stops inside (text: from there): the last one */
};

struct ks_xml {
	ks_str rest;
	uint64_t line; /* of the piece */
	ks_str name, attributes, text;
	ks_str open[KS_XML_LEVELS];
	size_t depth;
	bool closing; /* an empty element is to be closed */
	bool seen;    /* the root */
	bool bad;
};

void ks_xml_init(struct ks_xml *x, ks_str text, uint64_t line);
enum ks_xml_event ks_xml_next(struct ks_xml *x);
/* The value of an attribute of the element that was opened last; "" none. */
ks_str ks_xml_attribute(const struct ks_xml *x, const char *name);
/* Text as it is meant; what is no entity stays as it stands. */
ks_str ks_xml_plain(struct ks_arena *a, ks_str text);

#endif
