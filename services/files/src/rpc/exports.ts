import type { Clock } from '@nolo/kit/clock';
import { parseActorId, newId } from '@nolo/kit/ids';
import type { ProofGuard } from '@nolo/kit/proof';
import { withQuota, type Limiter } from '@nolo/kit/rateLimit';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Export, ExportServiceDefinition } from '@nolo/proto/exports';
import { archiveKey, type AccountExport, type ExportId, type ExportStore } from '../domain/exports.ts';
import type { StorageDriver } from '../domain/ports.ts';
import { exportNotFound, createFilesError } from '../errors.ts';
import { purgeExports } from '../jobs/sweepExports.ts';
import type { FilesMetrics } from '../metrics.ts';
import { streamBytes } from './objects.ts';

export interface ExportDependencies {
  readonly exports: Pick<ExportStore<never>, 'start' | 'findOf' | 'giveUpOf' | 'listGivenUp' | 'remove'>;
  readonly storage: StorageDriver;
  readonly metrics: FilesMetrics;
  readonly limiter: Limiter<'accountExportsPerDay'>;
  /** Admits recently proven account owners. */
  readonly mustBeProven: ProofGuard;
  readonly clock: Clock;
}

const sectionNamePattern = /^[A-Za-z]{1,40}$/;

const toReply = ({ id, state, step, percent, size, startedAt, expiresAt }: AccountExport): Export => ({
  id,
  state,
  step,
  percent,
  size,
  startedAt,
  expiresAt: state === 'ready' ? expiresAt : undefined,
});

/** Returns the current archive. An expired one counts as gone, even before the sweep. */
async function current({ exports, clock }: ExportDependencies, actorId: string): Promise<AccountExport | undefined> {
  const found = await exports.findOf(parseActorId(actorId));
  return found?.expiresAt && found.expiresAt <= clock.now() ? undefined : found;
}

export function startExport(
  dependencies: ExportDependencies,
): RpcHandler<typeof ExportServiceDefinition.methods.startExport> {
  const { exports, clock, limiter, mustBeProven } = dependencies;
  return async ({ actorId, sessionId, language, parts }) => {
    await mustBeProven({ actorId, sessionId });
    const ownerId = parseActorId(actorId);
    if (language !== 'en' && language !== 'de')
      throw createFilesError('invalid', 'invalid_request', 'Unknown language.');
    if (!parts.every(({ name, json }) => sectionNamePattern.test(name) && isJson(json))) {
      throw createFilesError('invalid', 'invalid_request', 'Each part of an archive must have a name and be JSON.');
    }
    const running = await exports.findOf(ownerId);
    if (running?.state === 'running') return toReply(running);
    const wanted = { id: newId<ExportId>(), ownerId, language, startedAt: clock.now() } as const;
    const begun = { state: 'running', step: 'account', percent: 0, size: undefined, expiresAt: undefined } as const;
    return await withQuota(limiter, { name: 'accountExportsPerDay', key: ownerId }, async () =>
      toReply(await exports.start({ ...wanted, ...begun }, parts)),
    );
  };
}

export function getExport(
  dependencies: ExportDependencies,
): RpcHandler<typeof ExportServiceDefinition.methods.getExport> {
  return async ({ actorId }) => {
    const found = await current(dependencies, actorId);
    return { export: found && toReply(found) };
  };
}

export function cancelExport(
  dependencies: ExportDependencies,
): RpcHandler<typeof ExportServiceDefinition.methods.cancelExport> {
  return async ({ actorId }) => {
    await dependencies.exports.giveUpOf(parseActorId(actorId));
    await purgeExports(dependencies);
    return {};
  };
}

export function readExport(
  dependencies: ExportDependencies,
): RpcHandler<typeof ExportServiceDefinition.methods.readExport> {
  return async function* ({ actorId, sessionId, range }, { log }) {
    await dependencies.mustBeProven({ actorId, sessionId });
    const found = await current(dependencies, actorId);
    if (found?.state !== 'ready' || found.size === undefined) throw exportNotFound();
    const { id, size, expiresAt } = found;
    const fileInfo = { contentType: 'application/zip', etag: `"${id}"`, name: 'nolo-export.zip', inline: false };
    const source = { ...fileInfo, key: archiveKey(id), size, readableUntil: expiresAt };
    yield* streamBytes(dependencies, source, range, log);
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
