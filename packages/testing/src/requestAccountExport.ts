import { strFromU8, unzipSync } from 'fflate';
import { eventually } from './eventually.ts';
import type { Json } from './json.ts';
import type { TestUser } from './testUser.ts';

/** Content of an account's archive: its data by file name, and every file's bytes. */
export interface AccountExportContent {
  readonly data: Record<string, Json>;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** Reads an archive. */
export function parseAccountExport(bytes: Uint8Array): AccountExportContent {
  const files = unzipSync(bytes);
  const data: Record<string, Json> = {};
  for (const [path, content] of Object.entries(files)) {
    const name = path.replace(/\.jsonl?$/, '');
    if (path.endsWith('.json')) data[name] = JSON.parse(strFromU8(content)) as Json;
    if (!path.endsWith('.jsonl')) continue;
    const lines = strFromU8(content).split('\n').slice(0, -1);
    data[name] = lines.map((line) => JSON.parse(line) as Json) as unknown as Json;
  }
  return { data, files };
}

/** Requests an archive of a user's account through the API, and opens it. */
export async function requestAccountExport({ api }: TestUser): Promise<AccountExportContent> {
  const started = await api.post('/api/account/export', {});
  if (started.status !== 201) throw new Error(`Starting the export returned ${started.status}.`);
  await eventually(async () => {
    const { body } = await api.get('/api/account/export');
    if (body.state === 'failed') throw new Error('The export failed.');
    return body.state === 'ready';
  });
  const reply = await fetch(new URL('/api/account/export/file', api.baseUrl), {
    headers: { authorization: `Bearer ${api.token ?? ''}` },
  });
  if (!reply.ok) throw new Error(`Downloading the archive returned ${reply.status}.`);
  return parseAccountExport(new Uint8Array(await reply.arrayBuffer()));
}
