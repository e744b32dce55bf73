import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { runCommand, tailOf } from '../runCommand.ts';

/** What the worker ends with when it was not started by mediasoup: the same proof that mediasoup's install script wants. */
const notStartedByMediasoup = 41;

/** Whether the program starts at all on this machine. */
export async function runsHere(binary: string): Promise<boolean> {
  const { code } = await runCommand(binary, [], { env: {}, timeoutMs: 10_000 });
  return code === notStartedByMediasoup;
}

/** Starts it through mediasoup and sends a packet through it; answers with what went wrong. */
export async function worksWithMediasoup(binary: string): Promise<string | undefined> {
  const { code, output } = await runCommand(
    process.execPath,
    [join(projectRoot, 'services/media-sfu/scripts/tryWorker.ts'), binary],
    { env: { PATH: process.env['PATH'] }, timeoutMs: 60_000 },
  );
  return code === 0 ? undefined : tailOf(output, 6) || `it ended with ${String(code)}`;
}
