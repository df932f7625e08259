-- SPDX-License-Identifier: Apache-2.0
--
-- The bundled example trace: the shape of an Nsight Systems export, made up by this script and saying so in
-- its own tables. It imitates the generation of 40 tokens by a small language model on one A100, rank 0 of
-- two: a prefill, then 39 decode steps of 6 layers, with copies of weights and tokens on a second stream and
-- NCCL's collectives on a third. Every number follows from the tables and formulas below; nothing was
-- measured. Plain SQLite (3.25 or newer), the same rows each time.
pragma page_size = 4096;
begin;

create table StringIds(id integer primary key, value text not null);
insert into StringIds values
	(1, 'void embed_tokens<__half>(__half *, __half const *, int const *, int)'), (2, 'embed_tokens'),
	(3, '_Z12embed_tokensI6__halfEvPT_PKS1_PKii'),
	(4, 'void rms_norm<__half, 256>(__half *, __half const *, __half const *, float, int)'), (5, 'rms_norm'),
	(6, '_Z8rms_normI6__halfLi256EEvPT_PKS1_S4_fi'),
	(7, 'void gemm_f16_tile<128, 128, 32>(__half *, __half const *, __half const *, int, int, int)'),
	(8, 'gemm_f16_tile'), (9, '_Z13gemm_f16_tileILi128ELi128ELi32EEvP6__halfPKS0_S3_iii'),
	(10, 'void gemv_f16_splitk<4>(__half *, __half const *, __half const *, int, int)'), (11, 'gemv_f16_splitk'),
	(12, '_Z15gemv_f16_splitkILi4EEvP6__halfPKS0_S3_ii'),
	(13, 'void rotary_and_cache<__half>(__half *, __half *, __half *, int const *, int)'),
	(14, 'rotary_and_cache'), (15, '_Z16rotary_and_cacheI6__halfEvPT_S2_S2_PKii'),
	(16, 'void attention_decode<__half, 128>(__half *, __half const *, __half const *, __half const *, int)'),
	(17, 'attention_decode'), (18, '_Z16attention_decodeI6__halfLi128EEvPT_PKS1_S4_S4_i'),
	(19, 'void attention_prefill<__half, 128, 64>(__half *, __half const *, __half const *, __half const *, int)'),
	(20, 'attention_prefill'), (21, '_Z17attention_prefillI6__halfLi128ELi64EEvPT_PKS1_S4_S4_i'),
	(22, 'void silu_times_up<__half>(__half *, __half const *, int)'), (23, 'silu_times_up'),
	(24, '_Z13silu_times_upI6__halfEvPT_PKS1_i'),
	(25, 'void add_residual<__half>(__half *, __half const *, int)'), (26, 'add_residual'),
	(27, '_Z12add_residualI6__halfEvPT_PKS1_i'),
	(28, 'sample_top_k(int *, float const *, int, int, unsigned long)'), (29, 'sample_top_k'),
	(30, '_Z12sample_top_kPiPKfiim'),
	(31, 'ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)'),
	(32, 'ncclDevKernel_AllReduce_Sum_f16_RING_LL'),
	(33, '_Z39ncclDevKernel_AllReduce_Sum_f16_RING_LL24ncclDevKernelArgsStorageILm4096EE'),
	(34, 'ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)'),
	(35, 'ncclDevKernel_AllGather_RING_LL'),
	(36, '_Z31ncclDevKernel_AllGather_RING_LL24ncclDevKernelArgsStorageILm4096EE'),
	(37, 'void permute_weights<__half>(__half *, __half const *, int, int)'), (38, 'permute_weights'),
	(39, '_Z15permute_weightsI6__halfEvPT_PKS1_ii'),
	(40, 'cudaLaunchKernel'), (41, 'cudaMemcpyAsync'), (42, 'cudaMemsetAsync'), (43, 'cudaStreamSynchronize'),
	(44, 'cudaGraphLaunch'), (45, 'cuLaunchKernelEx'), (46, 'cudaMalloc'), (47, 'cudaFree'),
	(50, 'prefill'), (51, 'decode step'), (52, 'attention'), (53, 'mlp'), (54, 'sample'), (55, 'serving'),
	(56, 'schedule'), (57, 'request'), (58, 'NCCL'), (59, 'ncclAllReduce'), (60, 'ncclAllGather'),
	(70, 'generate'), (71, 'nccl'), (72, 'output'), (80, 'CUPTI buffer flush'), (81, 'Lazy function loading'),
	(90, 'cudaLaunchKernel'), (91, '/usr/lib/x86_64-linux-gnu/libcudart.so.12'), (92, 'gemv'), (93, 'mlp_layer'),
	(94, 'attention_layer'), (95, 'decode_step'), (96, 'main'), (97, '/opt/example/generate');

create table META_DATA_EXPORT(name text, value text);
insert into META_DATA_EXPORT values
	('EXPORT_PRODUCT_NAME', 'Kernoscope example (made by scripts/make-example.sql, nothing was measured)'),
	('EXPORT_PRODUCT_VERSION', 'example 1'), ('EXPORT_SCHEMA_VERSION', '3.13.2'),
	('EXPORT_PLATFORM', 'made-up');
create table META_DATA_CAPTURE(name text, value text);
insert into META_DATA_CAPTURE values ('CAPTURE_EVENT_TYPE', 'NvtxEvents'), ('CAPTURE_EVENT_TYPE', 'Cuda');
create table DIAGNOSTIC_EVENT(timestamp integer, timestampType integer, source integer, severity integer, text text,
	globalPid integer);
insert into DIAGNOSTIC_EVENT values (0, 2, 0, 2,
	'This is a made example: every number in it was written by scripts/make-example.sql, none was measured.',
	null);
create table TARGET_INFO_SESSION_START_TIME(utcEpochNs integer, utcTime text, localTime text);
insert into TARGET_INFO_SESSION_START_TIME values (1767225600000000000, '2026-01-01T00:00:00', '2026-01-01T00:00:00');
create table TARGET_INFO_SYSTEM_ENV(globalVid integer, devStateName text, name text, nameEnum integer, value text);
insert into TARGET_INFO_SYSTEM_ENV values (281474976710656, 'made up', 'NvDriverVersion', 205, '550.54.15');

create table TARGET_INFO_GPU(vmId integer, id integer, name text, busLocation text, isDiscrete integer,
	l2CacheSize integer, totalMemory integer, memoryBandwidth integer, clockRate integer, smCount integer,
	uuid text, chipName text, cuDevice integer, maxRegistersPerBlock integer, maxShmemPerBlock integer,
	maxShmemPerBlockOptin integer, maxShmemPerSm integer, maxRegistersPerSm integer, threadsPerWarp integer,
	maxWarpsPerSm integer, maxBlocksPerSm integer, maxThreadsPerBlock integer, computeMajor integer,
	computeMinor integer, smMajor integer, smMinor integer);
insert into TARGET_INFO_GPU values (281474976710656, 0, 'NVIDIA A100-SXM4-40GB', '0000:07:00.0', 1, 41943040,
	42298834944, 1555200000000, 1410000000, 108, '0e0e0e0e-0000-4000-8000-000000000001', 'GA100', 0, 65536, 49152,
	166912, 167936, 65536, 32, 64, 32, 1024, 8, 0, 8, 2);
create table TARGET_INFO_CUDA_DEVICE(gpuId integer, cudaId integer, pid integer, uuid text, numMultiprocessors integer);
insert into TARGET_INFO_CUDA_DEVICE values (0, 0, 4242, '0e0e0e0e-0000-4000-8000-000000000001', 108);
create table PROCESSES(globalPid integer, pid integer, name text);
insert into PROCESSES values (281546145660928, 4242, 'generate');
create table ThreadNames(nameId integer, priority integer, globalTid integer);
insert into ThreadNames values (70, 20, 281546145665170), (71, 20, 281546145665171), (72, 20, 281546145665172);

-- What one launch is: its place in a layer (0 before the layers, 1-9 inside, 10-12 behind them), the first of
-- its three names, and its time and shape in the prefill and in a decode step.
create temp table op(place integer, step_kind integer, name integer, ns integer, spread integer, grid_x integer,
	grid_y integer, block integer, regs integer, static integer, dynamic integer);
insert into op values
	(0, 0, 1, 14200, 900, 512, 1, 128, 24, 0, 0), (0, 1, 1, 2300, 240, 1, 1, 128, 24, 0, 0),
	(1, 0, 4, 21500, 1100, 512, 1, 256, 32, 1056, 0), (1, 1, 4, 2900, 260, 1, 1, 256, 32, 1056, 0),
	(2, 0, 7, 412000, 9000, 48, 4, 256, 168, 0, 98304), (2, 1, 10, 38600, 1700, 384, 4, 128, 56, 2048, 0),
	(3, 0, 13, 26400, 1300, 512, 16, 64, 40, 0, 0), (3, 1, 13, 3400, 300, 1, 16, 64, 40, 0, 0),
	(4, 0, 19, 298000, 8000, 8, 16, 128, 238, 0, 73728), (4, 1, 16, 24800, 2600, 16, 1, 128, 96, 512, 36864),
	(5, 0, 7, 141000, 4000, 16, 4, 256, 168, 0, 98304), (5, 1, 10, 13900, 900, 128, 4, 128, 56, 2048, 0),
	(6, 0, 25, 17800, 800, 1024, 1, 256, 16, 0, 0), (6, 1, 25, 2100, 180, 8, 1, 256, 16, 0, 0),
	(7, 0, 7, 745000, 15000, 86, 4, 256, 168, 0, 98304), (7, 1, 10, 70300, 2900, 688, 4, 128, 56, 2048, 0),
	(8, 0, 22, 30900, 1500, 2752, 1, 256, 20, 0, 0), (8, 1, 22, 2600, 220, 22, 1, 256, 20, 0, 0),
	(9, 0, 7, 377000, 9000, 16, 4, 256, 168, 0, 98304), (9, 1, 10, 35100, 1500, 128, 4, 128, 56, 2048, 0),
	(10, 0, 4, 4100, 300, 1, 1, 256, 32, 1056, 0), (10, 1, 4, 2900, 260, 1, 1, 256, 32, 1056, 0),
	(11, 0, 10, 171000, 5200, 4000, 4, 128, 56, 2048, 0), (11, 1, 10, 170500, 5200, 4000, 4, 128, 56, 2048, 0),
	(12, 0, 28, 41700, 2500, 1, 1, 1024, 48, 16384, 0), (12, 1, 28, 41200, 2500, 1, 1, 1024, 48, 16384, 0);

-- Every launch in order. A step starts 95 us after the last one ended (the host samples and schedules), a
-- launch 1.4 us after the one before it; the spread is a fixed scatter, no random numbers.
create temp table launch as
	with recursive step(step) as (select 0 union all select step + 1 from step where step < 39),
		layer(layer) as (select 0 union all select layer + 1 from layer where layer < 5),
		every(step, layer, place) as (
			select step, 0, 0 from step
			union all select step, layer, place from step, layer,
				(select distinct place from op where place between 1 and 9)
			union all select step, 6, place from step, (select distinct place from op where place >= 10))
	select row_number() over (order by step, layer, e.place) as seq, step, layer, e.place, op.*
	from every e join op on op.place = e.place and op.step_kind = min(step, 1);
create temp table timed as
	select *, ns + (seq * 7919 % (2 * spread + 1)) - spread as dur,
		sum(ns + (seq * 7919 % (2 * spread + 1)) - spread + 1400 + case when place = 0 and step > 0 then 95000 else 0 end)
			over (order by seq) as ends
	from launch;

create table CUPTI_ACTIVITY_KIND_KERNEL(start integer not null, end integer not null, deviceId integer not null,
	contextId integer not null, greenContextId integer, streamId integer not null, correlationId integer,
	globalPid integer, demangledName integer not null, shortName integer not null, mangledName integer,
	launchType integer, cacheConfig integer, registersPerThread integer not null, gridX integer not null,
	gridY integer not null, gridZ integer not null, blockX integer not null, blockY integer not null,
	blockZ integer not null, staticSharedMemory integer not null, dynamicSharedMemory integer not null,
	localMemoryPerThread integer not null, localMemoryTotal integer not null, gridId integer not null,
	sharedMemoryExecuted integer, graphNodeId integer, sharedMemoryLimitConfig integer, graphId integer);

-- Collectives on a stream of their own: an AllReduce that begins within the last GEMM of a layer and reaches
-- into the next one, an AllGather of the logits that goes on when the step is over.
create temp table collective as
	select row_number() over (order by ends, place) as seq, step, place,
		case place when 9 then 210000000 + ends - dur * 2 / 5 else 210000000 + ends - 9000 end as start,
		case when place = 12 then 31000 when step = 0 then 330000 else 21000 end + seq * 6007 % 1501 as dur
	from timed where place in (9, 12);

-- The kernels, the collectives, and two replays of a graph that lays out the weights, 4 nodes each.
insert into CUPTI_ACTIVITY_KIND_KERNEL
	with recursive node(i) as (select 0 union all select i + 1 from node where i < 7)
	select start, start + dur, 0, 1, null, 21, 5000 + seq, 281546145660928, case place when 9 then 31 else 34 end,
		case place when 9 then 32 else 35 end, case place when 9 then 33 else 36 end, 1, 0, 96, 16, 1, 1, 544, 1,
		1, 45376, 0, 0, 0, 5000 + seq, null, null, 0, null
	from collective
	union all
	select 203000000 + i / 4 * 400000 + i % 4 * 82000, 203000000 + i / 4 * 400000 + i % 4 * 82000 + 79000 + i % 4 * 700,
		0, 1, null, 7, 900 + i / 4, 281546145660928, 37, 38, 39, 1, 0, 32, 1024, 1, 1, 256, 1, 1, 8448, 0, 0, 0,
		900 + i / 4, null, 4294967296 + 1 + i % 4, 0, 1 from node
	union all
	select 210000000 + ends - dur, 210000000 + ends, 0, 1, null, case place when 12 then 13 else 7 end, 1000 + seq,
		281546145660928, name, name + 1, name + 2, 1, 0, regs, grid_x, grid_y, 1, block, 1, 1, static, dynamic,
		0, 0, seq, null, null, 0, null
	from timed order by 1;

-- 12 pieces of weights of 64 MiB before the first launch, and the vocabulary from memory that is not pinned; 8
-- bytes in and out around each step.
create table CUPTI_ACTIVITY_KIND_MEMCPY(start integer not null, end integer not null, deviceId integer not null,
	contextId integer not null, streamId integer not null, correlationId integer, globalPid integer,
	bytes integer not null, copyKind integer not null, srcKind integer, dstKind integer);
insert into CUPTI_ACTIVITY_KIND_MEMCPY
	with recursive piece(i) as (select 0 union all select i + 1 from piece where i < 11)
	select 120000000 + i * 5650000, 120000000 + i * 5650000 + 5420000 + i * 1777 % 9000, 0, 1, 13, 100 + i,
		281546145660928, 67108864, 1, 1, 2 from piece;
insert into CUPTI_ACTIVITY_KIND_MEMCPY values
	(196500000, 202391000, 0, 1, 13, 120, 281546145660928, 33554432, 1, 0, 2);
insert into CUPTI_ACTIVITY_KIND_MEMCPY
	select start - 4200, start - 4200 + 1900, 0, 1, 13, 200 + row_number() over (order by start), 281546145660928, 8, 1,
		1, 2 from CUPTI_ACTIVITY_KIND_KERNEL where shortName = 2;
insert into CUPTI_ACTIVITY_KIND_MEMCPY
	select end + 2600, end + 2600 + 1750, 0, 1, 13, 300 + row_number() over (order by start), 281546145660928, 8, 2, 2,
		1 from CUPTI_ACTIVITY_KIND_KERNEL where shortName = 29;
create table CUPTI_ACTIVITY_KIND_MEMSET(start integer not null, end integer not null, deviceId integer not null,
	contextId integer not null, streamId integer not null, correlationId integer, globalPid integer, value integer,
	bytes integer not null, memKind integer);
insert into CUPTI_ACTIVITY_KIND_MEMSET values
	(195000000, 195152000, 0, 1, 7, 90, 281546145660928, 0, 201326592, 2),
	(195160000, 195162400, 0, 1, 7, 91, 281546145660928, 0, 4096, 2);

-- The host launches each kernel 9 us before it runs, one after the other; NCCL calls from a thread of its own.
create table CUPTI_ACTIVITY_KIND_RUNTIME(start integer not null, end integer not null, eventClass integer,
	globalTid integer, correlationId integer, nameId integer, returnValue integer, callchainId integer);
create temp table call as
	select seq, step, layer, place, name, 210000000 + ends - dur - 9300 - seq % 5 * 100 as start,
		210000000 + ends - dur - 7400 as end
	from timed;
insert into CUPTI_ACTIVITY_KIND_RUNTIME
	select start, end, 0, 281546145665170, 1000 + seq, 40, 0,
		case name when 10 then case place when 2 then 1 when 5 then 1 else 2 end end from call
	union all
	select start - 8900, start - 6700, 1, 281546145665171, 5000 + seq, 45, 0, null from collective
	union all
	select start - 8000, start - 5900, 0, 281546145665170, correlationId, 41, 0, null from CUPTI_ACTIVITY_KIND_MEMCPY
	union all
	select start - 7000, start - 4700, 0, 281546145665170, correlationId, 42, 0, null from CUPTI_ACTIVITY_KIND_MEMSET
	union all
	select 202975000 + i * 400000, 202989000 + i * 400000, 0, 281546145665170, 900 + i, 44, 0, null
		from (select 0 as i union all select 1)
	union all
	select 110000000 + i * 90000, 110000000 + i * 90000 + 71000, 0, 281546145665170, 10 + i, 46, 0, null
		from (select 0 as i union all select 1 union all select 2 union all select 3)
	union all
	select 203985000, 204001000, 0, 281546145665170, 14, 47, 0, null
	-- and waits for the token of the step
	union all
	select start - 5500, end + 1300, 0, 281546145665170, 300 + correlationId, 43, 0, null
		from CUPTI_ACTIVITY_KIND_MEMCPY where copyKind = 2
	order by 1;
create table CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start integer not null, end integer not null, deviceId integer,
	contextId integer, streamId integer, correlationId integer, globalPid integer, syncType integer, eventId integer);
insert into CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
	select start - 5200, end + 1100, 0, 1, 13, 300 + correlationId, 281546145660928, 3, null
	from CUPTI_ACTIVITY_KIND_MEMCPY where copyKind = 2;

-- Who launches the matrix-vector products: frames of two call chains, the innermost first.
create table CUDA_CALLCHAINS(id integer not null, symbol integer not null, module integer not null, unresolved integer,
	originalIP integer, stackDepth integer not null);
insert into CUDA_CALLCHAINS values (1, 90, 91, null, 4198400, 0), (1, 92, 97, null, 4198656, 1),
	(1, 94, 97, null, 4198912, 2), (1, 95, 97, null, 4199168, 3), (1, 96, 97, null, 4199424, 4),
	(2, 90, 91, null, 4198400, 0), (2, 92, 97, null, 4198656, 1), (2, 93, 97, null, 4199680, 2),
	(2, 95, 97, null, 4199168, 3), (2, 96, 97, null, 4199424, 4);

-- Weights, vocabulary, cache of keys and values, and a workspace that is given back before the first step.
create table CUDA_GPU_MEMORY_USAGE_EVENTS(start integer not null, globalPid integer, deviceId integer,
	contextId integer, address integer, pc integer, bytes integer, memKind integer, memoryOperationType integer,
	name text, correlationId integer);
insert into CUDA_GPU_MEMORY_USAGE_EVENTS values
	(110071000, 281546145660928, 0, 1, 140000000000, 0, 805306368, 2, 0, null, 10),
	(110161000, 281546145660928, 0, 1, 141000000000, 0, 33554432, 2, 0, null, 11),
	(110251000, 281546145660928, 0, 1, 142000000000, 0, 201326592, 2, 0, null, 12),
	(110341000, 281546145660928, 0, 1, 143000000000, 0, 67108864, 2, 0, null, 13),
	(204000000, 281546145660928, 0, 1, 143000000000, 0, 67108864, 2, 1, null, 14);

-- The profiler writes out its buffers while the device waits for the first step; the driver loads code.
create table PROFILER_OVERHEAD(start integer not null, end integer not null, globalTid integer, nameId integer,
	overheadType integer);
insert into PROFILER_OVERHEAD values (204700000, 206300000, 281546145665170, 80, 3);
create table CUPTI_ACTIVITY_KIND_OVERHEAD(start integer not null, end integer not null, eventClass integer,
	globalTid integer, correlationId integer, nameId integer, overheadType integer);
insert into CUPTI_ACTIVITY_KIND_OVERHEAD values (208100000, 208900000, 103, 281546145665170, 1001, 81, 7);

-- Ranges: steps with their parts in the default domain, requests that end on another thread and the scheduler
-- between the steps in a second one, NCCL's calls with their sizes in a third. One range was still open.
create table NVTX_EVENTS(start integer not null, end integer, eventType integer, rangeId integer, category integer,
	color integer, text text, globalTid integer, endGlobalTid integer, textId integer, domainId integer,
	binaryData blob);
create temp table step as
	select step, min(210000000 + ends - dur) as start, max(210000000 + ends) as end from timed group by step;
insert into NVTX_EVENTS values (1000000, null, 75, null, null, null, null, 281546145665170, null, 55, 1, null),
	(1100000, null, 75, null, null, null, null, 281546145665170, null, 58, 2, null);
insert into NVTX_EVENTS
	select start - 25000, end + 15000, 59, null, null, null, null, 281546145665170, null,
		case step when 0 then 50 else 51 end, 0, null
	from step
	union all
	select min(start) - 100, max(end) + 100, 59, null, null, null, null, 281546145665170, null,
		case when place <= 6 then 52 when place <= 9 then 53 else 54 end, 0, null
	from call where place > 0 group by step, layer, case when place <= 6 then 52 when place <= 9 then 53 else 54 end
	union all
	select end + 20000, end + 60000, 59, null, null, null, null, 281546145665170, null, 56, 1, null
	from step where step < 39
	union all
	select end + 1000, null, 34, null, null, null, 'first token', 281546145665170, null, null, 1, null
	from step where step = 0
	union all
	select 209500000, end + 30000, 60, 1 + step, null, null, null, 281546145665170, 281546145665172, 57, 1, null
	from step where step in (19, 39)
	union all
	select 100000000, null, 60, 9, null, null, 'server', 281546145665170, null, null, 1, null
	-- the payload: domain 2, its schema, 16 bytes that follow, 32 before them; communicator, bytes of a message
	union all
	select start - 9400, start - 6200, 59, null, null, null, null, 281546145665171, null,
		case place when 9 then 59 else 60 end, 2,
		case when place = 12
			then x'0200000000000000040000010000000010000000000000002000000000000000c0ffee0000000000007d000000000000'
		when step = 0
			then x'0200000000000000030000010000000010000000000000002000000000000000c0ffee00000000000000200000000000'
			else x'0200000000000000030000010000000010000000000000002000000000000000c0ffee00000000000010000000000000'
		end
	from collective
	order by 1;
create table NVTX_PAYLOAD_SCHEMAS(domainId integer, schemaId integer, name text, type integer, flags integer,
	numEntries integer, payloadSize integer, alignTo integer);
insert into NVTX_PAYLOAD_SCHEMAS values (2, 16777219, null, 1, null, 2, 16, null), (2, 16777220, null, 1, null, 2, 16, null);
create table NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId integer not null, schemaId integer not null, idx integer not null,
	flags integer, type integer, name text, description text, arrayOrUnionDetail integer, offset integer);
insert into NVTX_PAYLOAD_SCHEMA_ENTRIES values
	(2, 16777219, 0, null, 18, 'NCCL communicator ID', null, null, null),
	(2, 16777219, 1, null, 22, 'Message size [bytes]', null, null, 8),
	(2, 16777220, 0, null, 18, 'NCCL communicator ID', null, null, null),
	(2, 16777220, 1, null, 22, 'Message size [bytes]', null, null, 8);

create table ANALYSIS_DETAILS(globalVid integer, duration integer, startTime integer, stopTime integer);
insert into ANALYSIS_DETAILS select 281474976710656, max(end) + 60000000, 0, max(end) + 60000000
	from CUPTI_ACTIVITY_KIND_KERNEL;
commit;
