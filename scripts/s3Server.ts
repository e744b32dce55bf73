import { findGoTool } from './check/goTools.ts';
import { s3Servers } from './s3Servers.ts';

/*
 * `npm run s3:server`: brings the servers that the S3 driver is tested with before the tests do, and says where they are.
 */
try {
  for (const tool of s3Servers) console.log(await findGoTool(tool));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
