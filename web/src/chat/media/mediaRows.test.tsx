/** @jest-environment jsdom */
import type { Message, Self } from '@nolo/api';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { sessionStore } from '../../session/session.ts';
import { showProgress } from '@nolo/client/uploads/uploadStore';
import { testChat } from '../../testing/ChatTestProviders.tsx';
import { joinMessageListEntries } from '@nolo/client/chat/entries';
import { toEntryBoundaries } from '@nolo/client/chat/entryBoundaries';
import { MessageRow } from '../conversation/MessageRow.tsx';
import type { MessageRowProps } from '../conversation/MessageRow.tsx';
import { MessageRowTextsContext, useCreateMessageRowTexts } from '../words/messageRowTexts.ts';
import { viewerStore } from './viewerStore.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  viewerStore.setState({ open: null });
});

/** Fake for the reduced-motion setting, which jsdom does not know. */
let lessMotion = false;
beforeAll(() => {
  globalThis.matchMedia = (media) =>
    Object.assign(new EventTarget(), { media, matches: lessMotion }) as unknown as MediaQueryList;
});

const path = '/objects/5f0c3e9e-1b1a-4f3e-9a43-7f1f3a0d2c11';

function Row(props: MessageRowProps) {
  return (
    <MessageRowTextsContext value={useCreateMessageRowTexts()}>
      <MessageRow {...props} />
    </MessageRowTextsContext>
  );
}

function show(fields: Partial<Message>, pending: Parameters<typeof joinMessageListEntries>[1] = []) {
  const { server, engine, wrapper } = testChat();
  sessionStore.getState().signedIn({ id: 'me', firstName: 'Mia', displayName: 'Mia Meyer' } as Self);
  if (pending.length === 0) {
    server.store('you', fields.content ?? '', null);
    server.change('m1', fields);
  }
  const entries = joinMessageListEntries([...server.messages], pending, 'me');
  render(
    <Row
      {...toEntryBoundaries(entries, entries.length - 1, null)}
      entry={entries.at(-1)!}
      conversationId="c1"
      selfId="me"
      author="you"
      several={false}
      delivery={null}
      position={1}
      total={1}
      menuOpen={false}
      selected={null}
      highlighted={false}
      onRetry={() => {}}
      onDiscard={() => {}}
    />,
    { wrapper },
  );
  return { engine, user: userEvent.setup() };
}

test('a file can be saved under its name, and shows its size', async () => {
  show({ messageType: 'file', fileUrl: path, fileName: 'Route & map.pdf', fileSize: 12_345 });
  const link = await screen.findByRole('link', { name: /Download Route & map\.pdf, 12\.3/ });
  expect(link.getAttribute('href')).toBe(`${path}?download=Route%20%26%20map.pdf`);
});

test('an external file is not requested', async () => {
  show({ messageType: 'file', fileUrl: 'https://evil.example/x', fileName: 'x.pdf' });
  await screen.findByText('No longer available');
  expect(screen.queryByRole('link')).toBeNull();
});

test('a picture opens large, with its caption below', async () => {
  const { user } = show({
    messageType: 'image',
    fileUrl: path,
    content: 'The saddle',
    mediaInfo: '{"type":"image/jpeg","width":800,"height":600}',
  });
  await user.click(await screen.findByRole('button', { name: /^Open the picture from/ }));
  expect(viewerStore.getState().open).toEqual({ conversationId: 'c1', key: 'm1' });
  expect(screen.getByText('The saddle')).toBeTruthy();
});

for (const wantsLessMotion of [false, true]) {
  test(`an animated picture ${wantsLessMotion ? 'stands still with less motion' : 'moves in the list'}`, async () => {
    lessMotion = wantsLessMotion;
    const mediaInfo = '{"type":"image/webp","width":800,"height":600,"moves":true}';
    show({ messageType: 'image', fileUrl: path, mediaInfo });
    const button = await screen.findByRole('button', { name: /^Open the picture from/ });
    const source = button.parentElement?.querySelector('img')?.getAttribute('src');
    expect(source).toBe(wantsLessMotion ? `${path}?size=320` : `${path}?full`);
    lessMotion = false;
  });
}

test('a file fetched by the server shows how much has arrived', async () => {
  const link = 'https://example.org/walks/a.bin';
  const media = { messageType: 'file' as const, name: 'a.bin', size: 0, info: null, fields: null, link };
  show({}, [{ clientMessageId: 'p2', content: '', createdAt: 1, state: 'sending', extras: { media } }]);
  act(() => showProgress('p2', { phase: 'uploading', sent: 500, total: null }));
  const bar = await screen.findByRole('progressbar', { name: 'Sending a.bin' });
  expect(bar.getAttribute('aria-valuenow')).toBeNull();
  expect(screen.getByText(/^500 .* so far$/)).toBeTruthy();
  act(() => showProgress('p2', null));
});

test('a voice note can be played, and shows whether it was played, and its transcript', async () => {
  show({
    messageType: 'voice',
    voiceMessageUrl: path,
    voiceMessageDuration: 65,
    voiceMessageTranscription: 'Meet me at the gate',
    mediaInfo: '{"waveform":[10,100,40]}',
  });
  await screen.findByRole('group', { name: /^Voice message from .+, 1:05$/ });
  expect(screen.getByRole('button', { name: 'Play' })).toBeTruthy();
  expect(screen.getByRole('img', { name: 'Not played yet' })).toBeTruthy();
  expect(screen.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext')).toBe('0:00 of 1:05');
  expect(screen.getByText('Meet me at the gate')).toBeTruthy();
  // The time is at the end of the last line.
  expect(screen.getByRole('note').querySelector('time')).toBeTruthy();
});

test('a file in transit shows its progress, and can be stopped', async () => {
  const media = { messageType: 'file' as const, name: 'a.bin', size: 2_000, info: null, fields: null };
  show({}, [{ clientMessageId: 'p1', content: '', createdAt: 1, state: 'sending', extras: { media } }]);
  act(() => showProgress('p1', { phase: 'uploading', sent: 500, total: 2_000 }));
  const bar = await screen.findByRole('progressbar', { name: 'Sending a.bin' });
  expect(bar.getAttribute('aria-valuenow')).toBe('25');
  expect(screen.getByRole('button', { name: 'Cancel sending a.bin' })).toBeTruthy();
  act(() => showProgress('p1', null));
});
