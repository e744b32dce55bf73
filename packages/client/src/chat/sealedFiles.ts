import type { EnvelopeFields } from '@nolo/rules';

/** Files of sealed messages (docs/encryption.md, section 5). The seal binds their ids; which is which is inside. */

const urlNames = ['fileUrl', 'voiceMessageUrl', 'previewUrl'] as const;
type UrlName = (typeof urlNames)[number];

/** Fields of a message that name its files. */
export type FilesOf = {
  readonly [Name in UrlName]?: string | null | undefined;
} & { readonly fileSize?: number | null | undefined };

const ownFile = /^\/objects\/([0-9a-f-]{36})$/;

const fileIdOf = (url: unknown): string | undefined => (typeof url === 'string' ? ownFile.exec(url)?.[1] : undefined);

/** Returns the ids of the files of a message, in ascending order. */
export function fileIdsOf(files: FilesOf): string[] {
  return [...new Set(urlNames.flatMap((name) => fileIdOf(files[name]) ?? []))].toSorted();
}

/** Returns the fields that name a message's files, as its content does. An URL of another place names none. */
export function toFileFields(files: FilesOf): EnvelopeFields {
  const { fileSize } = files;
  const urls = urlNames.flatMap((name) => (fileIdOf(files[name]) ? [[name, files[name]]] : []));
  return { ...Object.fromEntries(urls), ...(typeof fileSize === 'number' && { fileSize }) };
}

/**
 * Splits what a content says of files from the rest of it. A URL counts if the row has a file with its id, which the
 * seal binds: no other place learns who opens a message.
 */
export function splitFiles(
  row: FilesOf,
  { fileUrl, voiceMessageUrl, previewUrl, fileSize, ...rest }: EnvelopeFields,
): { rest: EnvelopeFields; files: Record<UrlName, string | null> & { fileSize: number | null } } {
  const ids = fileIdsOf(row);
  const urlOf = (url: unknown): string | null => {
    const id = fileIdOf(url);
    return id !== undefined && ids.includes(id) ? `/objects/${id}` : null;
  };
  const isSize = typeof fileSize === 'number' && Number.isSafeInteger(fileSize) && fileSize >= 0;
  const urls = { fileUrl: urlOf(fileUrl), voiceMessageUrl: urlOf(voiceMessageUrl), previewUrl: urlOf(previewUrl) };
  return { rest, files: { ...urls, fileSize: isSize ? fileSize : null } };
}
