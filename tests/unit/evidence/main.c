/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of evidence/, one group per module, and holds the helpers they share.
 */
#include "all.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

void bench_start(struct bench *b)
{
	ks_arena_init(&b->arena, 64u << 20);
	b->ev = ks_store_open(&b->arena);
	assert_non_null(b->ev);
}

void bench_end(struct bench *b)
{
	ks_arena_release(&b->arena);
}

ks_id given_count(struct bench *b, int64_t launches)
{
	const struct ks_ev_spec spec = {
		.metric = KS_METRIC_KS_LAUNCH_COUNT,
		.subject = KS_LIT("k"),
		.origin = { KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL"), KS_LIT("start"),
			    (uint64_t)launches },
	};

	return ks_ev_exact(b->ev, &spec, KS_VAL_INT(launches));
}

ks_id given_total(struct bench *b, double ms)
{
	const struct ks_ev_spec spec = {
		.metric = KS_METRIC_GPU_TIME_DURATION_SUM,
		.subject = KS_LIT("k"),
		.origin = { KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL"), KS_LIT("start,end"), 5 },
	};

	return ks_ev_exact(b->ev, &spec, KS_VAL_REAL(ms));
}

ks_id given_refusal(struct bench *b, enum ks_metric metric, enum ks_refusal code)
{
	return ks_ev_refuse(b->ev, &(struct ks_ev_spec){ .metric = metric, .subject = KS_LIT("k") },
			    &(struct ks_refuse_spec){ .code = code });
}

ks_id given_derived(struct bench *b, enum ks_metric metric, double v, const ks_id *input, size_t n)
{
	const struct ks_ev_spec spec = {
		.metric = metric,
		.subject = KS_LIT("k"),
		.inputs = input,
		.n_inputs = n,
	};

	return ks_ev_derived(b->ev, &spec, KS_VAL_REAL(v));
}

void expect_str(ks_str s, const char *text)
{
	if (!ks_str_eqc(s, text))
		fail_msg("\"%.*s\" is not \"%s\"", (int)s.n, s.p ? s.p : "", text);
}

void expect_double(double v, double want)
{
	if (!(fabs(v - want) <= 1e-15 * fabs(want)))
		fail_msg("%.17g is not %.17g", v, want);
}

void expect_real(struct bench *b, ks_id id, double v, enum ks_unit unit, enum ks_prov prov)
{
	const struct ks_ev *row = ks_ev_get(b->ev, id);

	assert_non_null(row);
	assert_null(row->refused);
	assert_int_equal(row->value.kind, KS_V_REAL);
	expect_double(row->value.d, v);
	assert_int_equal(row->unit, unit);
	assert_int_equal(row->prov, prov);
}

void expect_refused(struct bench *b, ks_id id, enum ks_refusal code)
{
	const struct ks_ev *row = ks_ev_get(b->ev, id);

	assert_non_null(row);
	assert_int_equal(row->prov, KS_PROV_UNAVAILABLE);
	assert_int_equal(row->value.kind, KS_V_NONE);
	assert_false(row->has_resolution);
	assert_non_null(row->refused);
	assert_int_equal(row->refused->code, code);
}

#ifdef KS_DEBUG
static void expect_abort(ks_id (*make)(struct bench *b))
{
	pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (pid == 0) {
		struct bench b;

		(void)close(2); /* the message of the abort is not a finding */
		(void)signal(SIGABRT, SIG_DFL);
		bench_start(&b);
		(void)make(&b);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}
#endif

void expect_broken(ks_id (*make)(struct bench *b), const char *rule)
{
#ifdef KS_DEBUG
	(void)rule;
	expect_abort(make);
#else
	struct bench b;

	bench_start(&b);
	ks_id id = make(&b);

	expect_refused(&b, id, KS_REFUSAL_INTERNAL_UNKNOWN);
	expect_str(ks_ev_get(b.ev, id)->refused->rule, rule);
	assert_int_equal(ks_store_status(b.ev, NULL), KS_OK);
	bench_end(&b);
#endif
}

int main(void)
{
	return test_value() + test_unit() + test_names() + test_store() + test_refuse() +
	       test_share() + test_lineage() + test_ratio() + test_run_row() + test_throttle();
}
