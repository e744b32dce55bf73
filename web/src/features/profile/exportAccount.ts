import { request } from '../../api/request.ts';

/**
 * Brings one's data down as a file. It may be long, so nothing limits how long it takes; a connection
 * that breaks on the way rejects instead of leaving half a file.
 */
export async function downloadExport(): Promise<void> {
  const reply = await request('/api/account/export', { method: 'GET' }, { timeoutMs: null });
  const url = URL.createObjectURL(await reply.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = 'nolo-export.json';
  link.click();
  // The browser has taken the bytes over by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
