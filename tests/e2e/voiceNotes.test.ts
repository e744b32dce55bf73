import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@nolo/api';
import { ChatsPage } from './pages/ChatsPage.ts';
import { MediaConversationPage } from './pages/MediaConversationPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { findSeriousAxeIssues } from './support/accessibility.ts';
import { breakDevices } from './support/brokenDevices.ts';
import { listStoredMessages } from './support/browserStores.ts';
import { createFriends, type CastMember } from './support/cast.ts';
import { setUpJourney, type OpenPageOptions } from './support/journey.ts';
import { waitUntilHidden, waitForFocus, waitUntilVisible, waitForExpectation } from './support/waitFor.ts';
import { writeTone } from './support/tone.ts';
import { toPattern, en, enVoice, fillPlaceholders } from './support/words.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-voice-'));
const tone = join(folder, 'tone.wav');
writeTone(tone, 440);

const { story, openPage, url } = setUpJourney(undefined, () => [`--use-file-for-fake-audio-capture=${tone}`]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function atTheirChat(device: OpenPageOptions['device'] = 'desktop') {
  const { ada, ben, id } = await createFriends(url(), ['Say something']);
  const path = `/chat/${id}`;
  const [adas, bens] = await Promise.all([openPage({ as: ada.user, path, device }), openPage({ as: ben.user, path })]);
  const [adasChat, bensChat] = [
    new MediaConversationPage(adas.page, ben.name),
    new MediaConversationPage(bens.page, ada.name),
  ];
  await waitUntilVisible(adasChat.record, bensChat.record);
  return { ada, ben, id, adas, bens, adasChat, bensChat };
}

async function listVoiceNotes(actor: CastMember, id: string): Promise<Message[]> {
  const reply = await actor.user.api.get<Message[]>(`/api/conversations/${id}/messages?limit=100`);
  return reply.body.filter(({ messageType }) => messageType === 'voice');
}

/** Records until the timer shows at least this many seconds. */
async function record(chat: MediaConversationPage, seconds: number): Promise<void> {
  await chat.record.press('Enter');
  await waitUntilVisible(chat.recorder);
  const timer = chat.recorder.getByRole('timer', { name: enVoice.recording });
  await waitForExpectation(async () => {
    const [minutes = 0, rest = 0] = (await timer.innerText()).split(':').map(Number);
    expect(minutes * 60 + rest).toBeGreaterThanOrEqual(seconds);
  });
}

const send = (chat: MediaConversationPage) => chat.recorder.getByRole('button', { name: enVoice.send });

story('a voice note is recorded, played and scrubbed, and the next one plays on', async () => {
  const { adas, bens, adasChat, bensChat } = await atTheirChat('phone');
  for (const seconds of [1.5, 1]) {
    await record(adasChat, seconds);
    const level = adasChat.recorder.getByRole('meter', { name: enVoice.level });
    await waitForExpectation(async () => expect(Number(await level.getAttribute('aria-valuenow'))).toBeGreaterThan(10));
    if (seconds === 1.5) expect(await findSeriousAxeIssues(adas.page, 'recorder', 'light')).toEqual([]);
    await send(adasChat).click();
    await waitUntilHidden(adasChat.recorder);
  }
  await waitForExpectation(async () => expect(await bensChat.voiceNotes().count()).toBe(2));
  const [first, second] = (await listStoredMessages(bens.page)).filter(({ messageType }) => messageType === 'voice');
  expect(first?.voiceMessageDuration).toBeGreaterThanOrEqual(1.5);
  expect(first?.voiceMessageTranscription).toBeNull();
  const info = JSON.parse(first?.mediaInfo ?? '{}') as { type?: string; waveform?: number[] };
  expect(info.type).toBe('audio/webm');
  expect(Math.max(...(info.waveform ?? []))).toBe(100);
  expect(second?.voiceMessageUrl).not.toBe(first?.voiceMessageUrl);
  await waitUntilVisible(new ChatsPage(bens.page).list.getByText(en.chats.voiceMessage));

  const [one, two] = [bensChat.voiceNotes().nth(0), bensChat.voiceNotes().nth(1)];
  await waitUntilVisible(
    one.getByRole('img', { name: enVoice.unplayed }),
    two.getByRole('img', { name: enVoice.unplayed }),
  );
  await one.getByRole('button', { name: enVoice.play }).click();
  await waitUntilVisible(one.getByRole('button', { name: enVoice.pause }));
  const speed = (value: string) => one.getByRole('button', { name: fillPlaceholders(enVoice.speed, { speed: value }) });
  await speed('1').click();
  await waitUntilVisible(speed('1.5'));
  // The first voice note ends, and the second begins.
  await waitUntilVisible(two.getByRole('button', { name: enVoice.pause }));
  await waitUntilHidden(one.getByRole('img', { name: enVoice.unplayed }));
  await waitUntilVisible(two.getByRole('button', { name: enVoice.play }));
  const slider = two.getByRole('slider', { name: enVoice.position });
  await slider.press('End');
  await slider.press('Home');
  await waitForExpectation(async () => expect(await slider.getAttribute('aria-valuenow')).toBe('0'));

  // The unplayed icons are stored on this device; the sender sees none.
  await bens.page.reload();
  await waitForExpectation(async () => expect(await bensChat.voiceNotes().count()).toBe(2));
  expect(await bensChat.voiceNotes().getByRole('img', { name: enVoice.unplayed }).count()).toBe(0);
  expect(await adasChat.voiceNotes().getByRole('img', { name: enVoice.unplayed }).count()).toBe(0);
  expect(await findSeriousAxeIssues(bens.page, 'voice notes', 'dark')).toEqual([]);
});

story('a recording is discarded, or paused, played back and resumed', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Say something']);
  const { page } = await openPage({ as: ada.user, path: `/chat/${id}` });
  const chat = new MediaConversationPage(page, ben.name);
  const button = (name: string) => chat.recorder.getByRole('button', { name, exact: true });
  await waitUntilVisible(chat.record);
  await record(chat, 0.5);
  await page.keyboard.press('Escape');
  await waitUntilHidden(chat.recorder);

  await record(chat, 1);
  // A further key press pauses, and neither sends nor discards.
  await waitForFocus(button(enVoice.hold));
  await button(enVoice.hold).press('Enter');
  await button(enVoice.listen).click();
  await waitUntilVisible(button(enVoice.pause));
  await button(enVoice.goOn).click();
  const timer = chat.recorder.getByRole('timer', { name: enVoice.recording });
  await waitForExpectation(async () => expect(await timer.innerText()).toMatch(/^0:0[2-9]/));
  await send(chat).click();
  // A discarded recording was sent to nobody.
  await waitUntilHidden(chat.recorder);
  await waitForExpectation(async () => expect(await listVoiceNotes(ben, id)).toHaveLength(1));
  expect((await listVoiceNotes(ben, id))[0]?.voiceMessageDuration).toBeGreaterThanOrEqual(2);
});

story('the transcript appears under a voice note if wanted, and is found by search', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Say something']);
  const adas = await openPage({ as: ada.user, path: `/chat/${id}` });
  const adasChat = new MediaConversationPage(adas.page, ben.name);
  await waitUntilVisible(adasChat.record);
  await adas.go('/profile');
  const profile = new ProfilePage(adas.page);
  expect(await profile.transcription.getAttribute('aria-checked')).toBe('false');
  await profile.transcription.click();
  await waitForExpectation(async () => expect(await profile.transcription.getAttribute('aria-checked')).toBe('true'));
  await adas.page.goBack();
  await waitUntilVisible(adasChat.record);
  const transcription = adas.page.waitForRequest((request) => request.url().endsWith('/api/transcribe-voice'));
  await record(adasChat, 1);
  await send(adasChat).click();
  await waitUntilVisible(adasChat.page.getByText(enVoice.processing));
  await transcription;
  await waitUntilVisible(adasChat.feed.getByText('Words from a voice note.'));
  await waitUntilVisible(new ChatsPage(adas.page).list.getByText(toPattern('Words from a voice note.')));
  await waitForExpectation(async () => {
    expect((await listVoiceNotes(ben, id))[0]?.voiceMessageTranscription).toBe('Words from a voice note.');
  });

  // The note is sent even if it cannot be transcribed.
  await adas.page.route('**/api/transcribe-voice', (route) =>
    route.fulfill({ status: 503, json: { code: 'transcription_failed', message: 'No' } }),
  );
  await record(adasChat, 0.8);
  await send(adasChat).click();
  await waitUntilVisible(
    adas.page.getByText(enVoice.transcription.title),
    adas.page.getByText(enVoice.transcription.text),
  );
  await waitForExpectation(async () => expect(await listVoiceNotes(ben, id)).toHaveLength(2));
});

story('the app explains what to do without a microphone', async () => {
  const { ada, ben, id } = await createFriends(url(), ['Say something']);
  const adas = await openPage({ as: ada.user });
  await breakDevices(adas.context, 'NotAllowedError');
  await adas.go(`/chat/${id}`);
  const chat = new MediaConversationPage(adas.page, ben.name);
  await chat.record.click();
  await waitUntilVisible(adas.page.getByText(enVoice.microphone.title), adas.page.getByText(enVoice.microphone.text));
  await waitUntilHidden(chat.recorder);
  await waitUntilVisible(chat.composer);
});
