import { isAbsolute } from 'node:path';
import {
  commonConfig,
  eventLogConfig,
  createFlagSchema,
  createHostPortSchema,
  createSecretSchema,
} from '@nolo/kit/config';
import { planIds } from '@nolo/rules';
import { z } from 'zod';

const webAddress = () =>
  z.url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' });

/** Everything this service reads from the environment. */
export const configSchema = z
  .object({
    ...commonConfig,
    ...eventLogConfig,
    IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
    CHAT_ADDR: createHostPortSchema().describe('Address of the chat service, as host:port.'),
    STATUS_ADDR: createHostPortSchema().describe('Address of the status service, as host:port.'),
    SOCIAL_SCHEDULER_ADDR: createHostPortSchema()
      .optional()
      .describe('Address of social-scheduler, if any, as host:port; files that its posts name are kept.'),
    FILES_DRIVER: z
      .enum(['folder', 's3'])
      .default('folder')
      .describe('Storage of the bytes: folder stores them in FILES_DIR, s3 in a bucket of an S3-compatible server.'),
    FILES_DIR: z
      .string()
      .refine(isAbsolute, 'must be an absolute path')
      .optional()
      .describe('Folder for uploads and objects, required by the folder driver. Replicas of this service share it.'),
    S3_BUCKET: z.string().min(3).max(63).optional().describe('Bucket, which belongs to this service alone.'),
    S3_REGION: z.string().default('us-east-1').describe('Region for which requests are signed.'),
    S3_ENDPOINT: webAddress().optional().describe('Address of the S3 server; Amazon S3 unless set.'),
    S3_PUBLIC_ENDPOINT: webAddress()
      .optional()
      .describe(
        'URL by which browsers reach the S3 server, to which they then upload directly; without it, uploads go through the gateway. The bucket must allow PUT from PUBLIC_URL and expose ETag (CORS), and UPLOAD_ORIGIN must be set for the gateway; with S3_PATH_STYLE=false, the origin starts with the bucket name.',
      ),
    S3_PATH_STYLE: createFlagSchema()
      .prefault('true')
      .describe('Whether URLs name the bucket in the path; Amazon S3 names it in the host name.'),
    S3_ACCESS_KEY_ID: z.string().optional().describe('Id of the access key of the service at the S3 server.'),
    S3_SECRET_ACCESS_KEY: createSecretSchema(8)
      .optional()
      .describe('Secret of the access key of the service at the S3 server.'),
    S3_STS_ROLE_ARN: z
      .string()
      .min(20)
      .max(2_048)
      .optional()
      .describe(
        'Role whose temporary credentials /s3/sts issues, each for the uploads of one person; it returns 501 unless set. Servers without roles accept anything that looks like one: arn:aws:iam::000000000000:role/nolo-uploads.',
      ),
    S3_STS_ENDPOINT: webAddress().optional().describe('Address of STS; S3_ENDPOINT unless set, or else Amazon STS.'),
    UPLOAD_SECRET: createSecretSchema(32).describe(
      'Secret that signs upload URLs. Changing it invalidates the URLs in use.',
    ),
    UPLOAD_URL_SECONDS: z.coerce
      .number()
      .int()
      .min(60)
      .max(604_800)
      .default(900)
      .describe('Seconds for which the signed URL of an upload part is valid; at most 604800.'),
    PICTURE_MEMORY_MB: z.coerce
      .number()
      .int()
      .min(256)
      .default(1_024)
      .describe(
        'Mebibytes that processing one picture may take; a picture that needs more is refused. Two are processed at a time.',
      ),
    BILLING_ADDR: createHostPortSchema()
      .optional()
      .describe('Address of the billing service, if any, as host:port; it knows the storage limit of each account.'),
    STORAGE_PLAN: z
      .enum(planIds)
      .optional()
      .describe(
        'Plan whose storage limit applies to everyone if there is no billing: free, plus, or business; no limit unless set.',
      ),
    STORAGE_BYTES: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .describe('Bytes of files that one account may store, overriding its plan.'),
  })
  .superRefine((config, context) => {
    const need = (...names: (keyof typeof config)[]) => {
      for (const name of names.filter((one) => config[one] === undefined)) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `must be set when FILES_DRIVER is ${config.FILES_DRIVER}`,
        });
      }
    };
    if (config.FILES_DRIVER === 'folder') need('FILES_DIR');
    else need('S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY');
    if (config.FILES_DRIVER === 'folder' && config.S3_STS_ROLE_ARN !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['S3_STS_ROLE_ARN'],
        message: 'must not be set unless FILES_DRIVER is s3',
      });
    }
  });

export type FilesConfig = Readonly<z.output<typeof configSchema>>;
