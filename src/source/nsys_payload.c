/* SPDX-License-Identifier: Apache-2.0
 *
 * Payload schemas of NVTX: which fields a payload has, and which schema a blob follows. Decodes no
 * field; a blob whose schema the file does not tell stays without one.
 */
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "source/nsys_columns.h"

struct schema_row {
	int64_t domain, schema, bytes;
	ks_str name;
};

static const struct ks_nsys_column schema_columns[] = {
	NUMBER(schema_row, "domainId", domain, 0, ID_MIN, ID_MAX),
	ID(schema_row, "schemaId", schema),
	NUMBER(schema_row, "payloadSize", bytes, KS_UNKNOWN, 0, SIZE),
	TEXT(schema_row, "name", name),
};

/* Without an offset the first field is at 0; that of another one follows from the fields before it
 * (NVTX: self-alignment) and is left to whoever decodes them. */
static const struct ks_nsys_column entry_columns[] = {
	NUMBER(ks_payload_entry, "domainId", domain, 0, ID_MIN, ID_MAX),
	ID(ks_payload_entry, "schemaId", schema),
	ID(ks_payload_entry, "idx", index),
	ID(ks_payload_entry, "type", type),
	NUMBER(ks_payload_entry, "offset", offset, KS_UNKNOWN, 0, SIZE),
	NUMBER(ks_payload_entry, "flags", flags, 0, ID_MIN, ID_MAX),
	TEXT(ks_payload_entry, "name", name),
};

static enum ks_status too_many_schemas(struct ks_nsys *n, const struct ks_map *m,
				       struct ks_err *err)
{
	char max[KS_NUM_LEN];

	if (m->count < m->max)
		return ks_nsys_no_memory(err);
	ks_num_i64(max, (int64_t)m->max);
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TOO_MANY_SCHEMAS, n->path, max, (char *)NULL);
	return ks_err_at(err, n->path, -1);
}

/* Exports repeat a schema for each process. Where the repetitions differ nothing is known of its
 * size, and the first name in order of bytes counts: the order of rows must not matter. */
static enum ks_status keep_schema(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_nsys_payloads *p = &n->payloads;
	const struct schema_row *w = row;
	const int64_t key[2] = { w->domain, w->schema };
	bool fresh = false;

	if (w->domain == KS_UNKNOWN || w->schema == KS_UNKNOWN)
		return KS_OK;

	const uint32_t number = ks_map_add(&p->schemas, key, &fresh);

	if (number == KS_MAP_NONE)
		return too_many_schemas(n, &p->schemas, err);
	if (!KS_GROW(p->schema, p->schema_cap, (size_t)number + 1, p->schemas.max))
		return ks_nsys_no_memory(err);

	struct ks_nsys_payload *own = &p->schema[number];

	if (!fresh && own->bytes != w->bytes)
		own->bytes = KS_UNKNOWN;
	if (fresh)
		own->bytes = w->bytes;
	if (fresh || ks_str_cmp(w->name, own->name) < 0)
		own->name = ks_arena_dup(&n->arena, w->name);
	return ks_arena_failed(&n->arena) ? ks_nsys_no_memory(err) : KS_OK;
}

/* Which schema is the only one of its domain with a payload of that many bytes. */
static enum ks_status index_sizes(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_nsys_payloads *p = &n->payloads;

	for (uint32_t i = 0; i < p->schemas.count; i++) {
		int64_t key[2];
		bool fresh = false;

		memcpy(key, ks_map_key(&p->schemas, i), sizeof(key));

		const int64_t schema = key[1];

		key[1] = p->schema[i].bytes;
		if (key[1] == KS_UNKNOWN)
			continue;

		const uint32_t number = ks_map_add(&p->sizes, key, &fresh);

		if (number == KS_MAP_NONE ||
		    !KS_GROW(p->only_schema, p->size_cap, (size_t)number + 1, p->sizes.max))
			return ks_nsys_no_memory(err);
		p->only_schema[number] = fresh ? schema : KS_UNKNOWN;
	}
	return KS_OK;
}

static const struct ks_nsys_payload *find_schema(const struct ks_nsys *n, int64_t domain,
						 int64_t schema)
{
	const int64_t key[2] = { domain, schema };
	const uint32_t number =
		n->payloads.schemas.count ? ks_map_find(&n->payloads.schemas, key) : KS_MAP_NONE;

	return number == KS_MAP_NONE ? NULL : &n->payloads.schema[number];
}

static enum ks_status deliver_entry(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_payload_entry e = *(const struct ks_payload_entry *)row;
	const struct ks_nsys_payload *schema = find_schema(n, e.domain, e.schema);

	if (e.schema == KS_UNKNOWN)
		return KS_OK;
	if (e.offset == KS_UNKNOWN && e.index == 0)
		e.offset = 0;
	e.payload_bytes = schema ? schema->bytes : KS_UNKNOWN;
	e.schema_name = schema ? schema->name : KS_LIT("");
	return n->sink->ops->schema(n->sink->self, &e, err);
}

enum ks_status ks_nsys_schemas(struct ks_nsys *n, struct ks_err *err)
{
	const size_t max = (size_t)ks_limit(KS_LIMIT_PAYLOAD_SCHEMAS);
	struct schema_row schema;
	struct ks_payload_entry entry;
	const struct ks_nsys_feed all[] = {
		{ "NVTX_PAYLOAD_SCHEMAS", schema_columns, KS_ARRAY_LEN(schema_columns), 0, &schema,
		  keep_schema },
		{ "NVTX_PAYLOAD_SCHEMA_ENTRIES", entry_columns, KS_ARRAY_LEN(entry_columns), 0,
		  &entry, deliver_entry },
	};

	ks_map_init(&n->payloads.schemas, 2 * sizeof(int64_t), max);
	ks_map_init(&n->payloads.sizes, 2 * sizeof(int64_t), max);
	KS_TRY(ks_nsys_feed(n, &all[0], err));
	KS_TRY(index_sizes(n, err));
	return ks_nsys_feed(n, &all[1], err);
}

/* In front of the payload an export has four 64-bit numbers: domain, schema, bytes of the payload,
 * and one that is described both as where the payload begins and as the bytes of it all (the
 * decoders of nsys-ai, github.com/GindaChen/nsys-ai, which name exports of 2026; no document of the
 * vendor says it). Little-endian, as every machine that nsys runs on. */
enum { HEADER_BYTES = 32 };

static uint64_t word(const char *p, size_t i)
{
	uint64_t x = 0;

	for (size_t k = 8; k-- > 0;)
		x = x << 8 | (unsigned char)p[i * 8 + k];
	return x;
}

/* Believed only where all of it fits: the domain of the row, a schema that the file has, its size,
 * and as many bytes as it says. */
static bool take_header(const struct ks_nsys *n, struct ks_range *r)
{
	if (r->payload.n < HEADER_BYTES || word(r->payload.p, 0) != (uint64_t)r->domain)
		return false;

	const uint64_t schema = word(r->payload.p, 1);
	const uint64_t bytes = word(r->payload.p, 2);
	const uint64_t last = word(r->payload.p, 3);
	const struct ks_nsys_payload *known = find_schema(n, r->domain, (int64_t)schema);

	if (!known || bytes > r->payload.n - HEADER_BYTES)
		return false;
	if (known->bytes != KS_UNKNOWN && bytes < (uint64_t)known->bytes)
		return false;

	const bool is_offset = last >= HEADER_BYTES && last <= r->payload.n - bytes;
	const size_t from = is_offset ? (size_t)last : HEADER_BYTES;

	r->schema = (int64_t)schema;
	r->payload = (ks_str){ r->payload.p + from, (size_t)bytes };
	return true;
}

void ks_nsys_payload(const struct ks_nsys *n, struct ks_range *r)
{
	const struct ks_nsys_payloads *p = &n->payloads;
	const int64_t key[2] = { r->domain, (int64_t)r->payload.n };

	if (take_header(n, r) || !p->sizes.count)
		return;

	const uint32_t number = ks_map_find(&p->sizes, key);

	if (number != KS_MAP_NONE)
		r->schema = p->only_schema[number];
}

void ks_nsys_payloads_release(struct ks_nsys *n)
{
	ks_map_release(&n->payloads.schemas);
	ks_map_release(&n->payloads.sizes);
	ks_mem_free(n->payloads.schema);
	ks_mem_free(n->payloads.only_schema);
}
