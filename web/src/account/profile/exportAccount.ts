import { request } from '../../api/request.ts';
import { saveFile } from '../../device/saveFile.ts';

/**
 * Brings one's data down as a file. It may be long, so nothing limits how long it takes; a connection
 * that breaks on the way rejects instead of leaving half a file.
 */
export async function downloadExport(): Promise<void> {
  const reply = await request('/api/account/export', { method: 'GET' }, { timeoutMs: null });
  saveFile(await reply.blob(), 'nolo-export.json');
}
