import type { Conversation, Message } from '@nolo/api';
import { isolateDirection, toPortableFileName } from '@nolo/rules';
import type { ChatApi } from '@nolo/client/chat/ports';
import { approverOf } from '@nolo/client/chat/rowOpening';
import { isSealed } from '@nolo/client/chat/sealedRows';
import { mediaOfMessage, type ShownMedia } from '@nolo/client/chat/shownMedia';
import { exportPageEnd, renderExportMessage, renderExportPageStart } from './exportPage.ts';
import type { ExportPageHead, ExportPageMessage } from './exportPage.ts';
import { maxArchiveBytes, type ZipStream } from './zipStream.ts';

const pageSize = 100;

/** Formatting of the page for people. */
export interface ChatExportTexts {
  head: ExportPageHead;
  /** Returns a name, including those of former members. */
  nameOf: (userId: string, message: Message) => string;
  dayOf: (time: string) => string;
  timeOf: (time: string) => string;
  /** Returns the text of a system message, or a description of a file. */
  summary: (message: Message) => string;
  edited: string;
  forwarded: string;
  /** Says that this device cannot open a message. */
  unopened: string;
}

export interface ChatExportOptions {
  conversation: Pick<Conversation, 'id' | 'type' | 'lastSeq' | 'clearedSeq'>;
  selfId: string;
  /** Lists messages, opened as far as this device can. */
  api: Pick<ChatApi, 'listMessages'>;
  /** Loads the bytes of a file. @throws if they are unavailable */
  load: (url: string, signal: AbortSignal) => Promise<Blob>;
  withFiles: boolean;
  words: ChatExportTexts;
  zip: ZipStream;
  signal: AbortSignal;
  /** Progress from 0 to 1. */
  onProgress: (share: number) => void;
}

export interface ChatExportResult {
  messages: number;
  /** Number of messages that this device cannot open. */
  unopened: number;
  files: number;
  /** Number of files that were unavailable or did not fit in the archive. */
  missing: number;
}

interface WantedFile {
  url: string;
  path: string;
  size: number;
}

/** Share of the messages in the progress if there are files, which are far larger. */
const messageShare = 0.3;

const endings: Partial<Record<ShownMedia['kind'], string>> = { image: 'photo', video: 'video', voice: 'voice' };

function fileNameOf({ kind, name, info }: ShownMedia): string {
  if (name !== null) return toPortableFileName(name) || 'file';
  const ending = /^[a-z]+\/([a-z0-9]+)/.exec(info.type ?? '')?.[1];
  return `${endings[kind] ?? 'file'}${ending === undefined ? '' : `.${ending}`}`;
}

/** Deleted, hidden, and expiring messages are not exported. */
const isTaken = ({ deletedAt, expiresAt, hidden }: Message): boolean =>
  deletedAt === null && expiresAt === null && hidden !== true;

async function* pagesOf({ conversation, api, signal }: ChatExportOptions): AsyncGenerator<readonly Message[]> {
  let after = conversation.clearedSeq;
  for (;;) {
    signal.throwIfAborted();
    const { items, nextCursor } = await api.listMessages(conversation.id, { after, limit: pageSize });
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    after = last.seq;
    if (nextCursor === null) return;
  }
}

/** Returns the machine-readable form of a message. */
function rowOf(message: Message, path: string | null, { nameOf, summary, unopened }: ChatExportTexts) {
  const { seq, senderId, createdAt, editedAt, messageType, content, replyTo, forwarded, fileName, fileSize } = message;
  const isSystemMessage = messageType === 'system';
  const isClosed = isSealed(message);
  const isFile = !isSystemMessage && !isClosed && messageType !== 'text';
  return {
    seq,
    sentAt: createdAt,
    from: { id: senderId, name: nameOf(senderId, message) },
    type: messageType,
    text: isClosed ? unopened : isSystemMessage ? summary(message) : content,
    ...(isClosed && { unopened: true }),
    ...(isFile && { file: { name: fileName, bytes: fileSize, path } }),
    ...(message.voiceMessageTranscription !== null && { transcription: message.voiceMessageTranscription }),
    ...(replyTo !== null && { answers: replyTo.seq }),
    ...(forwarded && { forwarded }),
    ...(editedAt !== null && { editedAt }),
    ...(message.reactions.length > 0 && {
      reactions: message.reactions.map(({ emoji, userId }) => ({ emoji, from: userId })),
    }),
  };
}

/** @param authors of approved messages by number, which the server does not know */
function pageRowOf(
  message: Message,
  path: string | null,
  authors: ReadonlyMap<number, string>,
  { selfId, words }: ChatExportOptions,
): ExportPageMessage {
  const { seq, senderId, createdAt, content, messageType, replyTo } = message;
  const isSystemMessage = messageType === 'system';
  const media = isSealed(message) ? null : mediaOfMessage(message);
  const labels = [message.forwarded ? words.forwarded : '', message.editedAt === null ? '' : words.edited];
  return {
    seq,
    day: words.dayOf(createdAt),
    time: words.timeOf(createdAt),
    name: words.nameOf(senderId, message),
    own: senderId === selfId,
    isSystemMessage,
    text: isSealed(message) ? words.unopened : isSystemMessage ? words.summary(message) : content,
    answers: replyTo && {
      seq: replyTo.seq,
      name: words.nameOf(authors.get(replyTo.seq) ?? replyTo.senderId, message),
    },
    file: media && { label: words.summary({ ...message, content: '' }), path, picture: media.kind === 'image' },
    reactions: message.reactions
      .map(({ emoji, userId }) => `${emoji} ${isolateDirection(words.nameOf(userId, message))}`)
      .join(', '),
    labels: labels.filter((label) => label !== '').join(' · '),
  };
}

async function addFiles(options: ChatExportOptions, wanted: readonly WantedFile[]): Promise<number> {
  const { zip, load, signal, onProgress } = options;
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  let [added, passed] = [0, 0];
  for (const { url, path, size } of wanted) {
    signal.throwIfAborted();
    if (zip.size() + size < maxArchiveBytes) {
      // A missing file must not stop the rest.
      const body = await load(url, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (body !== undefined && zip.size() + body.size < maxArchiveBytes) {
        await zip.bytes(path, body);
        added += 1;
      }
    }
    passed += size;
    onProgress(messageShare + (1 - messageShare) * (total === 0 ? 1 : passed / total));
  }
  return added;
}

/**
 * Exports a conversation, as readable on this device, to an archive: `messages.json` for programs, `index.html` for
 * people, and the files if requested.
 */
export async function exportChat(options: ChatExportOptions): Promise<ChatExportResult> {
  const { conversation, withFiles, words, zip, onProgress } = options;
  const first = conversation.clearedSeq + 1;
  const span = Math.max(1, conversation.lastSeq - first + 1);
  const share = withFiles ? messageShare : 1;
  const wanted: WantedFile[] = [];
  const page: string[] = [renderExportPageStart(words.head)];
  const authors = new Map<number, string>();
  let [messages, unopened, day] = [0, 0, undefined as string | undefined];

  const rows = async function* () {
    yield '[';
    for await (const items of pagesOf(options)) {
      let rowsOfPage = '';
      for (const message of items.filter(isTaken)) {
        const media = isSealed(message) ? null : mediaOfMessage(message);
        const path = withFiles && media?.url ? `files/${message.seq}-${fileNameOf(media)}` : null;
        if (path !== null && media?.url) wanted.push({ url: media.url, path, size: media.size ?? 0 });
        rowsOfPage += `${messages === 0 ? '\n' : ',\n'}${JSON.stringify(rowOf(message, path, words))}`;
        if (approverOf(message) !== null) authors.set(message.seq, message.senderId);
        const row = pageRowOf(message, path, authors, options);
        page.push(renderExportMessage(row, day));
        day = row.day;
        messages += 1;
        if (isSealed(message)) unopened += 1;
      }
      onProgress((share * Math.min(span, (items.at(-1)?.seq ?? first) - first + 1)) / span);
      yield rowsOfPage;
    }
    yield '\n]\n';
  };

  await zip.text('messages.json', rows());
  page.push(exportPageEnd);
  await zip.text('index.html', page);
  const files = await addFiles(options, wanted);
  await zip.finish();
  onProgress(1);
  return { messages, unopened, files, missing: wanted.length - files };
}
