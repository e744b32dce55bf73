import { isAbsolute } from 'node:path';
import { commonConfig, createHostPortSchema, loadConfig, createSecretSchema } from '@nolo/kit/config';
import { planIds } from '@nolo/rules';
import { z } from 'zod';
import { splitCommand } from './domain/splitCommand.ts';

const absolutePath = () => z.string().refine(isAbsolute, 'must be an absolute path');

/** Variables that select the engine; one of them is required. */
const engineVariables = ['TRANSCRIBE_URL', 'TRANSCRIBE_MODEL_DIR', 'TRANSCRIBE_COMMAND'] as const;

/**
 * Environment variables of this service. The check of variables reads it.
 *
 * @public
 */
export const configSchema = z
  .object({
    ...commonConfig,
    IDENTITY_ADDR: createHostPortSchema().describe('Address of the identity service, as host:port.'),
    TRANSCRIBE_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address beginning with http:// or https://' })
      .optional()
      .describe(
        'Server that transcribes voice notes using the OpenAI protocol, for example http://127.0.0.1:8000/v1/audio/transcriptions. Set exactly one of TRANSCRIBE_URL, TRANSCRIBE_MODEL_DIR and TRANSCRIBE_COMMAND.',
      ),
    TRANSCRIBE_API_KEY: createSecretSchema(1).optional().describe('Key for TRANSCRIBE_URL, if it requires one.'),
    TRANSCRIBE_MODEL: z.string().max(200).default('whisper-1').describe('Model to request from TRANSCRIBE_URL.'),
    TRANSCRIBE_MODEL_DIR: absolutePath()
      .optional()
      .describe(
        'Folder with a speech model for sherpa-onnx (Whisper, Moonshine, transducer, Paraformer, SenseVoice or CTC), which runs on this machine; requires the npm package sherpa-onnx-node.',
      ),
    TRANSCRIBE_COMMAND: z
      .string()
      .refine((value) => (splitCommand(value)?.length ?? 0) > 0, 'must be a program and its arguments')
      .optional()
      .describe(
        'Program that prints the words of a WAV file (16 kHz, 16 bit, mono), with its arguments; {file} stands for the file, which is appended if {file} is missing. Runs without a shell.',
      ),
    TRANSCRIBE_FFMPEG: absolutePath()
      .optional()
      .describe(
        'Path of ffmpeg, which a local model or program needs for formats other than WAV; looked up in PATH unless set.',
      ),
    TRANSCRIBE_CONCURRENCY: z.coerce
      .number()
      .int()
      .min(1)
      .max(64)
      .default(2)
      .describe('Voice notes that one process transcribes at a time; the same number can wait in the queue.'),
    BILLING_ADDR: createHostPortSchema()
      .optional()
      .describe(
        'Address of the billing service, if any, as host:port; it knows how much each account has transcribed.',
      ),
    TRANSCRIBE_PLAN: z
      .enum(planIds)
      .optional()
      .describe('Plan whose minutes apply without billing: free, plus or business; unlimited unless set.'),
  })
  .superRefine((config, context) => {
    const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const engines = engineVariables.filter((name) => config[name] !== undefined);
    const [first = engineVariables[0], second] = engines;
    if (engines.length === 0) complain([], `must name an engine: set one of ${engineVariables.join(', ')}`);
    if (second !== undefined) complain([second], `must not be set together with ${first}`);
    if (config.TRANSCRIBE_API_KEY !== undefined && config.TRANSCRIBE_URL === undefined) {
      complain(['TRANSCRIBE_API_KEY'], 'must not be set without TRANSCRIBE_URL');
    }
  });

type Parsed = z.output<typeof configSchema>;

export interface TranscriberConfig extends Parsed {
  /** Environment for programs on this machine: locations only, without our secrets. */
  readonly programEnvironment: Readonly<Record<string, string>>;
}

const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'] as const;

/** @throws ConfigError with one sentence per invalid variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): TranscriberConfig {
  const programEnvironment = Object.fromEntries(
    passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  ) as Record<string, string>;
  return Object.freeze({ ...loadConfig(configSchema, env), programEnvironment });
}
