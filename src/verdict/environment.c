/* SPDX-License-Identifier: Apache-2.0
 *
 * What was refused of the environment when a report was made. A clock that nobody read is unknown,
 * which is no refusal.
 */
#include "verdict/environment.h"

#include "base/str.h"

ks_str ks_clock_lock(const struct ks_report *r)
{
	const ks_str said = r->carried ? r->carried->clock_lock : KS_STR_NONE;

	if (ks_str_eqc(said, "locked") || ks_str_eqc(said, "unlocked"))
		return said;
	return KS_LIT("unknown");
}

static bool is_listed(const struct ks_env_refusal *env, size_t n, const char *slug)
{
	for (size_t i = 0; i < n; i++)
		if (ks_str_eqc(env[i].slug, slug))
			return true;
	return false;
}

const struct ks_env_refusal *ks_environment(const struct ks_report *r, enum ks_lang lang,
					    struct ks_arena *a, size_t *n)
{
	const struct ks_carried *c = r->carried;
	const size_t given = c ? c->n_env : 0;
	struct ks_env_refusal *env = KS_ARENA_NEWS(a, struct ks_env_refusal, given + 1);
	const char *unlocked = ks_refusal_info(KS_REFUSAL_CLOCK_NOT_LOCKED)->slug;

	*n = 0;
	for (size_t i = 0; env && i < given; i++) {
		env[*n] = c->env[i];
		if (!ks_refused_is_slug(env[*n].slug))
			env[*n].slug = ks_str_c(ks_refusal_info(KS_REFUSAL_INTERNAL_UNKNOWN)->slug);
		(*n)++;
	}
	if (env && ks_str_eqc(ks_clock_lock(r), "unlocked") && !is_listed(env, *n, unlocked))
		env[(*n)++] = (struct ks_env_refusal){
			ks_str_c(unlocked), ks_str_c(ks_text_get(KS_TEXT_DC_ENV_CLOCK, lang))
		};
	return env;
}
