import { isAbsolute } from 'node:path';
import { commonConfig, secret } from '@nolo/kit/config';
import { z } from 'zod';

/** Everything this service reads from the environment. */
export const configSchema = z.object({
  ...commonConfig,
  FILES_DRIVER: z.enum(['folder']).default('folder').describe('Where the bytes lie: folder keeps them in FILES_DIR.'),
  FILES_DIR: z
    .string()
    .refine(isAbsolute, 'must be an absolute path')
    .describe('Folder for uploads and objects. Replicas of this service share it.'),
  UPLOAD_SECRET: secret(32).describe('Signs upload addresses. Changing it ends the addresses that are in use.'),
});

export type FilesConfig = Readonly<z.output<typeof configSchema>>;
