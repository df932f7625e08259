/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of decisions from the text table.
 */
#include "render/decided.h"

#include "base/str.h"

#define CODES_NAMED   3
#define LIMITER_BYTES 64 /* a list of limiters that is longer is cut behind one */

ks_str ks_decided_list(struct ks_pen *p, const ks_str *part, size_t n)
{
	ks_str all = KS_LIT("");

	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			all = ks_pen_cat(p, all, KS_LIT(", "));
		all = ks_pen_cat(p, all, part[i]);
	}
	return all;
}

/* --- the finding --------------------------------------------------------------------------------
 */

static ks_str limiter_word(struct ks_pen *p, ks_str slug)
{
	static const struct {
		const char *slug;
		enum ks_text word;
	} known[] = {
		{ "registers", KS_TEXT_R_LIM_REGISTERS }, { "shared_mem", KS_TEXT_R_LIM_SMEM },
		{ "threads", KS_TEXT_R_LIM_THREADS },	  { "warps", KS_TEXT_R_LIM_WARPS },
		{ "block_limit", KS_TEXT_R_LIM_BLOCKS },  { "barriers", KS_TEXT_R_LIM_BARRIERS },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(known); i++)
		if (ks_str_eqc(slug, known[i].slug))
			return KS_PEN_WORD(p, known[i].word);
	return slug;
}

ks_str ks_decided_limiter(struct ks_pen *p, ks_str slugs)
{
	ks_str text = KS_LIT("");

	while (slugs.p != NULL) {
		const ks_str word = limiter_word(p, ks_str_cut(&slugs, '+'));

		text = text.n == 0 ? word
				   : ks_arena_fmt(p->tmp, "%.*s+%.*s", (int)text.n, text.p,
						  (int)word.n, word.p);
		if (text.n > LIMITER_BYTES)
			return text;
	}
	return text;
}

struct ks_msg ks_decided_finding(struct ks_pen *p, const struct ks_msg *finding)
{
	struct ks_msg m = *finding;

	if (p->lang != KS_LANG_ZH || m.n <= KS_FINDING_LIMITER || m.arg[KS_FINDING_LIMITER].n == 0)
		return m;
	ks_str *arg = KS_ARENA_NEWS(p->tmp, ks_str, m.n);

	if (arg == NULL)
		return m;
	memcpy(arg, m.arg, m.n * sizeof(*arg));
	arg[KS_FINDING_LIMITER] = ks_decided_limiter(p, arg[KS_FINDING_LIMITER]);
	m.arg = arg;
	return m;
}

/* --- verdicts -----------------------------------------------------------------------------------
 */

static bool among(const ks_str *list, size_t n, ks_str s)
{
	for (size_t i = 0; i < n; i++)
		if (ks_str_eq(list[i], s))
			return true;
	return false;
}

ks_str ks_decided_conclusion(struct ks_pen *p, const struct ks_packet *k)
{
	size_t refused = 0, soft = 0, named = 0;
	ks_str code[CODES_NAMED] = { KS_STR_NONE };

	for (size_t i = 0; i < k->n_verdicts; i++) {
		const struct ks_verdict_row *v = &k->verdict[i];

		soft += v->status == KS_VERDICT_STATUS_SOFT;
		if (v->status != KS_VERDICT_STATUS_REFUSED)
			continue;
		refused++;
		if (v->refused != NULL && named < CODES_NAMED &&
		    !among(code, named, ks_refused_slug(v->refused)))
			code[named++] = ks_refused_slug(v->refused);
	}
	if (k->n_verdicts == 0)
		return KS_PEN_WORD(p, KS_TEXT_R_S_NO_VERDICTS);
	if (refused == 0)
		return KS_PEN_SAY(p, soft > 0 ? KS_TEXT_R_S_ALL_HOLD_WEAK : KS_TEXT_R_S_ALL_HOLD,
				  ks_pen_u64(p, k->n_verdicts), ks_pen_u64(p, soft));
	return KS_PEN_SAY(p, KS_TEXT_R_S_CONCLUSION, ks_pen_u64(p, refused),
			  ks_pen_u64(p, k->n_verdicts), ks_decided_list(p, code, named),
			  ks_pen_u64(p, k->n_verdicts - refused), named > 0 ? code[0] : KS_LIT(""));
}

ks_str ks_decided_value(struct ks_pen *p, const struct ks_value *v, enum ks_unit unit, ks_str other)
{
	const ks_str symbol = other.n > 0 ? other : ks_str_c(ks_unit_info(unit)->symbol);

	if (v->kind == KS_V_NONE)
		return KS_PEN_WORD(p, KS_TEXT_R_UNREADABLE);
	const ks_str number = ks_pen_value(p, v);

	return symbol.n == 0 ? number : ks_pen_cat(p, ks_pen_cat(p, number, KS_LIT(" ")), symbol);
}

ks_str ks_decided_premise(const struct ks_pen *p, const struct ks_premise_row *row)
{
	return row->id == KS_PREMISE_NONE ? row->name
					  : ks_str_c(ks_premise_info(row->id)->label[p->lang]);
}

/* --- codes --------------------------------------------------------------------------------------
 */

const struct ks_refused *ks_decided_refused(const struct ks_verdicts *vd,
					    const struct ks_next *next)
{
	for (size_t i = 0; i < vd->n; i++)
		if (ks_str_eq(vd->row[i].name, next->for_name))
			return vd->row[i].refused;
	for (size_t i = 0; next->slug.n > 0 && i < vd->n_unmeasured; i++)
		if (ks_str_eq(vd->unmeasured[i].slug, next->slug))
			return vd->unmeasured[i].first;
	return NULL;
}

const struct ks_packet_remedy *ks_decided_remedy(const struct ks_packet *k, enum ks_refusal code,
						 ks_str slug)
{
	for (size_t i = 0; i < k->n_remedies; i++)
		if (slug.n > 0 ? ks_str_eq(k->remedy[i].slug, slug) : k->remedy[i].code == code)
			return &k->remedy[i];
	return NULL;
}

ks_str ks_decided_cost(struct ks_pen *p, const struct ks_packet *k, enum ks_refusal code,
		       ks_str slug)
{
	const struct ks_packet_remedy *r = ks_decided_remedy(k, code, slug);
	const struct ks_refusal_info *info = ks_refusal_info(code);

	if (info->later)
		return KS_LIT("");
	if (r == NULL)
		return ks_pen_cost(p, info->cost_kind, info->cost_s);
	const ks_str cost = ks_pen_cost(p, r->cost_kind, r->cost_s);

	return r->degraded ? KS_PEN_SAY(p, KS_TEXT_R_S_DEGRADED, cost) : cost;
}

ks_str ks_decided_way(struct ks_pen *p, const struct ks_packet *k, const struct ks_unmeasured *u)
{
	const struct ks_packet_remedy *r = ks_decided_remedy(k, u->code, u->slug);
	const struct ks_refusal_info *info = ks_refusal_info(u->code);
	const enum ks_cost_kind kind = r != NULL ? r->cost_kind : info->cost_kind;
	const double cost_s = r != NULL ? r->cost_s : info->cost_s;

	if (kind == KS_COST_IMPOSSIBLE)
		return KS_PEN_WORD(p, KS_TEXT_R_S_BUCKET_BLOCKED);
	if (info->later)
		return KS_PEN_WORD(p, KS_TEXT_R_S_BUCKET_LATER);
	/* the packet leaves a long command out; there is one all the same */
	if ((r != NULL && r->command.n > 0) || info->command[0] != '\0')
		return KS_PEN_WORD(p, KS_TEXT_R_S_BUCKET_COMMAND);
	if (kind == KS_COST_WALL && cost_s <= 0.0)
		return KS_PEN_WORD(p, KS_TEXT_R_S_BUCKET_AS_IT_IS);
	return KS_PEN_WORD(p, KS_TEXT_R_S_BUCKET_COLLECT);
}
