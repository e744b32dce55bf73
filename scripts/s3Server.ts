import { findGoTool, goTools } from './check/goTools.ts';

/*
 * `npm run s3:server`: brings the server that the S3 driver is tested with, once for this machine, and says where it is.
 * The integration tests that need it run from then on.
 */
try {
  console.log(await findGoTool(goTools.versitygw));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
