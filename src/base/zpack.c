/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks wait in a ring; workers and, while it has nothing else to do, the caller take the oldest
 * that nobody works on. Only states are shared: a block belongs to one thread at a time.
 */
#include "base/zpack.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <zlib.h>

#include "base/mem.h"

#define SLOTS	     8
#define MOST_WORKERS KS_ZPACK_WORKERS
/* Level 1 of 9, measured on the timeline of a million launches: 21 MB of 79 in 0.85 s; level 3
 * takes twice the time for 7 % less. Nothing but the level matters as much as 2 %. */
#define LEVEL	     1
#define WINDOW_BITS  15
#define MEMORY_LEVEL 8

enum state { EMPTY, WAITING, TAKEN, READY };

struct slot {
	enum state state;
	size_t n, n_out;
	bool failed;
	unsigned char *in, *out;
};

struct packer { /* what a thread deflates with */
	struct ks_zpack *z;
	z_stream stream;
	bool open;
	pthread_t thread;
};

struct ks_zpack {
	ks_zpack_put *put;
	void *arg;
	size_t out_bytes;
	struct slot slot[SLOTS];
	uint64_t first, next; /* blocks handed out, handed over; the caller's alone */
	struct packer own, worker[MOST_WORKERS];
	unsigned n_workers;
	pthread_mutex_t lock;
	pthread_cond_t work, ready;
	bool stop;
};

/* --- one block -----------------------------------------------------------------------------------
 */

static bool packer_open(struct packer *p, struct ks_zpack *z)
{
	p->z = z;
	p->open = deflateInit2(&p->stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
			       Z_DEFAULT_STRATEGY) == Z_OK;
	return p->open;
}

static void pack(struct packer *p, struct slot *s)
{
	s->failed = deflateReset(&p->stream) != Z_OK;
	if (s->failed)
		return;
	p->stream.next_in = s->in;
	p->stream.avail_in = (uInt)s->n;
	p->stream.next_out = s->out;
	p->stream.avail_out = (uInt)p->z->out_bytes;
	s->failed = deflate(&p->stream, Z_FINISH) != Z_STREAM_END;
	s->n_out = p->z->out_bytes - p->stream.avail_out;
}

/* Under the lock: the oldest block that waits; NULL. */
static struct slot *take(struct ks_zpack *z)
{
	struct slot *oldest = NULL;

	for (unsigned i = 0; i < SLOTS && !oldest; i++) {
		struct slot *s = &z->slot[(z->first + i) % SLOTS];

		if (s->state == WAITING)
			oldest = s;
	}
	if (oldest)
		oldest->state = TAKEN;
	return oldest;
}

static void *work(void *arg)
{
	struct packer *p = arg;
	struct ks_zpack *z = p->z;

	(void)pthread_mutex_lock(&z->lock);
	while (!z->stop) {
		struct slot *s = take(z);

		if (!s) {
			(void)pthread_cond_wait(&z->work, &z->lock);
			continue;
		}
		(void)pthread_mutex_unlock(&z->lock);
		pack(p, s);
		(void)pthread_mutex_lock(&z->lock);
		s->state = READY;
		(void)pthread_cond_signal(&z->ready);
	}
	(void)pthread_mutex_unlock(&z->lock);
	return NULL;
}

/* --- life ----------------------------------------------------------------------------------------
 */

static unsigned processors(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* Workers take no signals: whoever interrupts the program means the caller's thread. */
static void start_workers(struct ks_zpack *z, unsigned workers)
{
	const unsigned spare = processors() - 1;
	sigset_t all, before;

	if (workers > spare)
		workers = spare;
	if (workers > MOST_WORKERS)
		workers = MOST_WORKERS;
	if (workers == 0 || sigfillset(&all) != 0 || pthread_sigmask(SIG_SETMASK, &all, &before))
		return;
	while (z->n_workers < workers) {
		struct packer *p = &z->worker[z->n_workers];

		if (!packer_open(p, z) || pthread_create(&p->thread, NULL, work, p) != 0)
			break;
		z->n_workers++;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct ks_zpack *ks_zpack_open(ks_zpack_put *put, void *arg, unsigned workers)
{
	struct ks_zpack *z = ks_mem_alloc(sizeof(*z));

	if (!z)
		return NULL;
	z->put = put;
	z->arg = arg;
	(void)pthread_mutex_init(&z->lock, NULL);
	(void)pthread_cond_init(&z->work, NULL);
	(void)pthread_cond_init(&z->ready, NULL);
	bool whole = packer_open(&z->own, z);

	if (whole)
		z->out_bytes = deflateBound(&z->own.stream, KS_ZPACK_BLOCK);
	for (unsigned i = 0; i < SLOTS && whole; i++) {
		z->slot[i].in = ks_mem_alloc(KS_ZPACK_BLOCK);
		z->slot[i].out = ks_mem_alloc(z->out_bytes);
		whole = z->slot[i].in && z->slot[i].out;
	}
	if (!whole) {
		ks_zpack_close(z);
		return NULL;
	}
	start_workers(z, workers);
	return z;
}

void ks_zpack_close(struct ks_zpack *z)
{
	if (!z)
		return;
	(void)pthread_mutex_lock(&z->lock);
	z->stop = true;
	(void)pthread_cond_broadcast(&z->work);
	(void)pthread_mutex_unlock(&z->lock);
	for (unsigned i = 0; i < z->n_workers; i++)
		(void)pthread_join(z->worker[i].thread, NULL);
	for (unsigned i = 0; i < MOST_WORKERS; i++) {
		if (z->worker[i].open)
			(void)deflateEnd(&z->worker[i].stream);
	}
	if (z->own.open)
		(void)deflateEnd(&z->own.stream);
	for (unsigned i = 0; i < SLOTS; i++) {
		ks_mem_free(z->slot[i].in);
		ks_mem_free(z->slot[i].out);
	}
	(void)pthread_cond_destroy(&z->ready);
	(void)pthread_cond_destroy(&z->work);
	(void)pthread_mutex_destroy(&z->lock);
	ks_mem_free(z);
}

/* --- blocks in and out ---------------------------------------------------------------------------
 */

/* Hands out the oldest block; works on a waiting one rather than wait for it. */
static enum ks_status hand_out(struct ks_zpack *z, struct ks_err *err)
{
	struct slot *s = &z->slot[z->first % SLOTS];

	(void)pthread_mutex_lock(&z->lock);
	while (s->state != READY) {
		struct slot *mine = take(z);

		if (!mine) {
			(void)pthread_cond_wait(&z->ready, &z->lock);
			continue;
		}
		(void)pthread_mutex_unlock(&z->lock);
		pack(&z->own, mine);
		(void)pthread_mutex_lock(&z->lock);
		mine->state = READY;
	}
	s->state = EMPTY;
	z->first++;
	(void)pthread_mutex_unlock(&z->lock);
	if (s->failed)
		return ks_err_set(err, KS_E_ENV, KS_BASE_TEXT_ERR_NO_MEMORY, "deflate", NULL);
	z->put(z->arg, s->out, s->n_out);
	return KS_OK;
}

enum ks_status ks_zpack_add(struct ks_zpack *z, const void *p, size_t n, struct ks_err *err)
{
	BUG_ON(n == 0 || n > KS_ZPACK_BLOCK);
	if (z->next - z->first == SLOTS)
		KS_TRY(hand_out(z, err));
	struct slot *s = &z->slot[z->next++ % SLOTS];

	memcpy(s->in, p, n);
	s->n = n;
	(void)pthread_mutex_lock(&z->lock);
	s->state = WAITING;
	(void)pthread_cond_signal(&z->work);
	(void)pthread_mutex_unlock(&z->lock);
	return KS_OK;
}

enum ks_status ks_zpack_flush(struct ks_zpack *z, struct ks_err *err)
{
	while (z->first < z->next)
		KS_TRY(hand_out(z, err));
	return KS_OK;
}
