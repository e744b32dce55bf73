import { provideGoTool, goTools, findInstalledGoTool, type GoTool } from './check/goTools.ts';
import type { Progress } from './progress.ts';

/** Servers that the S3 driver is tested with. */
export const s3Servers: readonly GoTool[] = [goTools.versitygw, goTools.minio];

/**
 * Builds the missing servers with Go, once for this machine, like the media worker. If that fails, it prints the
 * reason, and the tests that need them report that they were skipped.
 */
export async function provideS3Servers(progress: Progress): Promise<void> {
  for (const tool of s3Servers.filter((one) => findInstalledGoTool(one) === undefined)) {
    try {
      await progress.step(tool.program, () => provideGoTool(tool));
    } catch (error) {
      progress.warn(error instanceof Error ? error.message : String(error));
    }
  }
}
