import type { Json } from './json.ts';
import type { TestUser } from './testUser.ts';

type ApiCall = (path: string, body: unknown) => Promise<{ status: number; body: Json }>;

interface Known {
  readonly id: string;
  readonly api: { readonly post: ApiCall; readonly patch: ApiCall };
}

/**
 * Creates a conversation that both users have accepted, with which all tests begin that are not about strangers:
 * otherwise the first message is a message request (decision 39).
 */
export async function startAcceptedConversation(one: Known, other: Known): Promise<Json> {
  const made = await one.api.post('/api/conversations', { otherUserId: other.id });
  if (made.status >= 300)
    throw new Error(`Creating a conversation returned ${made.status}: ${JSON.stringify(made.body)}`);
  const accepted = await other.api.patch(`/api/conversations/${made.body.id}/settings`, { accepted: true });
  if (accepted.status !== 200) throw new Error(`Accepting the conversation returned ${accepted.status}.`);
  return made.body;
}

/** Lets everyone add these users to groups, as all tests begin that are not about invitations (decision 39). */
export async function allowGroupAdds(...people: readonly Pick<TestUser, 'api'>[]): Promise<void> {
  const replies = await Promise.all(
    people.map(({ api }) => api.put('/api/profile/privacy', { groupsFrom: 'everyone' })),
  );
  for (const { status } of replies)
    if (status !== 200) throw new Error(`Changing the privacy settings returned ${status}.`);
}
