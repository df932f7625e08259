/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorting of records of W words in place, and taking the least of several runs; included once per W
 * by base/sorter.c alone. Needs no memory beside the records. Not a header for anybody else.
 */
#define NAME_(f, w) f##w
#define NAME(f, w)  NAME_(f, w)
#define REC	    struct NAME(rec, W)
#define FN(f)	    NAME(f##_, W)

REC
{
	int64_t w[W];
};

static inline bool FN(less)(const REC *a, const REC *b)
{
	if (a->w[0] != b->w[0])
		return a->w[0] < b->w[0];
	for (unsigned i = 1; i < W; i++) {
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i];
	}
	return false;
}

static inline void FN(swap)(REC *a, REC *b)
{
	const REC t = *a;

	*a = *b;
	*b = t;
}

/* Insertion sort that gives up when a record lies more than `reach` places off; true = sorted. Rows
 * of a trace are written in bursts, so most inputs end here. */
static bool FN(insert)(REC *a, size_t n, size_t reach)
{
	for (size_t i = 1; i < n; i++) {
		if (!FN(less)(&a[i], &a[i - 1]))
			continue;

		const REC moved = a[i];
		const size_t stop = i > reach ? i - reach : 0;
		size_t j = i;

		do {
			a[j] = a[j - 1];
			j--;
		} while (j > stop && FN(less)(&moved, &a[j - 1]));
		a[j] = moved;
		if (j == stop && j > 0 && FN(less)(&moved, &a[j - 1]))
			return false;
	}
	return true;
}

static void FN(sift)(REC *a, size_t at, size_t n)
{
	const REC moved = a[at];

	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && FN(less)(&a[child], &a[child + 1]))
			child++;
		if (!FN(less)(&moved, &a[child]))
			break;
		a[at] = a[child];
	}
	a[at] = moved;
}

/* For ranges on which quicksort does badly: always n log n. */
static void FN(heapsort)(REC *a, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		FN(sift)(a, i, n);
	for (size_t i = n; i-- > 1;) {
		FN(swap)(&a[0], &a[i]);
		FN(sift)(a, 0, i);
	}
}

/* Puts the median of a[0], b[0], c[0] into b. */
static void FN(median)(REC *a, REC *b, REC *c)
{
	if (FN(less)(b, a))
		FN(swap)(a, b);
	if (FN(less)(c, b)) {
		FN(swap)(b, c);
		if (FN(less)(b, a))
			FN(swap)(a, b);
	}
}

/* Hoare's partition about the median of three: every record before the returned place is <= every
 * record from it on; both sides hold at least one. */
static size_t FN(split)(REC *a, size_t n)
{
	FN(median)(&a[0], &a[n / 2], &a[n - 1]);

	const REC pivot = a[n / 2];
	size_t lo = 0, hi = n - 1;

	for (;;) {
		do
			lo++;
		while (FN(less)(&a[lo], &pivot));
		do
			hi--;
		while (FN(less)(&pivot, &a[hi]));
		if (lo >= hi)
			return lo;
		FN(swap)(&a[lo], &a[hi]);
	}
}

/* The range is cut until it is small; the larger part waits, so the stack stays below 64. */
static void FN(quicksort)(REC *a, size_t n)
{
	struct {
		REC *a;
		size_t n;
		unsigned left; /* splits before it counts as a bad case */
	} stack[64], now = { a, n, 0 };
	size_t depth = 0;

	for (size_t k = n; k > 1; k /= 2)
		now.left += 2;
	for (;;) {
		while (now.n > SMALL_RANGE && now.left > 0) {
			const size_t at = FN(split)(now.a, now.n);
			const bool left_smaller = at < now.n - at;

			now.left--;
			stack[depth] = now;
			stack[depth].a = left_smaller ? now.a + at : now.a;
			stack[depth++].n = left_smaller ? now.n - at : at;
			now.a = left_smaller ? now.a : now.a + at;
			now.n = left_smaller ? at : now.n - at;
		}
		if (now.n > SMALL_RANGE)
			FN(heapsort)(now.a, now.n);
		else
			(void)FN(insert)(now.a, now.n, SMALL_RANGE);
		if (depth == 0)
			return;
		now = stack[--depth];
	}
}

static void FN(sort)(int64_t *words, size_t n)
{
	REC *a = (REC *)(void *)words;

	if (n > 1 && !FN(insert)(a, n, NEAR_REACH))
		FN(quicksort)(a, n);
}

#undef REC
#undef FN
#undef NAME
#undef NAME_
#undef W
