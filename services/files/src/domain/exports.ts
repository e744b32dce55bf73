import type { FileId, BrandedId, UserId } from '@nolo/kit/ids';
import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';
import type { StorageKey, PictureObject } from './ports.ts';
import type { ReadyFile } from './sharedFiles.ts';

export type ExportId = BrandedId<'export'>;
export type ExportLanguage = 'en' | 'de';
export type ExportStep = 'account' | 'messages' | 'files';

/** Time that an archive is available for download. */
export const archiveLifetimeMs = 24 * 3_600_000;
/** Time that a failure is reported. */
export const failureLifetimeMs = 7 * 24 * 3_600_000;

/** Builds archives, one job each, with the archive's ID. A job whose worker died starts over. */
export const exportArchiveQueue = defineQueue({
  name: 'archives',
  payload: z.object({ exportId: z.uuid() }),
  attempts: 5,
  timeoutMs: 12 * 3_600_000,
  concurrency: 2,
  whenInterrupted: 'retry',
});

/** File of the archive with data that another service has already exported. */
export interface ExportSection {
  readonly name: string;
  readonly json: string;
}

export interface AccountExport {
  readonly id: ExportId;
  readonly ownerId: UserId;
  readonly language: ExportLanguage;
  readonly state: 'running' | 'ready' | 'failed' | 'given_up';
  readonly step: ExportStep;
  readonly percent: number;
  /** Size in bytes, once it is ready. */
  readonly size: number | undefined;
  readonly startedAt: Date;
  /** Time when a ready archive is deleted, or a failure is no longer reported. */
  readonly expiresAt: Date | undefined;
}

export const archiveKey = (id: ExportId): StorageKey => `objects/${id}`;

export interface ExportStore<Transaction> {
  /** Adds an archive with its job and discards the previous one. If one is being built, returns that one. */
  start(wanted: AccountExport, sections: readonly ExportSection[]): Promise<AccountExport>;
  find(id: ExportId): Promise<AccountExport | undefined>;
  /** Returns the initial contents. */
  sections(id: ExportId): Promise<ExportSection[]>;
  /** Returns the owner's archive unless it was discarded. */
  findOf(ownerId: UserId): Promise<AccountExport | undefined>;
  /** Records progress. Returns false if the archive is no longer wanted. */
  progress(id: ExportId, step: ExportStep, percent: number): Promise<boolean>;
  /** Restarts the list of files with those that the account uploaded. */
  listOwnFiles(id: ExportId): Promise<void>;
  addFiles(id: ExportId, fileIds: readonly FileId[]): Promise<void>;
  /** Returns the total bytes of the existing files. */
  bytesOfFiles(id: ExportId): Promise<number>;
  /** Returns a page of the existing files, sorted by ID. */
  filesOf(id: ExportId, after: FileId | undefined, limit: number): Promise<ReadyFile[]>;
  /** Returns the account's own pictures. */
  picturesOf(ownerId: UserId): Promise<PictureObject[]>;
  /**
   * Marks an archive as ready once its bytes are stored; `finish` runs in the same transaction. Returns false if it was
   * discarded.
   */
  ready(
    made: { readonly id: ExportId; readonly size: number; readonly at: Date; readonly expiresAt: Date },
    finish: (trx: Transaction) => Promise<void>,
  ): Promise<boolean>;
  fail(id: ExportId, at: Date, finish: (trx: Transaction) => Promise<void>): Promise<void>;
  giveUpOf(ownerId: UserId): Promise<void>;
  /** Discards expired archives, and fails those that no worker builds anymore. */
  endOver(now: Date): Promise<void>;
  /** Returns discarded archives that no worker is building. */
  listGivenUp(limit: number): Promise<ExportId[]>;
  remove(id: ExportId): Promise<void>;
}

/** Data that services store about an account, in their own format; each is read once, row by row. */
export interface AccountExportSources {
  /** Yields conversations in the order that `messages` uses. */
  conversations(ownerId: UserId, signal: AbortSignal): AsyncIterable<ExportedConversation>;
  messages(ownerId: UserId, signal: AbortSignal): AsyncIterable<ExportedMessage>;
  /** Returns everything else, by file name. */
  others(ownerId: UserId, signal: AbortSignal): Record<string, () => AsyncIterable<object>>;
}

interface ExportedConversation {
  readonly id: string;
  readonly type: string;
  readonly row: object;
  /** Group properties, for a group. */
  readonly group: object | undefined;
}

interface ExportedMessage {
  readonly conversationId: string;
  readonly row: object;
  readonly fileIds: readonly FileId[];
}
