import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteSpan } from '../domain/ranges.ts';
import type { UploadedPart } from '../domain/sharedPorts.ts';

/** Part stored in a folder; its name contains all its properties. */
export interface PartFile extends UploadedPart {
  readonly name: string;
}

export const partFileName = ({ number, size, etag }: UploadedPart): string =>
  `${number}.${size}.${etag.replaceAll('"', '')}`;

const form = /^(\d{1,5})\.(\d{1,12})\.([0-9a-f]{32})$/;

/** Lists parts by number. */
export async function listPartFiles(folder: string): Promise<PartFile[]> {
  const files = (await readdir(folder)).flatMap((name): PartFile[] => {
    const [, number, size, digest] = form.exec(name) ?? [];
    return digest === undefined ? [] : [{ name, number: Number(number), size: Number(size), etag: `"${digest}"` }];
  });
  return files.sort((one, other) => one.number - other.number);
}

/** Lists parts by number, with only the latest of each. */
export async function listLatestPartFiles(folder: string): Promise<PartFile[]> {
  const parts = await listPartFiles(folder);
  const came = async ({ name }: PartFile) => (await stat(join(folder, name))).mtimeMs;
  const groups = [...Map.groupBy(parts, ({ number }) => number).values()];
  const latest = groups.map(async (group) => {
    if (group.length === 1) return group;
    const timed = await Promise.all(group.map(async (part) => ({ part, at: await came(part) })));
    return timed.sort((one, other) => other.at - one.at).map(({ part }) => part);
  });
  return (await Promise.all(latest)).flatMap(([part]) => part ?? []);
}

/** Returns the slices of the parts that form a span of the whole. */
export function toSlices(
  folder: string,
  parts: readonly PartFile[],
  { start, end }: ByteSpan,
): { path: string; start: number; count: number }[] {
  let begin = 0;
  return parts.flatMap(({ name, size }) => {
    const from = Math.max(start - begin, 0);
    const until = Math.min(end - begin, size - 1);
    begin += size;
    return from <= until ? [{ path: join(folder, name), start: from, count: until - from + 1 }] : [];
  });
}
