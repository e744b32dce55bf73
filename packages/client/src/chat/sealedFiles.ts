import { openEnvelope, type EnvelopeFields } from '@nolo/rules';

/** Files of sealed messages (docs/encryption.md, section 5). The seal binds their ids; which is which is inside. */

const urlNames = ['fileUrl', 'voiceMessageUrl', 'previewUrl'] as const;
type UrlName = (typeof urlNames)[number];

/** Fields of a message that name its files. */
export type FilesOf = {
  readonly [Name in UrlName]?: string | null | undefined;
} & { readonly fileSize?: number | null | undefined };

/** Fields of a content that name its files. */
type FileFields = { readonly [Name in UrlName]?: string } & { readonly fileSize?: number };

const ownFile = /^\/objects\/([0-9a-f-]{36})$/;

const fileIdOf = (url: unknown): string | undefined => (typeof url === 'string' ? ownFile.exec(url)?.[1] : undefined);

/** Returns the ids of the files of a message, in ascending order. */
export function fileIdsOf(files: FilesOf): string[] {
  return [...new Set(urlNames.flatMap((name) => fileIdOf(files[name]) ?? []))].toSorted();
}

/** Returns the fields that name files. A URL of another place names none: it would learn who opens the message. */
function pickFiles({ fileSize, ...urls }: { readonly [Name in UrlName | 'fileSize']?: unknown }): FileFields {
  const isSize = typeof fileSize === 'number' && Number.isSafeInteger(fileSize) && fileSize >= 0;
  const ids = urlNames.map((name) => [name, fileIdOf(urls[name])] as const);
  const own = ids.flatMap(([name, id]) => (id === undefined ? [] : [[name, `/objects/${id}`] as const]));
  return { ...Object.fromEntries(own), ...(isSize && { fileSize }) };
}

/** Returns the fields that name a message's files, for its content. */
export const toFileFields = (files: FilesOf): FileFields => pickFiles(files);

/** Returns the fields of a content that name its files. */
export function filesIn(content: string): FileFields {
  const fields: Readonly<Record<string, unknown>> = openEnvelope(content) ?? {};
  const { fileUrl, voiceMessageUrl, previewUrl, fileSize } = fields;
  return pickFiles({ fileUrl, voiceMessageUrl, previewUrl, fileSize });
}

/** Splits what a content says of files from the rest of it. A URL counts if the seal of the row binds its file. */
export function splitFiles(
  row: FilesOf,
  { fileUrl, voiceMessageUrl, previewUrl, fileSize, ...rest }: EnvelopeFields,
): { rest: EnvelopeFields; files: Record<UrlName, string | null> & { fileSize: number | null } } {
  const ids = fileIdsOf(row);
  const named = pickFiles({ fileUrl, voiceMessageUrl, previewUrl, fileSize });
  const urlOf = (name: UrlName): string | null =>
    ids.includes(fileIdOf(named[name]) ?? '') ? (named[name] ?? null) : null;
  const urls = {
    fileUrl: urlOf('fileUrl'),
    voiceMessageUrl: urlOf('voiceMessageUrl'),
    previewUrl: urlOf('previewUrl'),
  };
  return { rest, files: { ...urls, fileSize: named.fileSize ?? null } };
}
