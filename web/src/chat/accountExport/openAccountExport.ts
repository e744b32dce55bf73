import type { Message } from '@nolo/api';
import { collectPersonIdsOfMessage } from '@nolo/client/chat/names';
import type { ChatApi } from '@nolo/client/chat/ports';
import { asSent, openRow } from '@nolo/client/chat/rowForms';
import { wasSealed } from '@nolo/client/chat/sealedRows';
import type { Conversations } from '@nolo/client/keys/conversations/types';
import { toPortableFileName } from '@nolo/rules';
import * as z from 'zod/mini';
import { exportChat, type ChatExportResult, type ChatExportTexts } from '../chatExport/chatExport.ts';
import { exportPageEnd, renderExportLink, renderExportPageStart } from '../chatExport/exportPage.ts';
import type { ZipStream } from '../chatExport/zipStream.ts';
import { ExportFileError } from './ExportFileError.ts';
import { exportedMessage, ownerOf, rowsIn, toMessage } from './exportedRows.ts';
import { openZip, type ZipArchive } from './zipReader.ts';

/** Rows that the port opens at once. */
const pageSize = 50;
const messagesPath = 'messages.jsonl';

/** Export of the signed-in account. */
export type AccountExportFile = ZipArchive;

/**
 * Opens the file of an account's export.
 *
 * @throws ExportFileError if it is another kind of file, incomplete, or of another account
 */
export async function openExportFile(file: Blob, selfId: string): Promise<AccountExportFile> {
  const archive = await openZip(file);
  if ((await ownerOf(archive)) !== selfId) throw new ExportFileError('foreign');
  return archive;
}

export interface AccountExportOptions {
  file: AccountExportFile;
  selfId: string;
  /** Opens sealed rows with the keys of this device; null if it has none. */
  port: Pick<Conversations, 'listSealed' | 'open'> | null;
  /** Opens the content of a message that is not sealed. */
  openContent: (message: Message) => Promise<Message>;
  /** Learns the names of these people, as far as it can. */
  learnNames: (userIds: readonly string[]) => Promise<void>;
  /** Returns the name of a conversation. @param group name of a group, from the export */
  titleOf: (conversationId: string, group: string | undefined) => Promise<string>;
  words: (title: string) => ChatExportTexts;
  /** Title of the page that lists the chats. */
  title: string;
  zip: ZipStream;
  signal: AbortSignal;
  /** Progress from 0 to 1. */
  onProgress: (share: number) => void;
}

export interface AccountExportResult extends ChatExportResult {
  chats: number;
}

/** Reads messages one conversation after the other, each page opened. */
function createMessageReader(options: AccountExportOptions, sealedIds: ReadonlySet<string>) {
  const { file, port, openContent, learnNames, signal } = options;
  const rows = rowsIn(file, messagesPath, exportedMessage);
  let next: Message | undefined;

  const peek = async (): Promise<Message | undefined> => {
    if (next) return next;
    const { value, done } = await rows.next();
    if (done !== true) next = toMessage(value);
    return next;
  };
  const openPage = async (id: string, page: readonly Message[]): Promise<Message[]> => {
    const plain = await Promise.all(page.map(openContent));
    const isSealed = sealedIds.has(id) || page.some(wasSealed);
    if (!isSealed) return plain;
    if (!port) throw new ExportFileError('no_keys');
    const found = await port.open(id, page, 'exported');
    return plain.map((row, at) => {
      const opened = found[at];
      if (opened?.state === 'plain') return openRow(row, opened);
      return openRow(asSent(row), opened?.messageId === row.id ? opened : { messageId: row.id, state: 'waiting' });
    });
  };
  const listMessages: ChatApi['listMessages'] = async (id) => {
    const page: Message[] = [];
    for (let one = await peek(); page.length < pageSize && one?.conversationId === id; one = await peek()) {
      signal.throwIfAborted();
      page.push(one);
      next = undefined;
    }
    const items = await openPage(id, page);
    await learnNames(items.flatMap(collectPersonIdsOfMessage));
    return { items, nextCursor: (await peek())?.conversationId === id ? 'more' : null };
  };
  return { peek, listMessages };
}

const fileUrl = /^\/objects\/([0-9a-f-]{36})$/;

/** Finds the files of an export by their ids, with which their names begin. */
function findFiles({ entries }: ZipArchive): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of entries.keys()) {
    const id = /^files\/([0-9a-f-]{36})(?:-|$)/.exec(name)?.[1];
    if (id !== undefined) found.set(id, name);
  }
  return found;
}

/** Counts the bytes of entries as they are read. */
function countReads(archive: ZipArchive, onRead: (bytes: number) => void): ZipArchive {
  return {
    ...archive,
    async *read(name) {
      for await (const chunk of archive.read(name)) {
        onRead(chunk.length);
        yield chunk;
      }
    },
    async part(name) {
      const part = await archive.part(name);
      onRead(part.size);
      return part;
    },
  };
}

const group = z.object({ id: z.string(), name: z.string() });

async function groupNames(file: ZipArchive): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, name } of rowsIn(file, 'groups.jsonl', group)) names.set(id, name);
  return names;
}

/** Returns the archive's folder as an archive of its own, which ends with the whole. */
const inFolder = (zip: ZipStream, folder: string): ZipStream => ({
  text: (path, chunks) => zip.text(`${folder}/${path}`, chunks),
  bytes: (path, body) => zip.bytes(`${folder}/${path}`, body),
  size: zip.size,
  finish: async () => undefined,
});

/**
 * Writes the chats of an account's export as a readable archive: a folder for each, as the export of one chat, and a
 * page that lists them. Only a page of messages, and the text of one chat, is in memory.
 *
 * @throws ExportFileError `damaged`, or `no_keys` if a message is sealed and this device has no keys
 */
export async function openAccountExport(options: AccountExportOptions): Promise<AccountExportResult> {
  const { port, selfId, titleOf, words, title, zip, signal, onProgress } = options;
  const files = findFiles(options.file);
  const sizeOf = (name: string) => options.file.entries.get(name)?.uncompressedSize ?? 0;
  const total = [messagesPath, ...files.values()].reduce((sum, name) => sum + sizeOf(name), 1);
  const groups = await groupNames(options.file);
  let done = 0;
  const file = countReads(options.file, (bytes) => {
    done += bytes;
    // A file may be in several messages.
    onProgress(Math.min(1, done / total));
  });
  const reader = createMessageReader({ ...options, file }, new Set(await port?.listSealed()));
  const load = async (url: string): Promise<Blob> => {
    const name = files.get(fileUrl.exec(url)?.[1] ?? '');
    if (name === undefined) throw new ExportFileError('damaged');
    return file.part(name);
  };
  const page = [renderExportPageStart(words(title).head)];
  const result = { chats: 0, messages: 0, unopened: 0, files: 0, missing: 0 };

  for (let first = await reader.peek(); first; first = await reader.peek()) {
    const id = first.conversationId;
    const name = await titleOf(id, groups.get(id));
    result.chats += 1;
    const folder = `chats/${String(result.chats).padStart(4, '0')} ${toPortableFileName(name)}`.trim();
    const chat = await exportChat({
      conversation: { id, type: groups.has(id) ? 'group' : 'direct', lastSeq: first.seq, clearedSeq: 0 },
      selfId,
      api: reader,
      load,
      withFiles: true,
      words: words(name),
      zip: inFolder(zip, folder),
      signal,
      onProgress: () => undefined,
    });
    for (const key of ['messages', 'unopened', 'files', 'missing'] as const) result[key] += chat[key];
    page.push(renderExportLink(`${folder}/index.html`, name));
  }
  page.push(exportPageEnd);
  await zip.text('index.html', page);
  await zip.finish();
  onProgress(1);
  return result;
}
