import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { Dependencies } from './dependencies.ts';
import { toUser } from './replies.ts';
import { userNotFound } from './requests.ts';

export function getContactLink({
  accounts,
  clock,
  contactLinks,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.getContactLink> {
  return async ({ actorId = '', renew = false }) => {
    const actor = parseActorId(actorId);
    if (!(await accounts.find(actor))) throw userNotFound();
    return { token: await contactLinks.tokenOf(actor, renew, clock.now()) };
  };
}

/** Finds the owner of a contact link, as a number would. */
export function findByContactLink({
  contactLinks,
  viewPeople,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.findByContactLink> {
  return async ({ actorId = '', token = '' }) => {
    const actor = parseActorId(actorId);
    const owner = /^[\w-]{22}$/.test(token) ? await contactLinks.ownerOf(token) : undefined;
    const person = owner && (await viewPeople(actor, [owner])).get(owner);
    if (!person) throw userNotFound();
    return toUser(person);
  };
}
