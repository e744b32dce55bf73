import { findGoTool, goTools } from './check/goTools.ts';

/*
 * `npm run s3:server`: brings the servers that the S3 driver is tested with, once for this machine, and says where they
 * are. The integration tests that need them run from then on.
 */
try {
  for (const tool of [goTools.versitygw, goTools.minio]) console.log(await findGoTool(tool));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
