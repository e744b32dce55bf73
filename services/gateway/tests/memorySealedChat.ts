import { ChatServiceDefinition } from '@nolo/proto/chat';
import type { Message, NewSealed } from '@nolo/proto/conversation';
import { GroupServiceDefinition } from '@nolo/proto/groups';
import { MessageActionServiceDefinition } from '@nolo/proto/messageActions';
import { aConversation, aMessage } from '@nolo/testing/protos';
import { fakeService } from './fakeService.ts';

const deviceId = '0199dddd-0000-8000-8000-000000000001';

const toSealedRow = ({ sealed, own, targetRow, version, held, draftId }: NewSealed): Message['sealed'] => ({
  sealed,
  own,
  targetRow,
  version,
  held,
  draftId,
  epoch: 3,
  deviceId,
  place: 0,
  rowHash: Buffer.alloc(32, 7),
  hasLink: true,
  annotations: [
    {
      kind: 'reaction',
      userId: deviceId,
      deviceId,
      clientMessageId: deviceId,
      epoch: 3,
      sealed: Buffer.from('reaction'),
      place: 5,
    },
  ],
});

/** Fakes chat for sealed messages: returns what it was sent as it would store it, and records requests. */
export function memorySealedChat() {
  const requests: object[] = [];
  const answer = async (request: object & { sealed?: NewSealed | undefined }): Promise<Message> => {
    requests.push(request);
    const { sealed } = request;
    return aMessage(sealed ? { content: '', encryption: 'epochs', sealed: toSealedRow(sealed) } : { content: '' });
  };
  return {
    requests,
    services: [
      fakeService(ChatServiceDefinition, {
        getConversation: async () => aConversation(),
        sendMessage: answer,
        editMessage: answer,
        deleteMessage: answer,
        getPreferences: async () => ({ shareReceipts: true, keepArchived: false }),
      }),
      fakeService(MessageActionServiceDefinition, { setReaction: answer, pinMessage: answer }),
      fakeService(GroupServiceDefinition, {
        async decideHeldMessage(request) {
          requests.push(request);
          return {};
        },
      }),
    ],
  };
}
