import { limits } from '@nolo/rules';
import { eventually, signUpByPhone, type TestUser } from '@nolo/testing';
import { must } from '../support/authorization/authorizationCast.ts';
import { openSharedTestStack } from '../support/stacks/testStack.ts';

const url = openSharedTestStack().urls[0] ?? '';

const open = async (from: TestUser, to: TestUser) =>
  (must(await from.api.post('/api/conversations', { otherUserId: to.id }), 'The conversation').body as { id: string })
    .id;
const listed = async (user: TestUser) =>
  (must(await user.api.get('/api/conversations'), 'The list').body as { id: string }[]).map(({ id }) => id);

describe('a stranger', () => {
  it('is listed by nobody before they have written', async () => {
    const [stranger, receiver] = [await signUpByPhone(url), await signUpByPhone(url)];
    const conversationId = await open(stranger, receiver);
    expect([await listed(stranger), await listed(receiver)]).toEqual([[conversationId], []]);
    must(await stranger.api.post('/api/messages', { conversationId, content: 'hello', messageType: 'text' }), 'It');
    expect(await listed(receiver)).toEqual([conversationId]);
  });

  it('can call as often as they may write, and no more', async () => {
    const [stranger, receiver] = [await signUpByPhone(url), await signUpByPhone(url)];
    const conversationId = await open(stranger, receiver);
    const call = async () => {
      const reply = await stranger.api.post('/api/calls/initiate', { conversationId, callType: 'audio' });
      const { id, code } = reply.body as { id?: string; code?: string };
      if (id !== undefined) {
        must(await stranger.api.post(`/api/calls/${id}/end`), 'The end');
        await written(id);
      }
      return code ?? 'called';
    };
    const messages = async () =>
      must(await stranger.api.get(`/api/conversations/${conversationId}/messages`), 'The messages').body as {
        content: string;
      }[];
    const written = (id: string) =>
      eventually(async () => (await messages()).some(({ content }) => content.includes(id)));
    const answers: string[] = [];
    for (let nth = 0; nth < limits.messagesPerRequest + 2; nth += 1) answers.push(await call());
    expect(answers).toEqual([...Array(limits.messagesPerRequest).fill('called'), 'request_limit', 'request_limit']);
    expect(await messages()).toHaveLength(limits.messagesPerRequest);
  });
});
