/* SPDX-License-Identifier: Apache-2.0
 *
 * A decision packet read back into its model: ours and the original's. Ids, codes and units this
 * version does not know are kept as text; what is not a packet is an error of one line.
 */
#ifndef KS_VERDICT_PACKET_READ_H
#define KS_VERDICT_PACKET_READ_H

#include "verdict/packet.h"

/* Whether a JSON text looks like a packet (has "verdicts" and no "kernels" at its top level). */
bool ks_packet_sniff(ks_str text);

/* A file of at most 256 KiB ("-" reads standard input). Everything lives in ctx->run.
 * packet->report is a report that holds what the packet tells (tool_version, synthetic,
 * total_launches, device_ids, verdicts) and no kernels. */
enum ks_status ks_packet_read(const struct ks_ctx *ctx, const char *path, struct ks_packet **packet,
			      struct ks_err *err);
/* The same from memory; `where` names the input in messages. */
enum ks_status ks_packet_parse(const struct ks_ctx *ctx, ks_str text, const char *where,
			       struct ks_packet **packet, struct ks_err *err);

#endif
