import { registrations } from '@nolo/rules';
import * as z from 'zod/mini';

/** What the instance can do; a control is shown only when its feature is here (decision 33). */
export const features = z.object({
  phoneSignIn: z.boolean(),
  providerSignIn: z.boolean(),
  passkeys: z.boolean(),
  /** A verified mail address as a second way back. */
  mailSignIn: z.boolean(),
  chat: z.boolean(),
  calls: z.boolean(),
  meetings: z.boolean(),
  groups: z.boolean(),
  files: z.boolean(),
  voiceNotes: z.boolean(),
  linkPreviews: z.boolean(),
  linkImports: z.boolean(),
  transcription: z.boolean(),
  backgroundBlur: z.boolean(),
  status: z.boolean(),
  social: z.boolean(),
  billing: z.boolean(),
  webhooks: z.boolean(),
  push: z.boolean(),
  endToEndEncryption: z.boolean(),
});
export type Features = z.infer<typeof features>;

export const config = z.object({
  demoMode: z.boolean(),
  /** Only in demo mode (decision 5). */
  demoCode: z.optional(z.string()),
  /** Where demo mode shows outgoing SMS and mail; only in demo mode. */
  outboxUrl: z.optional(z.string()),
  version: z.string(),
  limits: z.record(z.string(), z.number()),
  messagesKeptDays: z.optional(z.int()),
  /** Who gets an account that has none: anybody (also where it is absent), whose number somebody here has among their contacts, or nobody. */
  registration: z.optional(z.enum(registrations)),
  /** The version of the list of barred hosts; absent where none is barred. */
  barredHosts: z.optional(z.string()),
  features,
  /** Encoded frames of calls and meetings pass through a worker of the app, on their way out and in. */
  mediaFrames: z.optional(z.boolean()),
});
export type Config = z.infer<typeof config>;
