import { registrationPolicies } from '@nolo/rules';
import * as z from 'zod/mini';

/** Capabilities of the installation. Clients show a control only if its feature is present here (decision 33). */
export const features = z.object({
  phoneSignIn: z.boolean(),
  providerSignIn: z.boolean(),
  passkeys: z.boolean(),
  /** Account recovery through a verified email address. */
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
  /** Demo mode only (decision 5). */
  demoCode: z.optional(z.string()),
  /** URL at which demo mode shows outgoing SMS and email; demo mode only. */
  outboxUrl: z.optional(z.string()),
  version: z.string(),
  limits: z.record(z.string(), z.number()),
  messagesKeptDays: z.optional(z.int()),
  /**
   * People who may create an account: anyone (also if absent), people whose number a user here has among their
   * contacts, or nobody.
   */
  registration: z.optional(z.enum(registrationPolicies)),
  /** Version of the list of barred hosts; absent if no host is barred. */
  barredHosts: z.optional(z.string()),
  features,
  /** True if encoded frames of calls and meetings pass through a worker of the app, in both directions. */
  mediaFrames: z.optional(z.boolean()),
});
export type Config = z.infer<typeof config>;
