/* SPDX-License-Identifier: Apache-2.0
 *
 * What to do next: the user's own steps, those of the host's owner, and a letter that asks for
 * them. A command is only given where it can be copied as it stands or with one name filled in.
 */
#include <limits.h>

#include "base/shell.h"
#include "base/str.h"
#include "verdict/diagnosis_internal.h"

static void add(struct ks_desk *k, bool host, struct ks_msg text, ks_str command)
{
	BUG_ON(k->d->n_steps >= KS_DIAGNOSIS_STEPS);
	if (k->d->n_steps < KS_DIAGNOSIS_STEPS)
		k->step[k->d->n_steps++] = (struct ks_todo){ host, text, command };
}

static void mine(struct ks_desk *k, enum ks_text id, const char *command)
{
	add(k, false, KS_DESK_WORD(k, id), ks_str_c(command));
}

static void theirs(struct ks_desk *k, enum ks_text id, const char *command)
{
	add(k, true, KS_DESK_WORD(k, id), ks_str_c(command));
}

static bool docker_like(const struct ks_host *h)
{
	return ks_str_eqc(h->container, "docker") || ks_str_eqc(h->container, "podman");
}

static const char *run_with(const struct ks_host *h, const char *docker, const char *podman)
{
	return ks_str_eqc(h->container, "podman") ? podman : docker;
}

static void gpu_steps(struct ks_desk *k)
{
	const struct ks_host *h = k->h;

	if (h->has_gpu != KS_KNOWN_NO)
		return;
	if (docker_like(h))
		mine(k, KS_TEXT_STEP_GPU_CONTAINER,
		     run_with(h, "docker run --gpus all IMAGE",
			      "podman run --device nvidia.com/gpu=all IMAGE"));
	else if (ks_str_eqc(h->container, "kubernetes"))
		mine(k, KS_TEXT_STEP_GPU_POD, "");
	mine(k, KS_TEXT_STEP_ANALYSE, "kernoscope report run.sqlite");
}

static void nsys_steps(struct ks_desk *k)
{
	if (k->h->tool[KS_TOOL_NSYS].path.n > 0)
		return;
	if (k->h->has_gpu != KS_KNOWN_NO)
		mine(k, KS_TEXT_STEP_INSTALL_NSYS, "apt-get install nsight-systems-cli");
	mine(k, KS_TEXT_STEP_EXPORT, "nsys export --type sqlite -o run.sqlite run.nsys-rep");
}

/* export PATH=FOLDER:"$PATH" */
static void path_step(struct ks_desk *k)
{
	const struct ks_tool_place *ncu = &k->h->tool[KS_TOOL_NCU];
	size_t n = ncu->path.n;

	if (n == 0 || ncu->in_path)
		return;
	while (n > 1 && ncu->path.p[n - 1] != '/')
		n--;
	const ks_str folder = ks_shell_quoted(k->a, (ks_str){ ncu->path.p, n - 1 }, PATH_MAX);

	if (folder.n > 0)
		add(k, false, KS_DESK_WORD(k, KS_TEXT_STEP_PATH),
		    ks_arena_fmt(k->a, "export PATH=%.*s:\"$PATH\"", (int)folder.n, folder.p));
}

static void probe_steps(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	const enum ks_counter_state s = k->d->counters;

	if (s == KS_COUNTER_STATE_NOT_INSTALLED && h->has_gpu != KS_KNOWN_NO)
		mine(k, KS_TEXT_STEP_INSTALL_NCU, "");
	path_step(k);
	if (h->probe == KS_PROBE_NOT_RUN && h->tool[KS_TOOL_NCU].path.n > 0)
		mine(k, KS_TEXT_STEP_PROBE, "kernoscope doctor");
	if (s == KS_COUNTER_STATE_DENIED && k->cap_in_bounds && h->uid != 0)
		mine(k, KS_TEXT_STEP_SUDO, "sudo kernoscope doctor");
}

static void slot_steps(struct ks_desk *k)
{
	if (k->h->cuda_injection.n > 0)
		mine(k, KS_TEXT_STEP_SLOT, "unset CUDA_INJECTION64_PATH");
	if (k->h->nvtx_injection.n > 0)
		mine(k, KS_TEXT_STEP_SLOT, "unset NVTX_INJECTION64_PATH");
}

/* A container that one starts oneself can be given the capability by oneself. */
static void container_steps(struct ks_desk *k)
{
	const struct ks_host *h = k->h;

	if (docker_like(h))
		mine(k, KS_TEXT_STEP_CAP_CONTAINER,
		     run_with(h, "docker run --gpus all --cap-add SYS_ADMIN IMAGE",
			      "podman run --device nvidia.com/gpu=all --cap-add SYS_ADMIN IMAGE"));
	else if (ks_str_eqc(h->container, "kubernetes"))
		mine(k, KS_TEXT_STEP_CAP_POD, "");
}

static void host_steps(struct ks_desk *k)
{
	if (k->d->counters == KS_COUNTER_STATE_DENIED) {
		theirs(k, KS_TEXT_STEP_MODPROBE,
		       "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
		       "/etc/modprobe.d/nvidia-profiling.conf");
		theirs(k, KS_TEXT_STEP_INITRAMFS, "sudo update-initramfs -u && sudo reboot");
		theirs(k, KS_TEXT_STEP_CAP_HOST, "");
	}
	if (k->h->perf_paranoid != KS_UNKNOWN && k->h->perf_paranoid > 2)
		theirs(k, KS_TEXT_STEP_PARANOID, "sudo sysctl kernel.perf_event_paranoid=2");
}

static ks_str gpu_name(const struct ks_desk *k)
{
	const struct ks_host *h = k->h;

	if (h->n_gpus > 0 && h->gpu[0].name.n > 0)
		return h->gpu[0].name;
	return KS_LIT("NVIDIA GPU");
}

/* Names the setting, every alternative and the evidence; says nothing of the user's machine that
 * its administrator could not see. */
static void write_letter(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	struct ks_msg *line = KS_ARENA_NEWS(k->a, struct ks_msg, KS_DIAGNOSIS_LINES);
	size_t n = 0;

	if (line == NULL || k->d->counters != KS_COUNTER_STATE_DENIED)
		return;
	line[n++] = KS_DESK_SAY(
		k, h->driver.n > 0 ? KS_TEXT_LETTER_LOCKED_DRIVER : KS_TEXT_LETTER_LOCKED,
		gpu_name(k), h->driver);
	if (h->admin_only == KS_KNOWN_YES)
		line[n++] = KS_DESK_SAY(k, KS_TEXT_LETTER_POLICY, h->params_path);
	if (h->probe == KS_PROBE_DENIED)
		line[n++] = KS_DESK_SAY(k, KS_TEXT_LETTER_PROBE, h->probe_name, h->probe_output);
	line[n++] = KS_DESK_WORD(k, KS_TEXT_LETTER_ASK);
	line[n++] = KS_DESK_WORD(k, KS_TEXT_LETTER_MODULE);
	line[n++] = KS_DESK_WORD(k, KS_TEXT_LETTER_CAPABILITY);
	line[n++] = KS_DESK_WORD(k, KS_TEXT_LETTER_NODE);
	line[n++] = KS_DESK_WORD(k, KS_TEXT_LETTER_RISK);
	line[n++] = KS_DESK_WORD(k, KS_TEXT_LETTER_SOURCE);
	k->d->letter = line;
	k->d->n_letter = n;
}

void ks_desk_steps(struct ks_desk *k)
{
	gpu_steps(k);
	nsys_steps(k);
	probe_steps(k);
	slot_steps(k);
	if (k->d->counters == KS_COUNTER_STATE_DENIED)
		container_steps(k);
	host_steps(k);
	write_letter(k);
}
