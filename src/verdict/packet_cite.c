/* SPDX-License-Identifier: Apache-2.0
 *
 * The codes of a packet and what to do about each: every code that is named anywhere is found
 * either among the remedies or in the list of omitted ones, whatever was trimmed.
 */
#include "base/arena.h"
#include "base/str.h"
#include "verdict/packet_internal.h"

static struct ks_packet_remedy *remedy_for(struct ks_packet_work *w, ks_str slug)
{
	for (size_t i = 0; i < w->n_all; i++)
		if (ks_str_eq(w->p->remedy[i].slug, slug))
			return NULL; /* the first one that names a code tells what to do */
	return &w->p->remedy[w->n_all++];
}

/* A command is shown whole or not at all. */
static ks_str whole(ks_str command)
{
	return ks_clip_view(command, KS_CLIP_CMD).n == command.n ? command : KS_STR_NONE;
}

static void add_refused(struct ks_packet_work *w, const struct ks_refused *r)
{
	struct ks_packet_remedy *m = r ? remedy_for(w, ks_refused_slug(r)) : NULL;
	struct ks_buf b;

	if (!m)
		return;
	ks_buf_init(&b, 1u << 26); /* room for the longest name */
	ks_refused_action(r, (enum ks_lang)w->ctx->doc_lang, &b);
	*m = (struct ks_packet_remedy){
		.code = r->code,
		.slug = ks_refused_slug(r),
		.action = ks_clip(w->arena, ks_buf_keep(&b, w->arena), KS_CLIP_ACTION),
		.command = whole(r->remedy.command),
		.cost_kind = r->remedy.cost_kind,
		.cost_s = r->remedy.cost_s,
		.degraded = r->severity == KS_SEV_DEGRADED,
	};
	ks_buf_release(&b);
}

static void add_code(struct ks_packet_work *w, ks_str slug)
{
	enum ks_refusal code = KS_REFUSAL_INTERNAL_UNKNOWN;
	struct ks_packet_remedy *m = remedy_for(w, slug);

	if (!m)
		return;
	*m = (struct ks_packet_remedy){ .slug = slug, .code = code, .cost_kind = KS_COST_MANUAL };
	if (!ks_refusal_find(slug, &code))
		return;
	const struct ks_refusal_info *info = ks_refusal_info(code);

	m->code = code;
	m->action = ks_clip(w->arena, ks_str_c(info->action[w->ctx->doc_lang]), KS_CLIP_ACTION);
	m->command = whole(ks_store_command(w->ev, code, KS_STR_NONE));
	m->cost_kind = info->cost_kind;
	m->cost_s = info->cost_s;
	m->degraded = info->severity == KS_SEV_DEGRADED;
}

bool ks_packet_add_remedies(struct ks_packet_work *w, const struct ks_verdicts *v)
{
	const struct ks_packet *p = w->p;
	size_t most = v->n + v->n_unmeasured + v->n_blocked_by + p->n_env + p->n_more_env_codes;

	w->p->remedy = KS_ARENA_NEWS(w->arena, struct ks_packet_remedy, most);
	w->p->omitted_code = KS_ARENA_NEWS(w->arena, ks_str, most);
	if (!w->p->remedy || !w->p->omitted_code)
		return false;
	for (size_t i = 0; i < v->n; i++)
		add_refused(w, v->row[i].refused);
	for (size_t i = 0; i < v->n_unmeasured; i++)
		add_refused(w, v->unmeasured[i].first);
	for (size_t i = 0; i < v->n_blocked_by; i++)
		add_code(w, v->blocked_by[i]);
	for (size_t i = 0; i < p->n_env; i++)
		add_code(w, p->env[i].slug);
	for (size_t i = 0; i < p->n_more_env_codes; i++)
		add_code(w, p->more_env_code[i]);
	w->p->n_remedies = w->n_all;
	return true;
}

bool ks_packet_is_cited(const struct ks_packet *p, ks_str slug)
{
	const struct ks_verdicts *v = p->report->verdicts;
	bool cited = false;

	for (size_t i = 0; i < p->n_verdicts; i++)
		cited = cited || (p->verdict[i].refused &&
				  ks_str_eq(ks_refused_slug(p->verdict[i].refused), slug));
	for (size_t i = 0; i < p->n_groups; i++)
		cited = cited || ks_str_eq(p->group[i].slug, slug);
	for (size_t i = 0; i < p->n_next_written; i++)
		cited = cited || ks_str_eq(p->next[i].slug, slug);
	for (size_t i = 0; i < p->n_env; i++)
		cited = cited || ks_str_eq(p->env[i].slug, slug);
	for (size_t i = 0; i < p->n_more_env_codes; i++)
		cited = cited || ks_str_eq(p->more_env_code[i], slug);
	for (size_t i = 0; i < v->n_blocked_by; i++)
		cited = cited || ks_str_eq(v->blocked_by[i], slug);
	return cited;
}

static int weight(const struct ks_packet_remedy *m)
{
	if (!m->cited)
		return 2;
	return m->command.n > 0 ? 0 : 1;
}

static bool comes_before(const struct ks_packet_remedy *a, const struct ks_packet_remedy *b)
{
	if (weight(a) != weight(b))
		return weight(a) < weight(b);
	return ks_str_cmp(a->slug, b->slug) < 0;
}

void ks_packet_cite(struct ks_packet_work *w)
{
	struct ks_packet *p = w->p;

	for (size_t i = 0; i < w->n_all; i++)
		p->remedy[i].cited = ks_packet_is_cited(p, p->remedy[i].slug);
	/* Shown ones are only put in order among themselves: what was omitted stays omitted. */
	for (size_t from = 0, to = p->n_remedies; from < w->n_all; from = to, to = w->n_all) {
		for (size_t i = from + 1; i < to; i++) {
			struct ks_packet_remedy x = p->remedy[i];
			size_t j = i;

			for (; j > from && comes_before(&x, &p->remedy[j - 1]); j--)
				p->remedy[j] = p->remedy[j - 1];
			p->remedy[j] = x;
		}
	}
	p->n_omitted = w->n_all - p->n_remedies;
	for (size_t i = 0; i < p->n_omitted; i++)
		p->omitted_code[i] = p->remedy[p->n_remedies + i].slug;
	p->n_omitted_listed = p->n_omitted;
}
