import { isAbsolute } from 'node:path';
import { commonConfig, eventLogConfig, flag, listen, secret } from '@nolo/kit/config';
import { planIds } from '@nolo/rules';
import { z } from 'zod';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

/** Everything this service reads from the environment. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    IDENTITY_ADDR: listen().describe('Where the identity service takes calls, as host:port.'),
    CHAT_ADDR: listen().describe('Where the chat service takes calls, as host:port.'),
    STATUS_ADDR: listen().describe('Where the status service takes calls, as host:port.'),
    SOCIAL_SCHEDULER_ADDR: listen()
      .optional()
      .describe(
        'Where social-scheduler takes calls, as host:port, if there is one: files that its posts name are kept for them.',
      ),
    FILES_DRIVER: z
      .enum(['folder', 's3'])
      .default('folder')
      .describe('Where the bytes lie: folder keeps them in FILES_DIR, s3 in a bucket of an S3-compatible server.'),
    FILES_DIR: z
      .string()
      .refine(isAbsolute, 'must be an absolute path')
      .optional()
      .describe('Folder for uploads and objects, which the folder driver needs. Replicas of this service share it.'),
    S3_BUCKET: z.string().min(3).max(63).optional().describe('The bucket, which belongs to this service alone.'),
    S3_REGION: z.string().default('us-east-1').describe('The region that requests are signed for.'),
    S3_ENDPOINT: webAddress().optional().describe("The server's address; Amazon's own unless set."),
    S3_PUBLIC_ENDPOINT: webAddress()
      .optional()
      .describe(
        'The same server as browsers reach it. With it they bring the bytes of uploads there themselves; without it uploads go through the gateway. The bucket must then allow PUT from PUBLIC_URL and expose ETag (CORS), and the gateway be told by UPLOAD_ORIGIN; with S3_PATH_STYLE=false the origin begins with the name of the bucket.',
      ),
    S3_PATH_STYLE: flag()
      .prefault('true')
      .describe("Whether the bucket stands in the path; Amazon's own has it in the name of the host."),
    S3_ACCESS_KEY_ID: z.string().optional().describe('Who the service is at the S3 server.'),
    S3_SECRET_ACCESS_KEY: secret(8).optional().describe('The secret of that key.'),
    S3_STS_ROLE_ARN: z
      .string()
      .min(20)
      .max(2_048)
      .optional()
      .describe(
        'The role whose temporary credentials /s3/sts gives out, each for the uploads of one person; it answers 501 unless set. Servers without roles take any that looks like one: arn:aws:iam::000000000000:role/nolo-uploads.',
      ),
    S3_STS_ENDPOINT: webAddress()
      .optional()
      .describe('Where STS answers: S3_ENDPOINT unless set, and where that is not set either, Amazon.'),
    UPLOAD_SECRET: secret(32).describe('Signs upload addresses. Changing it ends the addresses that are in use.'),
    UPLOAD_URL_SECONDS: z.coerce
      .number()
      .int()
      .min(60)
      .max(604_800)
      .default(900)
      .describe('For how many seconds the signed address of an upload part may be used, 604800 at most.'),
    PICTURE_MEMORY_MB: z.coerce
      .number()
      .int()
      .min(256)
      .default(1_024)
      .describe('Mebibytes that making one picture may take; one that wants more is refused. Two are made at a time.'),
    BILLING_ADDR: listen()
      .optional()
      .describe('Where billing takes calls, as host:port, if there is one: it says how much an account may keep.'),
    STORAGE_PLAN: z
      .enum(planIds)
      .optional()
      .describe(
        'Whose room for files everybody has where there is no billing: free, plus or business; without limit unless set.',
      ),
    STORAGE_BYTES: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe('Bytes of files that one account may keep, in place of what plans say.'),
  })
  .superRefine((config, context) => {
    const need = (...names: (keyof typeof config)[]) => {
      for (const name of names.filter((one) => config[one] === undefined)) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `must be set where FILES_DRIVER is ${config.FILES_DRIVER}`,
        });
      }
    };
    if (config.FILES_DRIVER === 'folder') need('FILES_DIR');
    else need('S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
    if (config.FILES_DRIVER === 'folder' && config.S3_STS_ROLE_ARN !== undefined) {
      context.addIssue({ code: 'custom', path: ['S3_STS_ROLE_ARN'], message: 'works where FILES_DRIVER is s3' });
    }
  });

export type FilesConfig = Readonly<z.output<typeof configSchema>>;
