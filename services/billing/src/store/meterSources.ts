import type { UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { LevelServiceDefinition, UseLogServiceDefinition, ReadUsesReply } from '@nolo/proto/usage';
import type { ReportPage, ReportedUse, MeterSources, LevelSource, UseSource } from '../domain/meterSources.ts';

const timeoutMs = 20_000;
const maxPerCall = 1_000;
const beginning = new Date(0);
/** Fallback for a service that does not report since when it stores uses: a missing use then means nothing. */
const end = new Date('9999-01-01T00:00:00Z');

function usesPage({ uses, keptSince, nextAfter }: ReadUsesReply): ReportPage<ReportedUse> {
  const rows = uses.map(({ id, userId, amount, usedAt, reported }) => ({
    id,
    userId: userId as UserId,
    amount,
    usedAt: usedAt ?? beginning,
    isReported: reported,
  }));
  return { rows, at: keptSince ?? end, next: nextAfter ?? '' };
}

function usesOf(client: RpcClient<typeof UseLogServiceDefinition>, feature: string): UseSource {
  const read = async (of: { after: string; limit: number; reportedSince: Date | undefined; ids: string[] }) =>
    usesPage(await client.readUses({ feature, ...of, after: of.after || undefined }, { timeoutMs }));
  return {
    reportedSince: (since, after, limit) => read({ after, limit, reportedSince: since, ids: [] }),
    named: async (ids) =>
      ids.length === 0
        ? { rows: [], at: end, next: '' }
        : await read({ after: '', limit: maxPerCall, reportedSince: undefined, ids: [...ids] }),
  };
}

function levelsOf(client: RpcClient<typeof LevelServiceDefinition>): LevelSource {
  const read = async (after: string, limit: number, userIds: readonly string[]) => {
    const { levels, at, nextAfter } = await client.readLevels(
      { after: after || undefined, limit, userIds: [...userIds] },
      { timeoutMs },
    );
    const rows = levels.map(({ userId, amount }) => ({ userId: userId as UserId, amount }));
    return { rows, at: at ?? beginning, next: nextAfter ?? '' };
  };
  return { all: (after, limit) => read(after, limit, []), of: (userIds) => read('', maxPerCall, userIds) };
}

/** Reads usage from the available services that count. */
export function createMeterSources(clients: {
  social: RpcClient<typeof UseLogServiceDefinition> | undefined;
  transcriber: RpcClient<typeof UseLogServiceDefinition> | undefined;
  files: RpcClient<typeof LevelServiceDefinition> | undefined;
}): MeterSources {
  const { social, transcriber, files } = clients;
  return {
    uses: {
      ...(social && { scheduledPosts: usesOf(social, 'scheduledPosts') }),
      ...(transcriber && { transcriptionSeconds: usesOf(transcriber, 'transcriptionSeconds') }),
    },
    levels: files && levelsOf(files),
  };
}
