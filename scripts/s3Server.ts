import { provideGoTool } from './check/goTools.ts';
import { s3Servers } from './s3Servers.ts';

/* Runs `npm run s3:server`: provides the servers for the S3 driver's tests in advance, and prints their paths. */
try {
  for (const tool of s3Servers) console.log(await provideGoTool(tool));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
