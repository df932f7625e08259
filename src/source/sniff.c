/* SPDX-License-Identifier: Apache-2.0
 *
 * What a file is, by its first bytes; the name only tells the two native Nsight Systems endings
 * apart. Reads at most one page and never a device, so that a wrong file costs nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/str.h"
#include "source/nsys.h"

enum { SNIFF_BYTES = 512 };

struct magic {
	const char *bytes;
	size_t n;
	enum ks_input_kind kind;
};

/* SQLite: sqlite.org/fileformat.html §1.3. NVR: contract 07 §1. The native report's first words
 * were read off two public reports, a .qdrep of 2021 and a .nsys-rep of 2026. */
static const struct magic magics[] = {
	{ "SQLite format 3", 16, KS_INPUT_SQLITE }, /* with its NUL */
	{ "NVIDIA Tegra Profiler Report ", 29, KS_INPUT_NSYS_REP },
	{ "NVR", 4, KS_INPUT_NCU_REP }, /* with its NUL */
	{ "\x1f\x8b", 2, KS_INPUT_GZIP },
	{ "\x7f"
	  "ELF",
	  4, KS_INPUT_ELF },
};

static bool looks_like_json(const char *p, size_t n)
{
	size_t i = 0;

	if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < n && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r' || p[i] == '\n'))
		i++;
	return i < n && (p[i] == '{' || p[i] == '[');
}

static enum ks_input_kind kind_of_bytes(const char *path, const char *p, size_t n)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(magics); i++) {
		if (n < magics[i].n || memcmp(p, magics[i].bytes, magics[i].n) != 0)
			continue;
		if (magics[i].kind == KS_INPUT_NSYS_REP && ks_str_ends(ks_str_c(path), ".qdrep"))
			return KS_INPUT_QDREP;
		return magics[i].kind;
	}
	return looks_like_json(p, n) ? KS_INPUT_JSON : KS_INPUT_OTHER;
}

enum ks_input_kind ks_input_sniff(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == EACCES ? KS_INPUT_UNREADABLE : KS_INPUT_MISSING;
	if (S_ISDIR(st.st_mode))
		return KS_INPUT_DIRECTORY;
	if (!S_ISREG(st.st_mode))
		return KS_INPUT_OTHER; /* opening a FIFO would wait for its writer */
	if (st.st_size == 0)
		return KS_INPUT_EMPTY;

	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return errno == ENOENT ? KS_INPUT_MISSING : KS_INPUT_UNREADABLE;

	char head[SNIFF_BYTES];
	const ssize_t got = pread(fd, head, sizeof(head), 0);

	close(fd);
	if (got < 0)
		return KS_INPUT_UNREADABLE;
	return kind_of_bytes(path, head, (size_t)got);
}

/* The path with a new ending, for a command a person can paste. */
static const char *with_ending(char *out, size_t size, const char *path, const char *ending)
{
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash ? slash : path, '.');
	const size_t stem = dot ? (size_t)(dot - path) : strlen(path);

	snprintf(out, size, "%.*s%s", (int)(stem < size ? stem : size - 1), path, ending);
	return out;
}

const char *ks_input_quoted(char *out, size_t size, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:,@%=";

	if (word[0] && word[strspn(word, plain)] == '\0' && word[0] != '-') {
		snprintf(out, size, "%s", word);
		return out;
	}

	size_t n = 0;

	if (word[0] == '-') /* a file, not an option */
		n += (size_t)snprintf(out, size, "./");
	out[n++] = '\'';
	for (const char *p = word; *p && n + 6 < size; p++) {
		if (*p == '\'') {
			memcpy(out + n, "'\\''", 4);
			n += 4;
		} else {
			out[n++] = *p;
		}
	}
	out[n++] = '\'';
	out[n] = '\0';
	return out;
}

enum ks_status ks_input_explain_export(int text, const char *path, struct ks_err *err)
{
	char target[KS_ERR_ARG_LEN];
	char quoted[2][KS_ERR_ARG_LEN];

	with_ending(target, sizeof(target), path, ".sqlite");
	return ks_err_set(err, text == KS_TEXT_ERR_SRC_NSYS_REP ? KS_E_INPUT : KS_E_ENV, text, path,
			  ks_input_quoted(quoted[0], sizeof(quoted[0]), target),
			  ks_input_quoted(quoted[1], sizeof(quoted[1]), path), (char *)NULL);
}

static enum ks_status explain_unreadable(const char *path, struct ks_err *err)
{
	char name[32];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const int why = fd < 0 ? errno : EIO;

	if (fd >= 0)
		close(fd);
	return ks_err_set(err, KS_E_INPUT,
			  why == EACCES || why == EPERM ? KS_TEXT_ERR_IN_DENIED
							: KS_TEXT_ERR_SRC_READ,
			  path, ks_err_errno(name, why), (char *)NULL);
}

static enum ks_status explain_other(const char *path, struct ks_err *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NOT_REGULAR, path, (char *)NULL);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_NOT_SQLITE, path, (char *)NULL);
}

enum ks_status ks_input_explain(enum ks_input_kind kind, const char *path, struct ks_err *err)
{
	static const int text_of[] = {
		[KS_INPUT_JSON] = KS_TEXT_ERR_SRC_JSON,
		[KS_INPUT_NCU_REP] = KS_TEXT_ERR_SRC_NCU_REP,
		[KS_INPUT_EMPTY] = KS_TEXT_ERR_SRC_EMPTY,
		[KS_INPUT_DIRECTORY] = KS_TEXT_ERR_IN_DIRECTORY,
		[KS_INPUT_MISSING] = KS_TEXT_ERR_IN_MISSING,
		[KS_INPUT_GZIP] = KS_TEXT_ERR_SRC_GZIP,
		[KS_INPUT_ELF] = KS_TEXT_ERR_SRC_ELF,
	};
	char quoted[KS_ERR_ARG_LEN];

	if (kind == KS_INPUT_NSYS_REP || kind == KS_INPUT_QDREP)
		ks_input_explain_export(KS_TEXT_ERR_SRC_NSYS_REP, path, err);
	else if (kind == KS_INPUT_UNREADABLE)
		explain_unreadable(path, err);
	else if ((size_t)kind >= KS_ARRAY_LEN(text_of) || !text_of[kind])
		explain_other(path, err);
	else
		ks_err_set(err, KS_E_INPUT, text_of[kind], path,
			   ks_input_quoted(quoted, sizeof(quoted), path), (char *)NULL);
	ks_err_at(err, path, -1);
	return err ? err->status : KS_E_INPUT;
}
