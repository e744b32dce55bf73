import type { Message } from '@nolo/api';
import { encryptions, messageTypes } from '@nolo/rules';
import * as z from 'zod/mini';
import { ExportFileError } from './ExportFileError.ts';
import type { ZipArchive } from './zipReader.ts';

/** Characters of one line; a message is far shorter, with all reactions. */
const maxLineLength = 8 * 1024 * 1024;

/** Yields the lines of an entry, each parsed. @throws ExportFileError `damaged` */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw new ExportFileError('damaged');
    for (const line of lines) yield parse(line);
  }
  // Every line ends with a line break.
  if (rest !== '') throw new ExportFileError('damaged');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExportFileError('damaged');
  }
}

function check<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = z.safeParse(schema, value);
  if (!parsed.success) throw new ExportFileError('damaged');
  return parsed.data;
}

/** Yields the entries of a data file in their form, none if the file is missing. @throws ExportFileError `damaged` */
export async function* rowsIn<S extends z.core.$ZodType>(
  { entries, read }: Pick<ZipArchive, 'entries' | 'read'>,
  name: string,
  schema: S,
): AsyncGenerator<z.output<S>> {
  if (entries.has(name)) for await (const row of linesOf(read(name))) yield check(schema, row);
}

const accountPath = 'account.json';
/** Bytes of the account's data that are read at once. */
const maxAccountBytes = 64 * 1024 * 1024;
const account = z.object({ profile: z.object({ id: z.uuid() }) });

/** Returns the account whose export it is. @throws ExportFileError `not_export` or `damaged` */
export async function ownerOf({ entries, read }: ZipArchive): Promise<string> {
  const entry = entries.get(accountPath);
  if (!entry || !entries.has('messages.jsonl')) throw new ExportFileError('not_export');
  if (entry.uncompressedSize > maxAccountBytes) throw new ExportFileError('damaged');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of read(accountPath)) text += decoder.decode(chunk, { stream: true });
  return check(account, parse(text)).profile.id;
}

/** Bytes as the API has them. */
const toBase64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const id = z.uuid();
const time = z.iso.datetime();
const bytes = z.pipe(z.string(), z.transform(toBase64Url));
const bytesOrNull = z.nullable(bytes);
const seal = z.object({
  sealed: bytes,
  epoch: z.int(),
  deviceId: id,
  version: z.int(),
  place: z.int(),
  own: z.array(bytes),
  targetRow: bytesOrNull,
  rowHash: bytes,
  origin: bytesOrNull,
  hasLink: z.boolean(),
  deletion: bytesOrNull,
  annotations: z.array(
    z.object({
      kind: z.enum(['reaction', 'pin']),
      userId: id,
      deviceId: id,
      clientMessageId: id,
      epoch: z.int(),
      sealed: bytes,
      place: z.int(),
    }),
  ),
  held: z.boolean(),
  draftId: z.optional(id),
  draftOrigin: bytesOrNull,
});
const attachment = z.object({
  fileUrl: z.optional(z.string()),
  fileSize: z.int(),
  voiceMessageUrl: z.optional(z.string()),
  previewUrl: z.optional(z.string()),
});

/** Message as the export has it: fields without a value are absent, and bytes are base64. */
export const exportedMessage = z.object({
  id,
  conversationId: id,
  senderId: id,
  seq: z.int(),
  changeSeq: z.int(),
  content: z.string(),
  encryption: z.enum(encryptions),
  messageType: z.enum(messageTypes),
  clientMessageId: z.optional(id),
  mentions: z.array(id),
  replyTo: z.optional(z.object({ seq: z.int(), messageId: id, senderId: id })),
  forwarded: z.boolean(),
  reactions: z.array(z.object({ userId: id, emoji: z.string() })),
  pinnedAt: z.optional(time),
  expiresAt: z.optional(time),
  createdAt: time,
  editedAt: z.optional(time),
  deletedAt: z.optional(time),
  attachment: z.optional(attachment),
  sealed: z.optional(seal),
});

/** Returns a message as the API serves it. */
export function toMessage({ sealed: given, attachment: media, ...row }: z.infer<typeof exportedMessage>): Message {
  return {
    ...row,
    sender: null,
    clientMessageId: row.clientMessageId ?? null,
    fileUrl: media?.fileUrl ?? null,
    fileName: null,
    fileSize: media && (media.fileUrl !== undefined || media.fileSize > 0) ? media.fileSize : null,
    voiceMessageUrl: media?.voiceMessageUrl ?? null,
    voiceMessageDuration: null,
    voiceMessageTranscription: null,
    mediaInfo: null,
    previewUrl: media?.previewUrl ?? null,
    replyTo: row.replyTo ?? null,
    linkPreview: null,
    pinnedAt: row.pinnedAt ?? null,
    expiresAt: row.expiresAt ?? null,
    editedAt: row.editedAt ?? null,
    deletedAt: row.deletedAt ?? null,
    ...(given && { sealed: given.sealed || null, seal: { ...given, draftId: given.draftId ?? null } }),
  };
}
