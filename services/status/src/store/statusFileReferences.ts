import type { Knex } from '@nolo/kit/db';
import type { FileId } from '@nolo/kit/ids';
import type { StatusFileReferenceStore } from '../domain/ports.ts';
import { isVisibleSql } from './visibility.ts';

export function createStatusFileReferenceStore(db: Knex): StatusFileReferenceStore {
  return {
    async readableUntil(viewer, file, now) {
      const { rows } = await db.raw<{ rows: { until: Date | null }[] }>(
        `select max(s.expires_at) as until from statuses s
         where (s.file_id = :file or s.preview_file_id = :file) and ${isVisibleSql}`,
        { viewer, file, now },
      );
      return rows[0]?.until ?? undefined;
    },

    async listNamed(fileIds, now) {
      const named: { file_id: FileId | null; preview_file_id: FileId | null }[] = await db('statuses')
        .where({ removed_at: null })
        .where('expires_at', '>', now)
        .where((some) => void some.whereIn('file_id', fileIds).orWhereIn('preview_file_id', fileIds))
        .select('file_id', 'preview_file_id');
      const all = new Set(named.flatMap((row) => [row.file_id, row.preview_file_id]));
      return fileIds.filter((id) => all.has(id));
    },
  };
}
