import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runCommand, lastOutputLines } from '../runCommand.ts';

/** Exit code of the worker if it was not started by mediasoup. mediasoup's install script performs the same check. */
const notStartedByMediasoup = 41;

/** Returns true if the program starts on this machine. */
export async function canRunWorker(binary: string): Promise<boolean> {
  const { code } = await runCommand(binary, [], { env: {}, timeoutMs: 10_000 });
  return code === notStartedByMediasoup;
}

/** Starts the program through mediasoup and sends a packet through it. Returns the error, if any. */
export async function findMediasoupIncompatibility(binary: string): Promise<string | undefined> {
  const { code, output } = await runCommand(
    process.execPath,
    [join(projectRoot, 'services/media-sfu/scripts/tryWorker.ts'), binary],
    { env: { PATH: process.env['PATH'] }, timeoutMs: 60_000 },
  );
  return code === 0 ? undefined : lastOutputLines(output, 6) || `it exited with code ${String(code)}`;
}
