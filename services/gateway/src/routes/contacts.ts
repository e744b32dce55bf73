import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { toContact, toUser } from '../mapping/people.ts';

export function bindContacts(bind: BindRoute, context: Pick<GatewayContext, 'identity' | 'publicUrl'>): void {
  const { identity, publicUrl } = context;

  bind(routes.listContacts, async ({ actor, query, rpc, response }) => {
    const { contacts, nextCursor } = await identity.listContacts(
      { actorId: actor.userId, query: query.q, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    return contacts.map((contact) => toContact(contact, publicUrl));
  });

  bind(routes.addContact, async ({ actor, body, device, rpc }) => {
    const phoneNumber = body.phoneNumber?.trim() || undefined;
    // Wording from spec section 5.
    if (phoneNumber === undefined && body.userId === undefined && body.username === undefined) {
      throw createGatewayError('invalid', 'phone_number_required', 'Phone number is required.');
    }
    const contact = await identity.addContact(
      {
        actorId: actor.userId,
        phoneNumber,
        userId: phoneNumber === undefined ? body.userId : undefined,
        username: phoneNumber === undefined && body.userId === undefined ? body.username : undefined,
        displayName: body.displayName,
        address: device.address,
      },
      rpc,
    );
    return toContact(contact, publicUrl);
  });

  bind(routes.getContactLink, async ({ actor, body, rpc }) => {
    const { token } = await identity.getContactLink({ actorId: actor.userId, renew: body.renew }, rpc);
    // Browsers never send the fragment to a server.
    return { url: `${publicUrl}/contacts#add=${token ?? ''}` };
  });

  bind(routes.findByContactLink, async ({ actor, body, rpc }) =>
    toUser(await identity.findByContactLink({ actorId: actor.userId, token: body.token }, rpc)),
  );

  bind(routes.updateContact, async ({ actor, params, body, rpc }) =>
    toContact(
      await identity.updateContact({ actorId: actor.userId, contactId: params.id, displayName: body.displayName }, rpc),
      publicUrl,
    ),
  );

  bind(routes.removeContact, async ({ actor, params, rpc }) => {
    await identity.removeContact({ actorId: actor.userId, contactId: params.id }, rpc);
  });

  bind(routes.listBlocked, async ({ actor, query, rpc, response }) => {
    const { users, nextCursor } = await identity.listBlocked(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    return users.map(toUser);
  });

  bind(routes.blockUser, async ({ actor, params, rpc }) => {
    await identity.setBlocked({ actorId: actor.userId, userId: params.id, blocked: true }, rpc);
  });

  bind(routes.unblockUser, async ({ actor, params, rpc }) => {
    await identity.setBlocked({ actorId: actor.userId, userId: params.id, blocked: false }, rpc);
  });
}
