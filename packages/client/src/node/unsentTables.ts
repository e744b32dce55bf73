import type { DatabaseSync } from 'node:sqlite';
import type { ChatDeviceStorage, MediaFiles, UnsentMessage } from '../chat/ports.ts';
import type { Thumbnail, UploadResumePoint } from '../ports.ts';

export const unsentSchema = `
  create table unsent (place integer primary key, id text not null unique, message text not null) strict;
  create table files (
    id text not null, part text not null, width integer, type text not null, content blob not null,
    primary key (id, part)
  ) strict;
  create table uploads (id text primary key, place text not null) strict;
`;

/** Returns the prepared statement of an SQL text. */
export type PrepareSql = (text: string) => ReturnType<DatabaseSync['prepare']>;

/** One file in the table. */
interface StoredPart {
  readonly part: string;
  /** Width of a smaller version in pixels. */
  readonly width: number | null;
  readonly type: string;
  readonly content: Uint8Array;
}

const toPart = async (part: string, file: Blob, width: number | null = null): Promise<StoredPart> => {
  return { part, width, type: file.type, content: new Uint8Array(await file.arrayBuffer()) };
};

const toParts = ({ file, poster, thumbnails = [] }: MediaFiles): Promise<StoredPart[]> =>
  Promise.all([
    toPart('file', file),
    ...(poster ? [toPart('poster', poster)] : []),
    ...thumbnails.map((one) => toPart(`thumbnail ${one.width}`, one.file, one.width)),
  ]);

const toBlob = ({ content, type }: StoredPart): Blob => new Blob([new Uint8Array(content)], { type });

function toFiles(parts: readonly StoredPart[]): MediaFiles | undefined {
  const [file, poster] = ['file', 'poster'].map((name) => parts.find(({ part }) => part === name));
  if (!file) return undefined;
  const thumbnails = parts.flatMap((part): Thumbnail[] =>
    part.width === null ? [] : [{ width: part.width, file: toBlob(part) }],
  );
  return {
    file: toBlob(file),
    ...(poster && { poster: toBlob(poster) }),
    ...(thumbnails.length > 0 && { thumbnails }),
  };
}

type UnsentStorage = Pick<
  ChatDeviceStorage,
  'listUnsent' | 'putUnsent' | 'removeUnsent' | 'readUnsent' | 'readFiles' | 'putFiles' | 'putUploadPlace'
>;

/** Stores unsent messages, their files in BLOBs, and apart from them how far the uploads are. */
export function createUnsentTables(
  sql: PrepareSql,
  transaction: <T>(work: () => T) => T,
): UnsentStorage & { list(): UnsentMessage[] } {
  const list = (): UnsentMessage[] =>
    sql('select message from unsent order by place')
      .all()
      .map(({ message }) => JSON.parse(String(message)) as UnsentMessage);
  const writeFiles = (id: string, parts: readonly StoredPart[]): void => {
    sql('delete from files where id = ?').run(id);
    const insert = sql('insert into files (id, part, width, type, content) values (?, ?, ?, ?, ?)');
    for (const { part, width, type, content } of parts) insert.run(id, part, width, type, content);
  };

  return {
    list,
    listUnsent: async () => list(),
    putUnsent: async (message) =>
      // An existing message keeps its place.
      void sql(
        `insert into unsent (id, message) values (?, ?)
         on conflict (id) do update set message = excluded.message`,
      ).run(message.clientMessageId, JSON.stringify(message)),
    removeUnsent: async (id) =>
      transaction(() => {
        for (const table of ['unsent', 'files', 'uploads']) sql(`delete from ${table} where id = ?`).run(id);
      }),
    readUnsent: async (id) => {
      const stored = sql('select message from unsent where id = ?').get(id);
      return stored && (JSON.parse(String(stored['message'])) as UnsentMessage);
    },
    readFiles: async (id) =>
      transaction(() => {
        const rows: unknown[] = sql('select part, width, type, content from files where id = ? order by rowid').all(id);
        const files = toFiles(rows as StoredPart[]);
        const place = sql('select place from uploads where id = ?').get(id)?.['place'];
        return (
          files && { ...files, ...(place !== undefined && { place: JSON.parse(String(place)) as UploadResumePoint }) }
        );
      }),
    putFiles: async (id, files) => {
      // A transaction cannot wait for the bytes.
      const parts = await toParts(files);
      transaction(() => writeFiles(id, parts));
    },
    putUploadPlace: async (id, place) =>
      void sql('insert or replace into uploads (id, place) values (?, ?)').run(id, JSON.stringify(place)),
  };
}
