/**
 * What this version can do wherever it runs; what depends on an operator's configuration is not among it. `/api/config`
 * and every text that speaks of what exists are made from this (decision 33).
 */
const built = {
  phoneSignIn: true,
  chat: true,
  calls: true,
  meetings: true,
  groups: true,
  files: true,
  voiceNotes: true,
  status: true,
  social: true,
  billing: true,
  webhooks: true,
  push: true,
  endToEndEncryption: false,
};
export const builtFeatures: Readonly<typeof built> = built;
