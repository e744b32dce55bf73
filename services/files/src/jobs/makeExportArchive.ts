import type { Clock } from '@nolo/kit/clock';
import type { FileId } from '@nolo/kit/ids';
import type { Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { createZipWriter, toTextBlocks, jsonLines, type ZipWriter } from '../archive/zip.ts';
import { archivePage, pathOfFile, type ArchiveContents } from '../domain/archivePage.ts';
import {
  archiveKey,
  archiveLifetimeMs,
  exportArchiveQueue,
  type AccountExport,
  type AccountExportSources,
  type ExportStep,
  type ExportStore,
} from '../domain/exports.ts';
import { objectKey, type StorageDriver } from '../domain/ports.ts';
import { bodyKey, type ReadyFile } from '../domain/sharedFiles.ts';
import type { FilesMetrics } from '../metrics.ts';

type Transaction = Parameters<Job<unknown>['finish']>[0];

export interface MakeExportArchiveDependencies {
  readonly exports: ExportStore<Transaction>;
  readonly sources: AccountExportSources;
  readonly storage: StorageDriver;
  readonly metrics: FilesMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/** Thrown if the archive is no longer wanted. */
class GivenUp extends Error {}

const filesAtOnce = 100;
/** Number of file IDs to buffer before they are stored. */
const idsAtOnce = 500;

/** Progress after the account data and after the messages, in percent of the whole. */
const shares = { account: 2, messages: 40 } as const;

/**
 * Collects the stored data of an account and writes it to the storage as one archive, atomically. An interrupted
 * attempt leaves nothing, and the next one starts over. Only the current block is held in memory.
 */
export function makeExportArchive(dependencies: MakeExportArchiveDependencies) {
  const { exports, metrics, clock, log, storage } = dependencies;
  return async (job: Job<{ exportId: string }>): Promise<void> => {
    const id = job.payload.exportId as AccountExport['id'];
    const wanted = await exports.find(id);
    if (wanted?.state !== 'running') return;
    try {
      const size = await write(dependencies, wanted, job.signal);
      const at = clock.now();
      const expiresAt = new Date(at.getTime() + archiveLifetimeMs);
      const ready = await exports.ready({ id, size, at, expiresAt }, (trx) => job.finish(trx));
      metrics.archives.inc({ result: ready ? 'ready' : 'given_up' });
      if (ready) metrics.archiveSeconds.observe((at.getTime() - wanted.startedAt.getTime()) / 1_000);
      // The archive was discarded at the last moment. The sweep would also delete it, since it has a row but no job.
      else await storage.delete(archiveKey(id));
    } catch (error) {
      if (error instanceof GivenUp) {
        metrics.archives.inc({ result: 'given_up' });
        return;
      }
      if (job.signal.aborted || job.attempt < exportArchiveQueue.attempts) throw error;
      log.error({ err: error, export: id }, 'creating an archive failed');
      metrics.archives.inc({ result: 'failed' });
      await exports.fail(id, clock.now(), (trx) => job.finish(trx));
    }
  };
}

async function write(dependencies: MakeExportArchiveDependencies, wanted: AccountExport, signal: AbortSignal) {
  const { storage, clock } = dependencies;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const zip = createZipWriter(clock.now());
  const broken = () => zip.destroy(either.reason instanceof Error ? either.reason : new Error('aborted'));
  either.addEventListener('abort', broken, { once: true });
  const filling = fill({ ...dependencies, zip, wanted, signal: either }).then(
    () => zip.finish(),
    (error: unknown) => {
      // The storage must be notified, but only reports the interruption.
      zip.destroy(error as Error);
      throw error;
    },
  );
  const storing = storage.put(archiveKey(wanted.id), zip.bytes);
  storing.catch(() => over.abort(new Error('The storage stopped accepting data.')));
  const [filled, stored] = await Promise.allSettled([filling, storing]);
  either.removeEventListener('abort', broken);
  // The error of the side that failed first is thrown.
  if (filled.status === 'rejected' && !over.signal.aborted) throw filled.reason;
  if (stored.status === 'rejected') throw stored.reason;
  if (filled.status === 'rejected') throw filled.reason;
  return stored.value;
}

interface Filling extends MakeExportArchiveDependencies {
  readonly zip: ZipWriter;
  readonly wanted: AccountExport;
  readonly signal: AbortSignal;
}

async function fill(filling: Filling): Promise<void> {
  const { exports, zip, wanted, sources, clock, signal } = filling;
  const { id, ownerId, language } = wanted;
  const progress = createProgressReporter(filling);
  const data: ArchiveContents['data'][number][] = [];
  const add = async (name: string, rows: AsyncIterable<object>) => {
    let count = 0;
    const counted = async function* () {
      for await (const row of rows) {
        count += 1;
        yield row;
      }
    };
    const path = `${name}.jsonl`;
    await zip.add(path, toTextBlocks(jsonLines(counted())));
    data.push({ path, count });
    return count;
  };

  await progress('account', 0);
  await exports.listOwnFiles(id);
  for (const { name, json } of await exports.sections(id)) {
    await zip.add(`${name}.json`, toTextBlocks([json]));
    data.push({ path: `${name}.json`, count: undefined });
  }
  await add('groups', groupsOf(filling));
  const conversations = await add('conversations', rowsOf(sources.conversations(ownerId, signal)));
  for (const [name, rows] of Object.entries(sources.others(ownerId, signal))) await add(name, rows());
  await progress('messages', shares.account);
  await add('messages', messagesOf(filling, conversations, progress));
  await progress('files', shares.messages);
  const files = await addFiles(filling, progress);
  const found = await add('files', describedFiles(filling));
  const contents = { language, madeAt: clock.now(), data, files: { count: found, bytes: files } };
  await zip.add('index.html', toTextBlocks(archivePage(contents, describedFiles(filling))));
}

type Progress = (step: ExportStep, percent: number) => Promise<void>;

/** Reports changed progress. Ends with an error if the archive was discarded. */
function createProgressReporter({ exports, wanted, signal }: Filling): Progress {
  let lastReported = '';
  return async (step, donePercent) => {
    signal.throwIfAborted();
    const percent = Math.min(99, Math.floor(donePercent));
    if (lastReported === `${step} ${percent}`) return;
    lastReported = `${step} ${percent}`;
    if (!(await exports.progress(wanted.id, step, percent))) throw new GivenUp();
  };
}

async function* rowsOf(entries: AsyncIterable<{ readonly row: object }>): AsyncGenerator<object> {
  for await (const { row } of entries) yield row;
}

async function* groupsOf({ sources, wanted, signal }: Filling): AsyncGenerator<object> {
  for await (const { group } of sources.conversations(wanted.ownerId, signal)) if (group) yield group;
}

/** Yields messages and records the files that they use. */
async function* messagesOf(filling: Filling, conversations: number, progress: Progress): AsyncGenerator<object> {
  const { exports, sources, wanted, signal } = filling;
  let fileIds: FileId[] = [];
  let current: string | undefined;
  let done = 0;
  for await (const message of sources.messages(wanted.ownerId, signal)) {
    if (message.conversationId !== current) {
      current = message.conversationId;
      const share = Math.min(1, done / Math.max(1, conversations));
      await progress('messages', shares.account + share * (shares.messages - shares.account));
      done += 1;
    }
    fileIds.push(...message.fileIds);
    if (fileIds.length >= idsAtOnce) {
      await exports.addFiles(wanted.id, fileIds);
      fileIds = [];
    }
    yield message.row;
  }
  await exports.addFiles(wanted.id, fileIds);
}

async function* filesOf({ exports, wanted }: Filling): AsyncGenerator<ReadyFile> {
  let after: FileId | undefined;
  for (;;) {
    const page = await exports.filesOf(wanted.id, after, filesAtOnce);
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < filesAtOnce) return;
  }
}

async function* describedFiles(filling: Filling) {
  for await (const file of filesOf(filling)) {
    const { id, declared, kind, contentType, size, createdAt, ownerId } = file;
    const path = pathOfFile({ id, name: declared.name });
    yield {
      id,
      path,
      name: declared.name || id,
      kind,
      contentType,
      size,
      createdAt,
      mine: ownerId === filling.wanted.ownerId,
    };
  }
}

/** Adds the files' bytes, skipping files deleted meanwhile. @returns the number of bytes. */
async function addFiles(filling: Filling, progress: Progress): Promise<number> {
  const { exports, storage, wanted, zip } = filling;
  for (const picture of await exports.picturesOf(wanted.ownerId)) {
    const bytes = await storage.get(objectKey(picture.id));
    const name = picture.purpose === 'profile_image' ? 'profile-picture' : `${picture.purpose}-${picture.id}`;
    if (bytes) await zip.add(`pictures/${name}.webp`, bytes, { stored: true });
  }
  const all = await exports.bytesOfFiles(wanted.id);
  let done = 0;
  for await (const file of filesOf(filling)) {
    const bytes = await storage.get(bodyKey(file));
    if (bytes) await zip.add(pathOfFile({ id: file.id, name: file.declared.name }), bytes, { stored: true });
    done += file.size;
    await progress('files', shares.messages + (done / Math.max(all, 1)) * (100 - shares.messages));
  }
  return done;
}
