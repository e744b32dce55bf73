import type { FileId, Id, UserId } from '@nolo/kit/ids';
import { defineQueue } from '@nolo/kit/jobs';
import { z } from 'zod';
import type { StorageKey, StoredObject } from './ports.ts';
import type { ReadyFile } from './sharedFiles.ts';

export type ExportId = Id<'export'>;
export type ExportLanguage = 'en' | 'de';
export type ExportStep = 'account' | 'messages' | 'files';

/** How long an archive is there to be fetched. */
export const archiveLifetimeMs = 24 * 3_600_000;
/** How long it is told of one that failed. */
export const failureLifetimeMs = 7 * 24 * 3_600_000;

/** A job for each archive, with its id. What was begun by a worker that died begins anew. */
export const archiving = defineQueue({
  name: 'archives',
  payload: z.object({ exportId: z.uuid() }),
  attempts: 5,
  timeoutMs: 12 * 3_600_000,
  concurrency: 2,
  whenInterrupted: 'retry',
});

/** What another service has told of the account already: a file of the archive. */
export interface ExportedPart {
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
  /** Bytes, once it is ready. */
  readonly size: number | undefined;
  readonly startedAt: Date;
  /** When a ready one is deleted, or a failed one told of no more. */
  readonly expiresAt: Date | undefined;
}

export const archiveKey = (id: ExportId): StorageKey => `objects/${id}`;

export interface ExportStore<Transaction> {
  /** Adds one with its job and gives up the one before; while one is being made, answers with that. */
  start(wanted: AccountExport, parts: readonly ExportedPart[]): Promise<AccountExport>;
  find(id: ExportId): Promise<AccountExport | undefined>;
  /** What it begins with. */
  parts(id: ExportId): Promise<ExportedPart[]>;
  /** None that was given up. */
  findOf(ownerId: UserId): Promise<AccountExport | undefined>;
  /** False where it is not to be made any more. */
  progress(id: ExportId, step: ExportStep, percent: number): Promise<boolean>;
  /** Begins the list of files anew, with those that the account uploaded. */
  listOwnFiles(id: ExportId): Promise<void>;
  addFiles(id: ExportId, fileIds: readonly FileId[]): Promise<void>;
  /** Bytes of all that are there. */
  bytesOfFiles(id: ExportId): Promise<number>;
  /** A page of those that are there, by their ids. */
  filesOf(id: ExportId, after: FileId | undefined, limit: number): Promise<ReadyFile[]>;
  /** The account's own. */
  picturesOf(ownerId: UserId): Promise<StoredObject[]>;
  /** Once its bytes lie in the storage; `finish` holds in the same transaction. False where it was given up. */
  ready(
    made: { readonly id: ExportId; readonly size: number; readonly at: Date; readonly expiresAt: Date },
    finish: (trx: Transaction) => Promise<void>,
  ): Promise<boolean>;
  fail(id: ExportId, at: Date, finish: (trx: Transaction) => Promise<void>): Promise<void>;
  giveUpOf(ownerId: UserId): Promise<void>;
  /** Gives up what is over, and fails what nobody makes any more. */
  endOver(now: Date): Promise<void>;
  /** Given up, and no worker has it under way. */
  listGivenUp(limit: number): Promise<ExportId[]>;
  remove(id: ExportId): Promise<void>;
}

/** What the services keep of an account, as they have it; each is read once, row by row. */
export interface AccountSources {
  /** In the order in which `messages` goes through them. */
  conversations(ownerId: UserId, signal: AbortSignal): AsyncIterable<ExportedConversation>;
  messages(ownerId: UserId, signal: AbortSignal): AsyncIterable<ExportedMessage>;
  /** Everything else, by the file's name. */
  others(ownerId: UserId, signal: AbortSignal): Record<string, () => AsyncIterable<object>>;
}

export interface ExportedConversation {
  readonly id: string;
  readonly type: string;
  readonly row: object;
  /** What a group is, where it is one. */
  readonly group: object | undefined;
}

export interface ExportedMessage {
  readonly conversationId: string;
  readonly row: object;
  readonly fileIds: readonly FileId[];
}
