/**
 * Features that this version has everywhere, regardless of the operator's configuration. `/api/config` and all texts
 * about available features derive from this (decision 33).
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
