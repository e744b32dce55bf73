import { readFile } from 'node:fs/promises';
import type { Config } from '@nolo/api';
import { builtFeatures, limits } from '@nolo/rules';
import { readNotice } from './readNotice.ts';

const words = async (name: string) =>
  (await readFile(new URL(`../../../public/legal/${name}.txt`, import.meta.url), 'utf8')).replace(/\s+/g, ' ');

/** Phrases that the notice contains if and only if a feature exists. Add those of each new feature here. */
const requiredWording: Record<keyof Config['features'], readonly [english: RegExp, german: RegExp]> = {
  phoneSignIn: [/phone number/, /Telefonnummer/],
  providerSignIn: [/sign in through a provider/, /über einen Anmeldedienst an/],
  mailSignIn: [/email address you add to get back in/, /E-Mail-Adresse, die du hinzufügst, um über sie/],
  passkeys: [/public half of each passkey/, /öffentliche Teil jedes Passkeys/],
  chat: [/the messages with reactions/, /die Nachrichten mit Reaktionen/],
  calls: [/Your calls: who called whom/, /Deine Anrufe: wer wen angerufen hat/],
  meetings: [/Your meetings: .* 30 days/, /Deine Meetings: .* 30 Tagen/],
  groups: [/Your conversations and groups/, /Deine Chats und Gruppen/],
  files: [/The files you send/, /Die Dateien, die du sendest/],
  voiceNotes: [/voice messages/, /Sprachnachrichten/],
  linkPreviews: [/opens the page behind a link/, /öffnet dieser Server die Seite hinter einem Link/],
  linkImports: [/imported from a link/, /über einen Link importiert/],
  transcription: [/are transcribed/, /transkribiert werden/],
  backgroundBlur: [/blurred background/, /weichgezeichneter Hintergrund/],
  status: [/status updates?/i, /Statusmeldungen/],
  social: [/scheduled|social/i, /sozialen Netzwerken/],
  billing: [/pay(ment|s)?\b/i, /bezahlst/i],
  webhooks: [/Webhooks that you set up/, /Webhooks, die du einrichtest/],
  push: [/Notifications: .* push service/, /Benachrichtigungen: .* Push-Dienst/],
  endToEndEncryption: [/messages are end-to-end encrypted/i, /Nachrichten sind Ende-zu-Ende-verschlüsselt/i],
};

test.each(Object.entries(requiredWording))(
  'the privacy notice mentions %s if it exists, and only then',
  async (name, [english, german]) => {
    // Optional features are mentioned as well.
    const exists = (builtFeatures as Record<string, boolean>)[name] ?? true;
    expect(english.test(await words('privacy'))).toBe(exists);
    expect(german.test(await words('privacy.de'))).toBe(exists);
  },
);

test('the notice states that messages can be read, for as long as that is true', async () => {
  expect((await words('privacy')).includes('End-to-end encryption is in development')).toBe(
    !builtFeatures.endToEndEncryption,
  );
});

test('the notice states what is stored about signing in, and for how long', async () => {
  const privacy = await words('privacy');
  expect(privacy).toContain('Your sign-in methods');
  expect(privacy).toMatch(new RegExp(`Security notices: .* for ${limits.securityNoticeDays} days`));
  // The notice spells the number out: seven.
  expect(privacy).toMatch(/A number that you replace stays known for seven days/);
  expect(limits.takeBackDays).toBe(7);
});

test('the notice states what a device stores', async () => {
  const [, onDevice = ''] = (await words('privacy')).split('## On your device');
  for (const kept of ['conversations and messages', 'contacts', 'pictures', 'not been sent yet', 'drafts', 'cookie']) {
    expect(onDevice).toContain(kept);
  }
});

test.each(['privacy', 'terms'])('the German version of the %s has the same structure', async (name) => {
  const blockShapesOf = async (file: string) => {
    const text = await readFile(new URL(`../../../public/legal/${file}.txt`, import.meta.url), 'utf8');
    return readNotice(text).map((block) => (block.kind === 'list' ? block.items.length : block.kind));
  };
  expect(await blockShapesOf(`${name}.de`)).toEqual(await blockShapesOf(name));
});

test('the numbers of days in the notice are the same in both languages', async () => {
  const numbers = async (file: string) => (await words(file)).match(/\d+/g)?.toSorted();
  expect(await numbers('privacy.de')).toEqual(await numbers('privacy'));
});
