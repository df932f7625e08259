-- SPDX-License-Identifier: Apache-2.0
--
-- The bundled example trace: the shape of an Nsight Systems export, made up by this script and saying so in
-- its own tables. It imitates the generation of 40 tokens by a small language model on one A100: a prefill,
-- then 39 decode steps of 6 layers, with copies of weights and tokens on a second stream. Every number
-- follows from the tables and formulas below; nothing was measured. Plain SQLite (3.25 or newer), the
-- same rows each time.
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
	(40, 'cudaLaunchKernel'), (41, 'cudaMemcpyAsync'), (42, 'cudaMemsetAsync'), (43, 'cudaStreamSynchronize'),
	(50, 'prefill'), (51, 'decode');

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
		sum(ns + (seq * 7919 % (2 * spread + 1)) - spread + 1400 + case place when 12 then 95000 else 0 end)
			over (order by seq) as ends
	from launch;

create table CUPTI_ACTIVITY_KIND_KERNEL(start integer not null, end integer not null, deviceId integer not null,
	contextId integer not null, greenContextId integer, streamId integer not null, correlationId integer,
	globalPid integer, demangledName integer not null, shortName integer not null, mangledName integer,
	launchType integer, cacheConfig integer, registersPerThread integer not null, gridX integer not null,
	gridY integer not null, gridZ integer not null, blockX integer not null, blockY integer not null,
	blockZ integer not null, staticSharedMemory integer not null, dynamicSharedMemory integer not null,
	localMemoryPerThread integer not null, localMemoryTotal integer not null, gridId integer not null,
	sharedMemoryExecuted integer, graphNodeId integer, sharedMemoryLimitConfig integer);
insert into CUPTI_ACTIVITY_KIND_KERNEL
	select 210000000 + ends - dur, 210000000 + ends, 0, 1, null, case place when 12 then 13 else 7 end, 1000 + seq,
		281546145660928, name, name + 1, name + 2, 1, 0, regs, grid_x, grid_y, 1, block, 1, 1, static, dynamic,
		0, 0, seq, null, null, 0
	from timed order by seq;

-- 12 pieces of weights of 64 MiB before the first launch; 8 bytes in and out around each step.
create table CUPTI_ACTIVITY_KIND_MEMCPY(start integer not null, end integer not null, deviceId integer not null,
	contextId integer not null, streamId integer not null, correlationId integer, globalPid integer,
	bytes integer not null, copyKind integer not null, srcKind integer, dstKind integer);
insert into CUPTI_ACTIVITY_KIND_MEMCPY
	with recursive piece(i) as (select 0 union all select i + 1 from piece where i < 11)
	select 120000000 + i * 5650000, 120000000 + i * 5650000 + 5420000 + i * 1777 % 9000, 0, 1, 13, 100 + i,
		281546145660928, 67108864, 1, 1, 2 from piece;
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

create table CUPTI_ACTIVITY_KIND_RUNTIME(start integer not null, end integer not null, eventClass integer,
	globalTid integer, correlationId integer, nameId integer, returnValue integer, callchainId integer);
insert into CUPTI_ACTIVITY_KIND_RUNTIME
	select start - 9300 - correlationId % 5 * 700, start - 9300 - correlationId % 5 * 700 + 4100, 0, 281546145665170,
		correlationId, 40, 0, null from CUPTI_ACTIVITY_KIND_KERNEL order by start;
insert into CUPTI_ACTIVITY_KIND_RUNTIME
	select start - 8000, start - 5200, 0, 281546145665170, correlationId, 41, 0, null from CUPTI_ACTIVITY_KIND_MEMCPY;
insert into CUPTI_ACTIVITY_KIND_RUNTIME
	select start - 7000, start - 4700, 0, 281546145665170, correlationId, 42, 0, null from CUPTI_ACTIVITY_KIND_MEMSET;

create table NVTX_EVENTS(start integer not null, end integer, eventType integer, rangeId integer, category integer,
	color integer, text text, globalTid integer, endGlobalTid integer, textId integer, domainId integer);
insert into NVTX_EVENTS
	select min(start) - 25000, max(end) + 15000, 59, null, null, null, null, 281546145665170, null,
		case step when 0 then 50 else 51 end, 0
	from (select 210000000 + ends - dur as start, 210000000 + ends as end, step from timed) group by step;

create table ANALYSIS_DETAILS(globalVid integer, duration integer, startTime integer, stopTime integer);
insert into ANALYSIS_DETAILS select 281474976710656, max(end) + 60000000, 0, max(end) + 60000000
	from CUPTI_ACTIVITY_KIND_KERNEL;
commit;
