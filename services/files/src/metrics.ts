import { Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface FilesMetrics {
  readonly files: Counter<'kind'>;
  readonly bytes: Counter<'direction'>;
  readonly deleted: Counter<'reason'>;
  readonly picturesRefused: Counter<'reason'>;
  readonly archives: Counter<'result'>;
  readonly archiveSeconds: Histogram;
}

/** Creates the metrics specific to this service; kit measures RPCs, statements and the like. */
export function createMetrics(
  registry: Registry,
  pictures: { readonly waiting: number; readonly waitingCost: number },
): FilesMetrics {
  const registers = [registry];
  new Gauge({
    name: 'nolo_files_pictures_waiting',
    help: 'Pictures that wait for a process to make them.',
    registers,
    collect() {
      this.set(pictures.waiting);
    },
  });
  new Gauge({
    name: 'nolo_files_megapixels_waiting',
    help: 'What the pictures that wait cost, in megapixels of a JPEG that take as long.',
    registers,
    collect() {
      this.set(pictures.waitingCost);
    },
  });
  return {
    picturesRefused: new Counter({
      name: 'nolo_files_megapixels_refused_total',
      help: 'What pictures would have cost that were refused before they were decoded, in megapixels of a JPEG that take as long, by reason: too_large, busy (others waited with less) or spent (the hour of the account).',
      labelNames: ['reason'] as const,
      registers,
    }),
    files: new Counter({
      name: 'nolo_files_total',
      help: 'Files that were uploaded to the end, by kind.',
      labelNames: ['kind'] as const,
      registers,
    }),
    bytes: new Counter({
      name: 'nolo_files_bytes_total',
      help: 'Bytes of files that went through this service, by direction; those brought straight to the storage are not.',
      labelNames: ['direction'] as const,
      registers,
    }),
    deleted: new Counter({
      name: 'nolo_files_deleted_total',
      help: 'Files that were deleted, by reason: unnamed by any message, given up before they were whole, or put into the storage without an upload.',
      labelNames: ['reason'] as const,
      registers,
    }),
    archives: new Counter({
      name: 'nolo_files_archives_total',
      help: 'Archives of accounts that were begun and ended, by result: ready, failed or given up.',
      labelNames: ['result'] as const,
      registers,
    }),
    archiveSeconds: new Histogram({
      name: 'nolo_files_archive_seconds',
      help: 'How long people waited for an archive of their account.',
      buckets: [1, 5, 15, 60, 300, 900, 3_600, 14_400],
      registers,
    }),
  };
}
