import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type Json } from '@nolo/testing';
import type { WebSocket } from 'ws';
import { projectRoot } from '../../scripts/paths.ts';
import { createSilentWav } from '../support/clients/silentWav.ts';
import { SpecificationClient } from '../support/clients/SpecificationClient.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const running = openSharedTestStack();
let ann: SpecificationClient;
let ben: SpecificationClient;

beforeAll(async () => {
  const url = running.urls[0]!;
  ann = await new SpecificationClient(url).signIn();
  ben = await new SpecificationClient(url).signIn();
});

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function formWith(field: string, bytes: Uint8Array<ArrayBuffer>, type: string, name: string): FormData {
  const form = new FormData();
  form.set(field, new Blob([bytes], { type }), name);
  return form;
}

async function conversation(): Promise<string> {
  const id = (await ann.request('POST', '/api/conversations', { otherUserId: ben.id })).id as string;
  // Typing of a stranger is not visible (decision 39).
  await ben.request('PATCH', `/api/conversations/${id}/settings`, { accepted: true });
  return id;
}

async function groupChat(more: object = {}): Promise<Json> {
  return ann.request('POST', '/api/group-chats/create', {
    name: 'Harbour choir',
    description: 'Thursdays',
    isPublic: true,
    maxMembers: 100,
    settings: {
      allowScreenShare: true,
      allowFileSharing: true,
      allowRecording: false,
      moderationEnabled: false,
      requireApproval: false,
    },
    ...more,
  });
}

async function meeting(): Promise<Json> {
  return ann.request('POST', '/api/meetings/create', {
    name: 'Weekly',
    description: '',
    maxParticipants: 50,
    isRecording: false,
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    settings: { allowRecording: false, maxParticipants: 50, requireAuth: true },
  });
}

describe('session and users', () => {
  it('returns who is signed in, or answers 401 with a status first', async () => {
    expect(await ann.request('GET', '/api/auth/user')).toMatchObject({
      id: ann.id,
      presenceStatus: expect.any(String),
    });
    await expect(new SpecificationClient(running.urls[0]!).request('GET', '/api/auth/user')).rejects.toThrow(/^401: /);
  });

  it('saves the profile, and finds people through either route', async () => {
    const given = { firstName: 'Ann', lastName: 'Archer', statusMessage: 'Out walking', presenceStatus: 'away' };
    await ann.request('PUT', '/api/profile', given);
    expect(await ann.request('GET', '/api/auth/user')).toMatchObject(given);
    await ben.request('PUT', '/api/profile', { ...given, firstName: 'Ben' });
    const text = encodeURIComponent(ben.phoneNumber);
    for (const path of [`/api/search/users?q=${text}`, `/api/users/search?q=${text}`]) {
      expect(await ann.request('GET', path)).toEqual([expect.objectContaining({ id: ben.id, firstName: 'Ben' })]);
    }
  });

  it('accepts a picture: a URL for it, its bytes, and then the URL as the picture', async () => {
    const { uploadURL } = await ann.request('POST', '/api/objects/upload');
    await ann.request('PUT', uploadURL as string, picture);
    const { objectPath } = await ann.request('PUT', '/api/profile/image', { profileImageURL: uploadURL });
    expect(await ann.request('GET', '/api/auth/user')).toMatchObject({ profileImageUrl: objectPath });
  });

  it('leads to sign-in and out again by plain navigation', async () => {
    const leaving = await new SpecificationClient(running.urls[0]!).signIn();
    await leaving.request('GET', '/api/login');
    await leaving.request('GET', '/api/logout');
    await expect(leaving.request('GET', '/api/auth/user')).rejects.toThrow(/^401: /);
  });
});

describe('conversations and messages', () => {
  it('creates one, lists it, and sends text', async () => {
    const conversationId = await conversation();
    const body = { conversationId, content: 'Hello', messageType: 'text' };
    expect(await ann.request('POST', '/api/messages', body)).toMatchObject({ ...body, senderId: ann.id });
    expect(await ben.request('GET', '/api/conversations')).toContainEqual(
      expect.objectContaining({ id: conversationId, lastMessage: expect.objectContaining({ content: 'Hello' }) }),
    );
    expect(await ben.request('GET', `/api/conversations/${conversationId}/messages`)).toContainEqual(
      expect.objectContaining(body),
    );
  });

  it('sends a file, and a voice message with its transcript', async () => {
    const conversationId = await conversation();
    const file = await ann.request('POST', '/api/upload-media', formWith('file', picture, 'image/png', 'dot.png'));
    expect(
      await ann.request('POST', '/api/messages', {
        conversationId,
        content: 'A dot',
        messageType: 'image',
        fileUrl: file.url,
        fileName: 'dot.png',
        fileSize: picture.length,
      }),
    ).toMatchObject({ fileUrl: file.url, fileName: 'dot.png' });
    // Recorded by a browser; the specification's client sends it without declaring its purpose.
    const recorded = await readFile(join(projectRoot, 'services/files/tests/fixtures/soundRecorded.webm'));
    const recording = formWith('file', recorded, 'audio/webm;codecs=opus', 'voice.webm');
    const uploadedVoiceNote = await ann.request('POST', '/api/upload-media', recording);
    expect(uploadedVoiceNote).toMatchObject({ kind: 'audio' });
    await ann.request('PUT', '/api/profile/privacy', { transcribeVoiceNotes: true });
    const audio = formWith('audio', createSilentWav(0.25), 'audio/wav', 'voice.wav');
    const { transcription } = await ann.request('POST', '/api/transcribe-voice', audio);
    expect(typeof transcription).toBe('string');
    expect(
      await ann.request('POST', '/api/messages', {
        conversationId,
        content: 'Voice message',
        messageType: 'voice',
        voiceMessageUrl: uploadedVoiceNote.url,
        voiceMessageDuration: 0.5,
        voiceMessageTranscription: transcription,
      }),
    ).toMatchObject({
      voiceMessageUrl: uploadedVoiceNote.url,
      voiceMessageDuration: 0.5,
      voiceMessageTranscription: transcription,
    });
  });

  it('starts a call', async () => {
    const conversationId = await conversation();
    const call = await ann.request('POST', '/api/calls/initiate', { conversationId, callType: 'audio' });
    expect(call).toMatchObject({ callId: expect.stringMatching(/^call-/), type: 'audio', status: 'ringing' });
    await ann.request('POST', `/api/calls/${call.callId}/end`);
  });
});

describe('contacts and groups', () => {
  it('adds a contact and lists it', async () => {
    const { phoneNumber } = ben;
    await ann.request('POST', '/api/contacts', { phoneNumber, displayName: 'Ben the baker' });
    expect(await ann.request('GET', '/api/contacts')).toContainEqual(
      expect.objectContaining({ phoneNumber, displayName: 'Ben the baker' }),
    );
    await expect(ann.request('POST', '/api/contacts', { phoneNumber: ' ', displayName: '' })).rejects.toThrow(
      'Phone number is required.',
    );
  });

  it('creates a group chat, joins it by code without a body, and writes there', async () => {
    const { name, roomCode } = await groupChat();
    expect(name).toBe('Harbour choir');
    expect(await ben.request('POST', `/api/group-chats/join/${roomCode}`)).toMatchObject({ name, roomCode });
    expect(await ben.request('GET', '/api/group-chats')).toContainEqual(expect.objectContaining({ name, roomCode }));
    const { id } = await ben.request('GET', `/api/group-chats/${roomCode}`);
    const body = { content: 'Good evening', messageType: 'text' };
    expect(await ben.request('POST', `/api/group-chats/${id}/messages`, body)).toMatchObject(body);
    expect(await ann.request('GET', `/api/group-chats/${id}/messages`)).toContainEqual(
      expect.objectContaining({ ...body, sender: expect.objectContaining({ firstName: expect.any(String) }) }),
    );
  });

  it('creates a group of people', async () => {
    expect(await ann.request('POST', '/api/groups', { name: 'Two', memberIds: [ben.id] })).toMatchObject({
      name: 'Two',
    });
  });
});

describe('meetings', () => {
  it('creates one, lets someone ask to join it without a body, and shows it', async () => {
    const { roomCode } = await meeting();
    expect(await ben.request('POST', `/api/meetings/join/${roomCode}`)).toMatchObject({ name: 'Weekly' });
    expect(await ben.request('GET', `/api/meetings/${roomCode}`)).toMatchObject({ name: 'Weekly', roomCode });
    await expect(ben.request('GET', '/api/meetings/ZZZZZZ')).rejects.toThrow(/^404: .*Meeting not found/);
  });
});

describe('status updates', () => {
  it('posts one, lists it, and counts its viewers', async () => {
    const posted = await ann.request('POST', '/api/status-updates', {
      mediaType: 'text',
      content: 'At the sea',
      backgroundColor: '#1DB584',
      textColor: '#FFFFFF',
      font: 'Arial',
    });
    expect(posted).toMatchObject({ userId: ann.id, content: 'At the sea', viewCount: 0, hasViewed: false });
    expect(await ann.request('GET', '/api/status-updates')).toEqual([
      expect.objectContaining({ id: posted['id'], user: expect.objectContaining({ firstName: expect.any(String) }) }),
    ]);
    await ann.request('POST', `/api/status-updates/${posted['id'] as string}/view`);
  });
});

describe('posts to social platforms', () => {
  it('lists the platforms and the posts', async () => {
    const platforms = await ann.request('GET', '/api/social/platforms');
    expect(platforms).toEqual(expect.arrayContaining([expect.objectContaining({ id: 'twitter', connected: false })]));
    expect(await ann.request('GET', '/api/social/posts?limit=20')).toEqual([]);
  });
});

describe('multipart uploads', () => {
  it('begins, signs, sends, lists and completes', async () => {
    const { uploadId, key } = await ann.request('POST', '/s3/multipart', {
      filename: 'a.txt',
      type: 'text/plain',
      metadata: { name: 'a.txt', type: 'text/plain' },
    });
    const at = (rest = '') => `/s3/multipart/${uploadId}${rest}?key=${encodeURIComponent(key as string)}`;
    const { url } = await ann.request('GET', at('/1'));
    await ann.request('PUT', url as string, Buffer.from('the only part'));
    const parts = await ann.request('GET', at());
    expect(parts).toEqual([{ PartNumber: 1, Size: 13, ETag: expect.any(String) }]);
    const [{ ETag, PartNumber }] = parts as [Json];
    const made = await ann.request('POST', at('/complete'), { parts: [{ ETag, PartNumber }] });
    expect(made).toHaveProperty('location');
  });

  it('aborts, and reports what signing needs', async () => {
    const { uploadId, key } = await ann.request('POST', '/s3/multipart', {
      filename: 'b',
      type: 'text/plain',
      metadata: {},
    });
    await expect(ann.request('GET', `/s3/multipart/${uploadId}/1`)).rejects.toThrow(
      'Cannot sign without a key, an uploadId, and a partNumber',
    );
    await ann.request('DELETE', `/s3/multipart/${uploadId}?key=${encodeURIComponent(key as string)}`);
  });

  it('gives the URL of a single-piece upload; temporary credentials are up to the operator', async () => {
    const query = 'filename=c.png&type=image%2Fpng&metadata[name]=c.png';
    expect(await ann.request('GET', `/s3/params?${query}`)).toMatchObject({ method: 'PUT', url: expect.any(String) });
    await expect(ann.request('GET', '/s3/sts')).rejects.toThrow(/^501: /);
  });
});

describe('the real-time connection', () => {
  it('accepts authenticate and the rooms of a conversation, and brings new messages and typing', async () => {
    const conversationId = await conversation();
    const frames: { type: string; data: Json }[] = [];
    const [annSocket, benSocket] = [ann.socket(), ben.socket()];
    benSocket.on('message', (data) => frames.push(JSON.parse(String(data as Buffer))));
    const came = async (type: string) => {
      for (;;) {
        const found = frames.find((frame) => frame.type === type);
        if (found) return found.data;
        await new Promise((resolve) => benSocket.once('message', resolve));
      }
    };
    await Promise.all([annSocket, benSocket].map((socket) => new Promise((resolve) => socket.once('open', resolve))));
    benSocket.send(JSON.stringify({ type: 'authenticate', data: { userId: ben.id } }));
    benSocket.send(JSON.stringify({ type: 'join_conversation', id: randomUUID(), data: { conversationId } }));
    await came('ack');
    annSocket.send(JSON.stringify({ type: 'typing_start', data: { conversationId } }));
    expect(await came('typing_start')).toMatchObject({ conversationId, userId: ann.id });
    await ann.request('POST', '/api/messages', { conversationId, content: 'Now', messageType: 'text' });
    expect(await came('new_message')).toMatchObject({ content: 'Now' });
    expect(frames.filter(({ type }) => type === 'error')).toEqual([]);
    annSocket.close();
    benSocket.close();
  });
});

describe('a call over the real-time connection', () => {
  it('is signalled with the other person’s id and the signal, and ended with nothing', async () => {
    await ben.request('POST', '/api/contacts', { phoneNumber: ann.phoneNumber, displayName: 'Ann' });
    const conversationId = await conversation();
    const [annSocket, benSocket] = [ann.socket(), ben.socket()];
    const framesBySocket = new Map(
      [annSocket, benSocket].map((socket) => [socket, [] as { type: string; data: Json }[]]),
    );
    for (const [socket, frames] of framesBySocket) {
      socket.on('message', (data) => frames.push(JSON.parse(String(data as Buffer))));
    }
    await Promise.all([annSocket, benSocket].map((socket) => new Promise((resolve) => socket.once('open', resolve))));
    const came = (socket: WebSocket, type: string) =>
      eventually(() => framesBySocket.get(socket)?.find((frame) => frame.type === type)?.data);
    const signal = (socket: WebSocket, targetUserId: string, signalData: object) =>
      socket.send(JSON.stringify({ type: 'webrtc_signal', data: { targetUserId, signalData } }));
    await ann.request('POST', '/api/calls/initiate', { conversationId, callType: 'audio' });
    await came(benSocket, 'call_initiated');
    signal(benSocket, ann.id, { type: 'ready' });
    expect(await came(annSocket, 'webrtc_signal')).toMatchObject({ signalData: { type: 'ready' } });
    signal(annSocket, ben.id, { type: 'offer', sdp: 'v=0' });
    expect(await came(benSocket, 'webrtc_signal')).toMatchObject({ signalData: { type: 'offer', sdp: 'v=0' } });
    annSocket.send(JSON.stringify({ type: 'call_end' }));
    await came(benSocket, 'call_ended');
    expect([...framesBySocket.values()].flat().filter(({ type }) => type === 'error')).toEqual([]);
    annSocket.close();
    benSocket.close();
  });
});

it('offers no feature whose calls and texts are still to come', async () => {
  // A developer who builds one of these adds its calls here, and moves its words in web/src/app/specification.test.ts.
  const { features } = await ann.request('GET', '/api/config');
  expect(features).toMatchObject({ status: true, social: true, billing: false });
});
