import { readFile } from 'node:fs/promises';
import type { Config } from '@nolo/api';
import { builtFeatures, limits } from '@nolo/rules';

const words = async (name: string) =>
  (await readFile(new URL(`../../../public/legal/${name}.txt`, import.meta.url), 'utf8')).replace(/\s+/g, ' ');

/** What the notice says once a feature exists, and does not say before. A new feature needs its words here. */
const saidOf: Record<keyof Config['features'], RegExp> = {
  phoneSignIn: /phone number/,
  providerSignIn: /sign in through a provider/,
  passkeys: /public half of each passkey/,
  chat: /the messages with reactions/,
  calls: /Your calls: who called whom/,
  meetings: /Your meetings: .* 30 days/,
  groups: /Your conversations and groups/,
  files: /The files you send/,
  voiceNotes: /voice messages/,
  linkPreviews: /opens the page behind a link/,
  linkImports: /imported from a link/,
  transcription: /are transcribed/,
  backgroundBlur: /blurred background/,
  status: /status updates?/i,
  social: /scheduled|social/i,
  billing: /pay(ment|s)?\b/i,
  webhooks: /Webhooks that you set up/,
  push: /Notifications: .* push service/,
  endToEndEncryption: /messages are end-to-end encrypted/i,
};

test.each(Object.entries(saidOf))(
  'the privacy notice speaks of %s where it exists, and only there',
  async (name, said) => {
    // What an operator may configure is spoken of as well.
    const exists = (builtFeatures as Record<string, boolean>)[name] ?? true;
    expect(said.test(await words('privacy'))).toBe(exists);
  },
);

test('it says that messages can be read for as long as that is so', async () => {
  expect((await words('privacy')).includes('End-to-end encryption is in development')).toBe(
    !builtFeatures.endToEndEncryption,
  );
});

test('it tells what is kept of signing in, and for how long', async () => {
  const privacy = await words('privacy');
  expect(privacy).toContain('Your ways to sign in');
  expect(privacy).toMatch(new RegExp(`Security notices: .* for ${limits.securityNoticeDays} days`));
  // In words there, as seven is.
  expect(privacy).toMatch(/A number that you replace stays known for seven days/);
  expect(limits.takeBackDays).toBe(7);
});

test('it tells what a device keeps', async () => {
  const [, onDevice = ''] = (await words('privacy')).split('## On your device');
  for (const kept of ['conversations and messages', 'contacts', 'pictures', 'not been sent yet', 'drafts', 'cookie']) {
    expect(onDevice).toContain(kept);
  }
});
