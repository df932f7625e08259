/* SPDX-License-Identifier: Apache-2.0
 *
 * Which names name steps, and which steps stand out: the first, those that warm up, outliers.
 * Judges by length alone.
 */
#include "analyze/ranges_internal.h"

#include <math.h>

#include "base/num.h"

#define MAD_TO_SIGMA 1.4826 /* MAD of a normal distribution is its deviation / 1.4826 */
#define SIGMAS	     3.0
#define LEAST_EXCESS 0.05 /* of the median: less is no outlier however even the rest */

static const char *const words[] = {
#define KS_STEP_WORD(word, why) word,
#include "tables/step_words.def"
#undef KS_STEP_WORD
};

/* --- names ---------------------------------------------------------------------------------------
 */

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static char lower(char c)
{
	return is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

/* A letter next to a word is part of it, but for trainStep: lower case, then upper case. */
static bool splits(char before, char after)
{
	const bool letters[2] = { is_upper(before) || is_lower(before),
				  is_upper(after) || is_lower(after) };

	return !letters[0] || !letters[1] || (is_lower(before) && is_upper(after));
}

static bool has_word(ks_str s, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.n; i++) {
		size_t k = 0;

		while (k < n && lower(s.p[i + k]) == word[k])
			k++;
		if (k == n && (i == 0 || splits(s.p[i - 1], s.p[i])) &&
		    (i + n == s.n || splits(s.p[i + n - 1], s.p[i + n])))
			return true;
	}
	return false;
}

bool ks_steps_has_word(ks_str s)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(words); i++) {
		if (has_word(s, words[i]))
			return true;
	}
	return false;
}

/* --- marks ---------------------------------------------------------------------------------------
 */

/* Median of the lengths, and by how much a step may differ from it. */
static void usual(const struct ks_step *step, size_t n, double *v, double *mid, double *most)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (double)(step[i].end_ns - step[i].start_ns);
	*mid = ks_num_median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - *mid);
	*most = SIGMAS * MAD_TO_SIGMA * ks_num_median(v, n);
	if (*most < LEAST_EXCESS * *mid)
		*most = LEAST_EXCESS * *mid;
}

/* The first stands apart; what follows it and is longer than the later half allows warms up; of the
 * rest those that differ too much are outliers. v has room for n. */
void ks_steps_mark(struct ks_step *step, struct ks_steps *out, double *v)
{
	const size_t n = out->n;
	double mid, most;
	size_t at = 1;

	step[0].mark = KS_STEP_FIRST;
	usual(step + n / 2, n - n / 2, v, &mid, &most);
	for (; at < n / 2 && (double)(step[at].end_ns - step[at].start_ns) > mid + most; at++)
		step[at].mark = KS_STEP_WARMUP;
	out->n_warmup = at - 1;
	out->n_outliers = 0;
	usual(step + at, n - at, v, &mid, &most);
	for (; at < n; at++) {
		const bool out_of_line =
			fabs((double)(step[at].end_ns - step[at].start_ns) - mid) > most;

		step[at].mark = out_of_line ? KS_STEP_OUTLIER : KS_STEP_PLAIN;
		out->n_outliers += out_of_line;
	}
}
