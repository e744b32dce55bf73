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
export function createFilesMetrics(
  registry: Registry,
  pictures: { readonly waiting: number; readonly waitingCost: number },
): FilesMetrics {
  const registers = [registry];
  new Gauge({
    name: 'nolo_files_pictures_waiting',
    help: 'Pictures waiting to be processed.',
    registers,
    collect() {
      this.set(pictures.waiting);
    },
  });
  new Gauge({
    name: 'nolo_files_megapixels_waiting',
    help: 'Cost of the waiting pictures, in megapixels of a JPEG that takes as long.',
    registers,
    collect() {
      this.set(pictures.waitingCost);
    },
  });
  return {
    picturesRefused: new Counter({
      name: 'nolo_files_megapixels_refused_total',
      help: 'Cost of the pictures refused before decoding, in megapixels of a JPEG that takes as long, by reason: too_large, busy (others were waiting with less), or spent (the hourly budget of the account).',
      labelNames: ['reason'] as const,
      registers,
    }),
    files: new Counter({
      name: 'nolo_files_total',
      help: 'Completely uploaded files by kind.',
      labelNames: ['kind'] as const,
      registers,
    }),
    bytes: new Counter({
      name: 'nolo_files_bytes_total',
      help: 'Bytes of files transferred through this service, by direction; those uploaded directly to the storage are not included.',
      labelNames: ['direction'] as const,
      registers,
    }),
    deleted: new Counter({
      name: 'nolo_files_deleted_total',
      help: 'Deleted files by reason: not named by any message, abandoned before completion, or stored without an upload.',
      labelNames: ['reason'] as const,
      registers,
    }),
    archives: new Counter({
      name: 'nolo_files_archives_total',
      help: 'Archives of accounts by result: ready, failed, or given up.',
      labelNames: ['result'] as const,
      registers,
    }),
    archiveSeconds: new Histogram({
      name: 'nolo_files_archive_seconds',
      help: 'Time that people waited for an archive of their account, in seconds.',
      buckets: [1, 5, 15, 60, 300, 900, 3_600, 14_400],
      registers,
    }),
  };
}
